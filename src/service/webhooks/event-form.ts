import { matchesEventFilter, type WebhookEvent } from '../../protocol/event.ts'
import { type Evaluator, type ExpressionScope, toEvaluator, toRecordPointer } from '../../protocol/expression.ts'
import { hasFields, isJsonObject, type Json, type JsonObject, readField } from '../../protocol/json.ts'
import type { HandshakeTerms, WebhookFormat } from '../../protocol/webhook-scheme/webhook-format.ts'
import { uuidFrom } from '../../runtime/uuid.ts'

/** A change for webhooks. Its event is composed when it is sent; until then it costs little. */
export interface AnnouncedChange {
  /** Our kind of event: `task.created`. */
  readonly type: string
  /** The type that a handler gives, in place of those of the change. */
  readonly event?: string | undefined
  readonly collection: string
  readonly verb: 'created' | 'updated' | 'deleted'
  /** The event in our own form. */
  compose(): WebhookEvent
  /** The record before an update or a deletion, as the simulated API shows it. */
  before?(): JsonObject | undefined
  /** The record as kept now and before, including fields that the simulated API does not show. */
  kept?(): { readonly now: Json; readonly before: Json | undefined }
  /** The request that made the change. */
  readonly request?: { readonly headers: Readonly<Record<string, string>> } | undefined
  /** The account of the simulated API to which the record belongs. */
  readonly part?: string | undefined
}

/** A composed event: the text of its body, and the record's place in it. */
export interface WrittenEvent {
  readonly text: string
  /** JSON pointer; undefined where the body does not have the whole record. */
  readonly place: string | undefined
}

type EventRow = NonNullable<WebhookFormat['events']>[number]

/** The rows of one kind of change, in the format's order. */
interface RowsOfKind {
  readonly rows: readonly EventRow[]
  /** The event types of each such change; undefined where they depend on the record. */
  readonly types: readonly string[] | undefined
}

/** The parts of bodies. */
interface Envelope {
  readonly body: Evaluator
  readonly place: ((scope: ExpressionScope) => string) | undefined
}

/** Every event type of a format; undefined for our own kinds. */
export function typesIn({ events }: Pick<WebhookFormat, 'events'>): string[] | undefined {
  return events && [...new Set(events.flatMap(({ type, types }) => types ?? type ?? []))]
}

/** Events of changes in one format: their types and their bodies. */
export class EventForm {
  readonly format: WebhookFormat
  readonly #entry: JsonObject
  /** Undefined for our own bodies. */
  readonly #envelope: Envelope | undefined
  /** Envelopes of types with their own. */
  readonly #envelopes = new Map<string, Envelope>()
  readonly #forms = new Set<string>()
  /** Fields that a type shows as they were at its step. */
  readonly #shown = new Map<string, Evaluator>()
  /** The rows of each kind of change; found at first use. */
  readonly #rows = new Map<string, RowsOfKind>()

  /** @param entry the value of `{ $entry: … }` */
  constructor(format: WebhookFormat, entry: JsonObject = {}) {
    this.format = format
    this.#entry = entry
    this.#envelope = format.envelope === undefined ? undefined : toEnvelope(format.envelope)
    for (const { type = '', types = [type], contentType, shows, envelope } of format.events ?? []) {
      const shown = shows === undefined ? undefined : toEvaluator(shows)
      const own = envelope === undefined ? undefined : toEnvelope(envelope)
      for (const one of types) {
        if (contentType === 'form') this.#forms.add(one)
        if (shown !== undefined) this.#shown.set(one, shown)
        if (own !== undefined) this.#envelopes.set(one, own)
      }
    }
  }

  /**
   * The event types of a change, in the order of the format's rows; without rows our own kind.
   *
   * @param isLast those of rows with `last`, instead of the others
   */
  typesOf(change: AnnouncedChange, isLast = false): readonly string[] {
    if (change.event !== undefined) return isLast ? [] : [change.type]
    if (this.format.events === undefined) return [change.type]
    const { rows, types: always } = this.#rowsOf(change)
    if (always !== undefined) return isLast ? [] : always
    const types = rows
      .filter(({ last = false }) => last === isLast)
      .filter(({ is }) => is === undefined || isNow(change, is))
      .filter(({ becomes }) => becomes === undefined || hasBecome(change, becomes))
      .filter(({ changes }) => changes === undefined || hasChanged(change, changes))
      .flatMap(({ type, types }) => types ?? type ?? [])
    return types.length > 1 ? [...new Set(types)] : types
  }

  /** A webhook's event types of a change. Overlapping filters make one delivery. */
  wantedOf(
    change: AnnouncedChange,
    {
      events,
      within,
      ofAccounts,
    }: { readonly events: readonly string[]; readonly within?: JsonObject; readonly ofAccounts?: boolean },
  ): readonly string[] {
    if (ofAccounts !== undefined && ofAccounts !== (change.part !== undefined)) return []
    if (within !== undefined && !isWithin(change, within)) return []
    return this.typesOf(change).filter((type) => events.some((filter) => matchesEventFilter(filter, type)))
  }

  /** Every event type of the format; undefined for our own kinds. */
  get types(): string[] | undefined {
    return typesIn(this.format)
  }

  write(change: AnnouncedChange, event: WebhookEvent, type: string): WrittenEvent {
    const { scheme } = this.format
    const envelope = this.#envelopes.get(type) ?? this.#envelope
    if (envelope === undefined) return { text: JSON.stringify(ownBody({ ...event, type })), place: '/data/object' }
    const scope = this.#scopeOf(change, event, type)
    const body = envelope.body(scope) ?? null
    if (scheme.contentType === 'form' || this.isForm(type)) return { text: toForm(body), place: undefined }
    return { text: JSON.stringify(body), place: envelope.place?.(scope) }
  }

  /** Whether the bodies of a type are forms although those of the scheme are JSON. */
  isForm(type: string): boolean {
    return this.#forms.has(type)
  }

  /** The body of a handshake. @param at real time, milliseconds */
  tellHandshake({ type, body = {} }: HandshakeTerms, facts: { id: string; at: number; challenge: string }): string {
    const event = { type, kind: type, collection: '', recordId: '', ...facts }
    return JSON.stringify(toEvaluator(body)({ event, record: {}, entry: this.#entry }) ?? {})
  }

  #rowsOf({ collection, verb }: AnnouncedChange): RowsOfKind {
    const kind = `${collection}.${verb}`
    const known = this.#rows.get(kind)
    if (known !== undefined) return known
    const rows = (this.format.events ?? []).filter(({ on }) => on === kind || on === `${collection}.*` || on === '*')
    const hangs = rows.some(({ is, becomes, changes, last }) => is ?? becomes ?? changes ?? last)
    const found = { rows, types: hangs ? undefined : typesIn({ events: rows }) }
    this.#rows.set(kind, found)
    return found
  }

  #scopeOf(change: AnnouncedChange, event: WebhookEvent, type: string): ExpressionScope {
    const { id, created, data } = event
    const before = change.before?.()
    // Two types of one change are two events.
    const isFirst = this.format.events === undefined || this.typesOf(change)[0] === type
    const scope: ExpressionScope = {
      event: {
        type,
        kind: event.type,
        id: isFirst ? id : uuidFrom(id, type),
        collection: data.collection,
        recordId: data.id,
        at: Date.parse(created),
        ...(change.part !== undefined && { account: change.part }),
      },
      record: isJsonObject(data.object) ? data.object : (before ?? { id: data.id }),
      before: change.verb === 'updated' ? before : undefined,
      request: change.request,
      entry: this.#entry,
    }
    const shown = this.#shown.get(type)?.(scope)
    return isJsonObject(shown) ? { ...scope, record: { ...scope.record, ...shown } } : scope
  }
}

const toEnvelope = (value: Json): Envelope => ({
  body: toEvaluator(value),
  place: toRecordPointer(value),
})

/** The body of the specification (Delivery request). */
const ownBody = ({ id, type, created, data }: WebhookEvent) => ({
  id,
  type,
  created,
  data: { collection: data.collection, id: data.id, object: data.object },
})

/** Whether the event's subject has no other values than these, or lists with them; null allows any. */
function isWithin(change: AnnouncedChange, within: JsonObject): boolean {
  const { object } = change.compose().data
  return Object.entries(within).every(([field, wanted]) => {
    const actual = readField(object, field.split('.')) ?? null
    return actual === null || wanted === null || (Array.isArray(actual) ? actual.includes(wanted) : actual === wanted)
  })
}

function hasBecome(change: AnnouncedChange, becomes: Readonly<Record<string, unknown>>): boolean {
  return isNow(change, becomes) && !(change.verb === 'updated' && hasFields(change.before?.(), becomes))
}

/** Whether the record has these values (for a deletion: had them), as shown or, in hidden fields, as kept. */
function isNow(change: AnnouncedChange, wanted: Readonly<Record<string, unknown>>): boolean {
  const isGone = change.verb === 'deleted'
  const object = (isGone ? change.before?.() : undefined) ?? change.compose().data.object
  if (hasFields(object, wanted)) return true
  const kept = change.kept?.()
  const now = isGone ? kept?.before : kept?.now
  return Object.entries(wanted).every(([path, one]) =>
    hasFields(readField(object, path.split('.')) === undefined ? now : object, { [path]: one }),
  )
}

/** Whether an update changed one of the fields; for a new record, whether it has one of them. */
function hasChanged(change: AnnouncedChange, fields: readonly string[]): boolean {
  if (change.verb === 'deleted') return false
  const record = change.compose().data.object
  const before = change.before?.()
  const read = (value: Json | undefined, path: string) => JSON.stringify(readField(value, path.split('.')) ?? null)
  const kept = change.kept?.()
  return fields.some(
    (path) => read(record, path) !== read(before, path) || read(kept?.now, path) !== read(kept?.before, path),
  )
}

/** Fields of a body as a form. Objects and lists become JSON. */
function toForm(body: Json): string {
  const fields = isJsonObject(body) ? Object.entries(body) : []
  return new URLSearchParams(
    fields.map(([name, value]) => [
      name,
      value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  ).toString()
}
