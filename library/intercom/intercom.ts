import type { AnyOperation, DueContext, OperationContext, RecordTest } from '../../src/handlers.ts'
import { readField } from '../../src/protocol/json.ts'
import { cursorOf, placeOf } from '../shared/cursors.ts'
import { Provider } from '../shared/provider.ts'
import { matchesOf } from '../shared/queries.ts'
import { type Fields, fieldsOf, type Json, type Kept, listOf } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, without } from '../shared/values.ts'

export type Collection =
  | ('activity_logs' | 'admins' | 'articles' | 'away_status_reasons' | 'collections' | 'companies' | 'contacts')
  | ('content_import_sources' | 'conversations' | 'custom_object_instances' | 'data_attributes' | 'data_events')
  | ('exports' | 'external_pages' | 'happenings' | 'help_centers' | 'internal_articles' | 'ip_allowlists' | 'jobs')
  | ('news_items' | 'newsfeeds' | 'notes' | 'parts' | 'segments' | 'subscription_types' | 'tags' | 'teams')
  | ('ticket_states' | 'ticket_type_attributes' | 'ticket_types' | 'tickets')
type Records = Record<Collection, Kept>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Kept>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (intercom: IntercomRequest) => unknown>>

type Kind = 'text' | 'integer' | 'number' | 'flag' | 'list' | 'object' | 'id'
/** Which fields a body sets. With a question mark they may be null; `id` is a text or a number, kept as a text. */
export type Form = Readonly<Record<string, Kind | `${Kind}?`>>

const CHECKS: Readonly<Record<Kind, (value: Json) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  id: (value) => typeof value === 'string' || Number.isInteger(value),
}
const NAMES: Readonly<Record<Kind, string>> = {
  ...{ text: 'a string', integer: 'an integer', number: 'a number', flag: 'a boolean', list: 'an array' },
  ...{ object: 'an object', id: 'a string' },
}

const ME = '991267001'
const MOST_SHOWN = 150
const OPERATORS = {
  ...{ '=': 'eq', '!=': 'ne', IN: 'in', NIN: 'out', '>': 'gt', '<': 'lt' },
  ...{ '~': 'has', '!~': 'lacks', '^': 'starts', $: 'ends' },
}

export const isMissing = (value: Json | undefined): value is undefined | null | '' =>
  value === undefined || value === null || value === ''

/** A text or a number as a text, others as an empty one. */
export const textOf = (value: Json | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

export const idsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(textOf) : [])

/** A list of ids with one more, or without it. */
export const withId = (list: Json | undefined, id: string): string[] => [...new Set([...idsOf(list), id])]
export const withoutId = (list: Json | undefined, id: string): string[] => idsOf(list).filter((one) => one !== id)

/** The fields that are not null. */
export const filled = (record: Readonly<Record<string, Json | undefined>>): Fields =>
  Object.fromEntries(Object.entries(record).filter((field): field is [string, Json] => (field[1] ?? null) !== null))

/** An id as a number; null without one. */
export const numberOf = (id: Json | undefined): number | null => (/^-?\d+$/.test(textOf(id)) ? Number(id) : null)

/** The records, the clock and the events. */
export class Intercom extends Provider<Records> {
  /** Times of a new record. */
  get times(): { created_at: number; updated_at: number } {
    return { created_at: this.unix, updated_at: this.unix }
  }

  /** The admin that the access token belongs to. */
  get me(): Kept {
    return this.records.admins.get(ME) as Kept
  }

  /** Records, the oldest first. */
  all(collection: Collection, test: RecordTest<Kept> = {}): Kept[] {
    return this.records[collection].where(test).reverse()
  }

  /** The records with this id in a list. */
  having(collection: Collection, list: string, id: string): Kept[] {
    return this.all(collection, (record) => idsOf(record[list]).includes(id))
  }

  update(collection: Collection, record: Kept, fields: Fields): Kept {
    return this.records[collection].update(record, { ...fields, updated_at: this.unix })
  }

  /** Sends a notification. It has the part that caused it alone: applications read `conversation_parts[0]`. */
  happen(topic: string, item: Fields): void {
    const all = fieldsOf(item.conversation_parts).conversation_parts
    const last = listOf(all).slice(-1)
    const parts = { type: 'conversation_part.list', conversation_parts: last, total_count: last.length }
    const isCut = Array.isArray(all) && topic !== 'conversation_part.redacted'
    this.records.happenings.create({ topic, item: { ...item, ...(isCut && { conversation_parts: parts }) } })
  }

  /** The contact with this id, external id or address. */
  contactBy({ id, external_id, email }: Readonly<Record<string, Json | undefined>>): Kept | undefined {
    const { contacts } = this.records
    const found = contacts.get(textOf(id))
    if (found !== undefined) return found
    const byUser = isMissing(external_id) ? undefined : contacts.find({ external_id })
    return byUser ?? (isMissing(email) ? undefined : contacts.find({ email: textOf(email).toLowerCase() }))
  }
}

/** The same, with a request. */
export class IntercomRequest extends Intercom {
  readonly of: Context
  readonly body: Fields
  readonly query: Readonly<Record<string, string | undefined>>
  readonly path: Readonly<Record<string, string>>

  constructor(of: Context) {
    super(of)
    this.of = of
    this.body = fieldsOf(of.body)
    this.query = of.query as Readonly<Record<string, string | undefined>>
    this.path = of.path
  }

  /** The text of the body: one without tags becomes a paragraph. */
  get html(): string | null {
    const body = textOf(this.body.body)
    return body === '' || body.startsWith('<') ? body || null : `<p>${body}</p>`
  }

  refuse(status: number, reason: string, message: string): never {
    const facts = { code: 'refused', reason, message }
    return this.of.refuse(status, facts)
  }

  invalid(message: string): never {
    return this.refuse(400, 'parameter_invalid', message)
  }

  missing(message: string): never {
    return this.refuse(400, 'parameter_not_found', message)
  }

  gone(message = 'Resource Not Found', reason = 'not_found'): never {
    return this.refuse(404, reason, message)
  }

  /** Refuses a body that lacks a field. @param names with spaces between */
  need(names: string, messageOf = (name: string) => `${name} is required`): void {
    const missing = names.split(' ').find((name) => isMissing(this.body[name]))
    if (missing !== undefined) this.missing(messageOf(missing))
  }

  /** Refuses another value than one of these. @param where the object that has the field, of the body */
  choose(name: string, choices: readonly Json[], { where = this.body, label = name, text = choices } = {}): string {
    const value = where[name] ?? null
    if (!choices.includes(value)) this.invalid(`${label} must be one of ${text.filter(Boolean).join(', ')}`)
    return textOf(value)
  }

  /** The fields of a form that the body has; a null is no value where it may not be one. Refuses other types. */
  sent(form: Form, body = this.body): Fields {
    return Object.fromEntries(
      Object.entries(form).flatMap(([name, type]): [string, Json][] => {
        const value = body[name] ?? null
        const kind = type.replace('?', '') as Kind
        if (value === null) return body[name] === null && type.endsWith('?') ? [[name, null]] : []
        if (!CHECKS[kind](value)) this.invalid(`${name} must be ${NAMES[kind]}`)
        return [[name, kind === 'id' ? String(value) : value]]
      }),
    )
  }

  /** The same, with those values that are not null: of a new record. */
  given(form: Form, body = this.body): Fields {
    return filled(this.sent(form, body))
  }

  /** The record with this id. @param id @default `{id}` of the path */
  find(collection: Collection, id: Json | undefined = this.path.id): Kept {
    return this.records[collection].get(textOf(id)) ?? this.gone()
  }

  tagOfPath(): Kept {
    return this.records.tags.get(this.path.tag_id) ?? this.gone('Tag not found', 'tag_not_found')
  }

  admin(id: Json | undefined, message = 'Admin not found'): Kept {
    return this.records.admins.get(textOf(id)) ?? this.gone(message, 'admin_not_found')
  }

  /** A numbered page of a list. */
  numbered(items: readonly Kept[], usual: number): { shown: Kept[]; total_count: number; pages: Fields } {
    const asked = textOf(this.query.page) || '1'
    if (!/^\d{1,15}$/.test(asked)) this.invalid('page is invalid')
    const size = sizeOf(this.query.per_page, usual)
    const page = Math.max(1, Number(asked))
    const total_pages = Math.max(1, Math.ceil(items.length / size))
    const pages = { type: 'pages', next: null, page, per_page: size, total_pages }
    return { shown: items.slice((page - 1) * size, page * size), total_count: items.length, pages }
  }

  /** The usual answer of a numbered list. */
  list(items: readonly Kept[], show: (item: Kept) => Fields, usual = 15): Fields {
    const { shown, ...rest } = this.numbered(items, usual)
    return { type: 'list', data: shown.map(show), ...rest }
  }

  /** A page of a list, with a cursor to the next one. */
  cut(
    items: readonly Kept[],
    usual: number,
    { after, size }: { after?: Json | undefined; size?: Json | undefined } = {
      after: this.query.starting_after,
      size: this.query.per_page,
    },
  ): { shown: Kept[]; rest: Fields } {
    const per_page = sizeOf(size, usual)
    const start = isMissing(after) ? 0 : placeOf(textOf(after), items)
    if (start === undefined) return this.invalid('starting_after is invalid')
    const end = start + per_page
    const page = Math.floor(start / per_page) + 1
    const following = items[end]
    const cursor = cursorOf(end, following?.id)
    const next = following === undefined ? null : { page: page + 1, per_page, starting_after: cursor }
    const total_pages = Math.max(1, Math.ceil(items.length / per_page))
    const pages = { type: 'pages', page, per_page, total_pages, next }
    return { shown: items.slice(start, end), rest: { total_count: items.length, pages } }
  }

  /** Groups of filters are nested in two levels, and each has 15 filters at most. */
  #checkGroups(query: Json, level: number): void {
    const { operator, value } = fieldsOf(query)
    if (!Array.isArray(value) || !['AND', 'OR'].includes(textOf(operator))) return
    if (level > 2) this.invalid('Filters can be nested in 2 levels at most')
    if (value.length > 15) this.invalid('A group can have 15 filters at most')
    for (const one of value) this.#checkGroups(one, level + 1)
  }

  /** The records that match the query of the body, in its order. @param fields those that there are, with spaces between */
  search(
    items: readonly Kept[],
    { fields, places, usual }: { fields: string; places: Readonly<Record<string, string>>; usual: number },
  ): { shown: Kept[]; rest: Fields } {
    const { query } = this.body
    const [sort, pagination] = [fieldsOf(this.body.sort), fieldsOf(this.body.pagination)]
    if (isMissing(query)) this.missing('query is required')
    this.#checkGroups(query ?? null, 1)
    const by = { junctions: { AND: 'all', OR: 'any' }, fields, operators: OPERATORS, places }
    const { items: matching, fault } = matchesOf(items, query ?? null, by)
    if (fault?.reason === 'unknown')
      this.refuse(400, 'invalid_field', `${textOf(fault.field)} is not a valid search field`)
    if (!isMissing(sort.order) && !['ascending', 'descending'].includes(textOf(sort.order))) {
      const message = `Invalid sort order '${textOf(sort.order)}'. Must be one of: ascending, descending`
      this.refuse(400, 'invalid_sort_order', message)
    }
    if (fault !== undefined)
      this.invalid(`Invalid operator '${textOf(fault.operator)}' for field '${textOf(fault.field)}'`)
    const found = matching as Kept[]
    const sorted = isMissing(sort.field) ? found : inOrder(found, textOf(sort.field), sort.order !== 'ascending')
    return this.cut(sorted, usual, { after: pagination.starting_after, size: pagination.per_page })
  }
}

const sizeOf = (size: Json | undefined, usual: number): number => {
  const wanted = Math.trunc(Number(size ?? usual))
  return Math.min(wanted > 0 ? wanted : usual, MOST_SHOWN)
}

/** Records by a field, those without it last. */
function inOrder(items: readonly Kept[], field: string, isDescending: boolean): Kept[] {
  const fieldOf = (item: Kept) => readField(item, field.split('.')) ?? null
  const [there, absent] = [
    items.filter((item) => fieldOf(item) !== null),
    items.filter((item) => fieldOf(item) === null),
  ]
  const compare = (one: Json, other: Json) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : textOf(one) < textOf(other) ? -1 : 1
  const sorted = there.toSorted((one, other) =>
    fieldOf(one) === fieldOf(other) ? 0 : compare(fieldOf(one), fieldOf(other)) * (isDescending ? -1 : 1),
  )
  return [...sorted, ...absent]
}

/** A collection whose operations do no more than keep what they are sent. */
export interface Resource {
  readonly collection: Collection
  /** Of the list. */
  readonly path: string
  readonly form: Form
  readonly show: (record: Kept) => Fields
  /** Further refusals of a body. */
  readonly check: (intercom: IntercomRequest, record: Kept | undefined) => void
  /** What a new record has where the body sends nothing. */
  readonly made?: (intercom: IntercomRequest) => Fields
  readonly deleted: (record: Kept) => Fields
}

/** The five operations of a resource, which is listed newest first. */
export function operationsOf(resource: Resource): Operations {
  const { collection, path, form, show, check, made = () => ({}), deleted } = resource
  const one = `${path}/{id}`
  return {
    [`GET ${path}`]: (intercom) => intercom.list([...intercom.records[collection]], show),
    [`POST ${path}`]: (intercom) => {
      check(intercom, undefined)
      const fields = { ...made(intercom), ...intercom.given(form), ...intercom.times }
      return show(intercom.records[collection].create(fields))
    },
    [`GET ${one}`]: (intercom) => show(intercom.find(collection)),
    [`PUT ${one}`]: (intercom) => {
      const record = intercom.find(collection)
      check(intercom, record)
      return show(intercom.update(collection, record, intercom.sent(form)))
    },
    [`DELETE ${one}`]: (intercom) => {
      const record = intercom.find(collection)
      const answer = deleted(record)
      intercom.records[collection].remove(record)
      return answer
    },
  }
}
