import type { ActivityBurst, DeliveryActivity, RequestActivity } from '../../protocol/activity.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { LogDetail } from '../../protocol/reads.ts'
import type { ReportedTurn, SinkReceipt } from '../../protocol/report-page.ts'
import type { FieldDifference } from './differences.ts'

/** One thing that happened, as the timeline shows it. */
export type Row = ChainRow | BurstRow | TurnRow | ReceiptRow

/** What leads to something, or comes of it. */
export type ChainRow = ChangeRow | RequestRow | DeliveryRow

interface RowBase {
  /** Unique among the rows of a simulation. */
  readonly key: string
  /** World time, ISO 8601. */
  readonly at: string
}

export interface ChangeRow extends RowBase {
  readonly kind: 'change'
  readonly event: ChangeEvent
  /** What differs from the record as the page last saw it; undefined where it has not seen the record before. */
  readonly differences: readonly FieldDifference[] | undefined
}

export interface RequestRow extends RowBase {
  readonly kind: 'request'
  readonly entry: RequestActivity
}

/** One attempt of a delivery. */
export interface DeliveryRow extends RowBase {
  readonly kind: 'delivery'
  readonly delivery: DeliveryActivity
}

/** More than the page was told one by one. */
export interface BurstRow extends RowBase {
  readonly kind: 'burst'
  readonly burst: ActivityBurst
}

/** A turn of the clock by the test that a report is of. */
export interface TurnRow extends RowBase {
  readonly kind: 'turn'
  readonly turn: ReportedTurn
}

/** What the sink of the test has received or refused that a report is of. */
export interface ReceiptRow extends RowBase {
  readonly kind: 'receipt'
  readonly receipt: SinkReceipt
}

/** The fields that the filter of the timeline knows. */
export function filterFieldsOf(row: Row): Record<string, unknown> {
  switch (row.kind) {
    case 'change': {
      const { id, type, cause, data } = row.event
      return { kind: 'change', id, type, cause, collection: data.collection, record: data.id }
    }
    case 'request': {
      const { id, method, path, status, operation, key, ruleId, sourceIp, durationMs } = row.entry
      return { kind: 'request', id, method, path, status, operation, key, rule: ruleId, ip: sourceIp, ms: durationMs }
    }
    case 'delivery': {
      const { id, event, state, attempts, webhookId } = row.delivery
      const status = attempts.at(-1)?.status
      return { kind: 'delivery', id, type: event.type, record: event.recordId, state, status, webhook: webhookId }
    }
    case 'burst':
      return { kind: 'burst' }
    case 'turn':
      return { kind: 'turn', hours: row.turn.hours, changes: row.turn.changes }
    case 'receipt': {
      const { name, recordId, status, refusal } = row.receipt
      return { kind: 'receipt', type: name, record: recordId, status, refusal }
    }
  }
}

/** The text of a row that bare words of a filter are looked up in. */
export function searchTextOf(row: Row): string {
  const fields = Object.values(filterFieldsOf(row)).join(' ')
  return row.kind === 'change' ? `${fields} ${JSON.stringify(row.event.data.object)}` : fields
}

export const DELIVERY_STATES = {
  delivered: 'good',
  pending: 'calm',
  retrying: 'warn',
  held: 'warn',
  failed: 'bad',
  dropped: 'bad',
} as const

export function toRequestRow(entry: LogDetail): Row {
  const changes = entry.changes.map(({ id }) => id)
  return { kind: 'request', key: `request ${entry.id}`, at: entry.at, entry: { ...entry, changes } }
}
