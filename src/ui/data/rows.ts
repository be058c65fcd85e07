import type { ActivityBurst, DeliveryActivity, RequestActivity } from '../../protocol/activity.ts'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { LogDetail } from '../../protocol/reads.ts'
import type { ReportedTurn, SinkReceipt } from '../../protocol/report-page.ts'
import type { Searched } from './filter-line.ts'
import type { FieldDifference } from './json-value.ts'

/** One activity in the timeline. */
export type Row = ChainRow | BurstRow | TurnRow | ReceiptRow

/** A row of a chain of causes and effects. */
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
  /** Differences from the last known record; undefined for an unknown one. */
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

/** Activity that was not streamed one by one. */
interface BurstRow extends RowBase {
  readonly kind: 'burst'
  readonly burst: ActivityBurst
}

/** A clock turn by the report's test. */
export interface TurnRow extends RowBase {
  readonly kind: 'turn'
  readonly turn: ReportedTurn
}

/** A webhook or refused request at the sink of the report's test. */
export interface ReceiptRow extends RowBase {
  readonly kind: 'receipt'
  readonly receipt: SinkReceipt
}

type Readers<One extends Row> = Readonly<Record<string, (row: One) => unknown>>

/** The timeline filter's fields, by kind of row. */
const FIELDS: { readonly [Kind in Row['kind']]: Readers<Extract<Row, { kind: Kind }>> } = {
  change: {
    kind: () => 'change',
    id: ({ event }) => event.id,
    type: ({ event }) => event.type,
    cause: ({ event }) => event.cause,
    collection: ({ event }) => event.data.collection,
    record: ({ event }) => event.data.id,
  },
  request: {
    kind: () => 'request',
    id: ({ entry }) => entry.id,
    method: ({ entry }) => entry.method,
    path: ({ entry }) => entry.path,
    status: ({ entry }) => entry.status,
    operation: ({ entry }) => entry.operation,
    key: ({ entry }) => entry.key,
    rule: ({ entry }) => entry.ruleId,
    ip: ({ entry }) => entry.sourceIp,
    ms: ({ entry }) => entry.durationMs,
  },
  delivery: {
    kind: () => 'delivery',
    id: ({ delivery }) => delivery.id,
    type: ({ delivery }) => delivery.event.type,
    record: ({ delivery }) => delivery.event.recordId,
    state: ({ delivery }) => delivery.state,
    status: ({ delivery }) => delivery.attempts.at(-1)?.status,
    webhook: ({ delivery }) => delivery.webhookId,
  },
  burst: { kind: () => 'burst' },
  turn: { kind: () => 'turn', hours: ({ turn }) => turn.hours, changes: ({ turn }) => turn.changes },
  receipt: {
    kind: () => 'receipt',
    type: ({ receipt }) => receipt.name,
    record: ({ receipt }) => receipt.recordId,
    status: ({ receipt }) => receipt.status,
    refusal: ({ receipt }) => receipt.refusal,
  },
}

const readersOf = ({ kind }: Row): Readers<Row> => FIELDS[kind] as Readers<Row>
const NAMES = new Map(Object.entries(FIELDS).map(([kind, readers]) => [kind, Object.keys(readers)]))
const READERS = new Map(Object.entries(FIELDS).map(([kind, readers]) => [kind, Object.values(readers as Readers<Row>)]))

/** How a filter reads rows. A change's record is part of its text. */
export const ROWS: Searched<Row> = {
  names: ({ kind }) => NAMES.get(kind) ?? [],
  read: (row, field) => readersOf(row)[field]?.(row),
  text: (row) => {
    let text = ''
    for (const read of READERS.get(row.kind) ?? []) text += `${read(row) ?? ''} `
    return row.kind === 'change' ? text + JSON.stringify(row.event.data.object) : text
  },
}

export function filterFieldsOf(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(readersOf(row)).map(([name, read]) => [name, read(row)]))
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

/** The earliest first. Compares numbers, not texts, since years may have more than four digits. */
export function inOrder(rows: readonly Row[]): Row[] {
  const times = new Map(rows.map((row) => [row, Date.parse(row.at)]))
  return rows.toSorted((left, right) => (times.get(left) ?? 0) - (times.get(right) ?? 0))
}
