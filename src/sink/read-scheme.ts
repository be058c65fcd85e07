import { type WebhookScheme, webhookScheme } from '../protocol/dialect/scheme.ts'
import { parseRequest } from '../protocol/parse-request.ts'

/** Parses a scheme from data. Throws `invalid_request` with the field and its bound. */
export const readScheme = (scheme: unknown): WebhookScheme => parseRequest(webhookScheme, scheme, 'scheme')
