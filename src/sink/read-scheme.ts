import { parseRequest } from '../protocol/parse-request.ts'
import { type WebhookScheme, webhookScheme } from '../protocol/webhook-scheme/scheme.ts'

/** Parses a scheme from data. Throws `invalid_request` with the field and its bound. */
export const readScheme = (scheme: unknown): WebhookScheme => parseRequest(webhookScheme, scheme, 'scheme')
