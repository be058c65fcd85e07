import { toTable } from '../fixture/table.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'
import type { RejectedRequest } from '../sink/rejection.ts'
import { colors } from './terminal.ts'

const WIDTHS = [12, 28, 40, 7, 6] as const

/** The titles of the columns that {@link formatReceived} and {@link formatRejected} fill. */
export const SINK_TITLES = toLine(['TIME', 'KIND', 'RECORD', 'ATTEMPT', 'ANSWER', 'VERDICT'])

/** One line for a webhook. */
export function formatReceived(webhook: ReceivedWebhook): string {
  const { data, attempt, attempts, duplicates, answered, receivedAt, type } = webhook
  const times = duplicates > 0 ? `${attempts}, ${duplicates}dup` : String(attempt)
  const record = `${data.collection}/${data.id}`
  return toLine([toTime(receivedAt), type, record, times, String(answered ?? '-'), colors.green('verified')])
}

/** One line for a refused request, with the reason. */
export function formatRejected(request: RejectedRequest): string {
  const kind = request.headers['svc-event'] ?? '-'
  const verdict = `${colors.red(request.reason)} ${request.detail}`
  return toLine([toTime(request.at), kind, '-', '-', String(request.status ?? '-'), verdict])
}

/** A webhook as JSON: its bytes as base64. */
export function toReceivedJson({ rawBody, ...webhook }: ReceivedWebhook): object {
  return { ...webhook, rawBody: Buffer.from(rawBody).toString('base64') }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23)
}

/** Lines are printed as webhooks come, so that the widths are known beforehand. */
function toLine(cells: readonly string[]): string {
  return toTable([cells], { minWidths: WIDTHS }).join('')
}
