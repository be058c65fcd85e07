import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { valueText } from '../../src/protocol/json.ts'
import { cursorOf, placeOf } from '../shared/cursors.ts'
import { type Fields, fieldsOf, type Json, type Kept, sent } from '../shared/values.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf, only, textOf, without } from '../shared/values.ts'

/** A type of objects, as `seed/object_types.yaml` has it. */
export type Kind = Kept & {
  name: string
  singular: string
  /** First part of the names of its events. */
  event: string
  names: string[]
  /** The properties with the times of creation and of the last change. */
  created: string
  modified: string
  /** Properties that are shown unless a request names some. */
  shown: string[]
  unique: string[]
  /** Properties that the `query` of a search reads. */
  searched: string[]
  required: string[]
  initial: Fields
  /** The properties with the pipeline and its stage; empty without. */
  pipeline: string
  stage: string
  /** Types of associations, by the type of the other object. */
  links: Fields
  standard: Fields[]
  custom: boolean
  archived: boolean
  /** What its owner has set. */
  schema: Fields
}

/** A record of any type. */
export type CrmObject = Kept & {
  /** The name of its {@link Kind}. */
  type: string
  properties: Fields
  /** Values by property, the newest first. */
  history: Fields
  createdAt: string
  updatedAt: string
  archived: boolean
}

type Plain =
  | ('association_labels' | 'associations' | 'email_subscriptions' | 'files' | 'folders' | 'forms' | 'happenings')
  | ('events' | 'exports' | 'imports' | 'users' | 'event_definitions' | 'event_templates')
  | 'marketing_events'
  | ('hooks' | 'lists' | 'owners' | 'pipelines' | 'properties' | 'property_groups' | 'sent_emails')
  | ('timeline_events' | 'tokens' | 'webhook_settings' | 'webhook_subscriptions')

type Records = Record<Plain, Kept> & { object_types: Kind; objects: CrmObject }

export type Collection = keyof Records
export type Context = OperationContext<AnyOperation, Records>
type World = Pick<WorldContext<Records>, 'records' | 'now' | 'random' | 'id' | 'refuse'>
export type Due = DueContext<Records, CrmObject>

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (hubspot: HubspotRequest) => unknown>>

/** Fields of a body, and their types. */
export type Form = Readonly<Record<string, keyof typeof TYPES>>

const TYPES = {
  text: { name: 'a string', fits: (value: Json) => typeof value !== 'object' },
  integer: { name: 'an integer', fits: (value: Json) => Number.isInteger(Number(value)) && typeof value !== 'object' },
  flag: { name: 'a boolean', fits: (value: Json) => /^(true|false)$/.test(String(value)) },
  list: { name: 'a list', fits: Array.isArray },
  object: { name: 'an object', fits: (value: Json) => typeof value === 'object' && !Array.isArray(value) },
} as const

/** The id of the app, of the account, and of the person who does all. */
export const ACCOUNT = { portalId: 1, userId: 9_001 } as const

const MOST_INPUTS = 100

/** Properties that every type has, besides the times of creation and of the last change. */
const COMMON = [
  { name: 'hubspot_owner_id', type: 'enumeration', fieldType: 'select' },
  { name: 'hubspot_team_id', type: 'enumeration', fieldType: 'select' },
  { name: 'hs_object_id', type: 'number', fieldType: 'number' },
  { name: 'hs_created_by_user_id', type: 'number', fieldType: 'number' },
  { name: 'hs_merged_object_ids', type: 'enumeration', fieldType: 'select' },
  { name: 'hubspot_owner_assigneddate', type: 'datetime', fieldType: 'date' },
  { name: 'hs_object_source', type: 'string', fieldType: 'text' },
  { name: 'hs_object_source_label', type: 'string', fieldType: 'text' },
]

/** Parameters that the link to the next page repeats. */
const REPEATED =
  'limit properties propertiesWithHistory associations archived email name extension path type parentFolderId createdAtGte createdAtLte sort'

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The names of a list, or of a text with commas between. */
export const namesIn = (value: Json | undefined): string[] =>
  [value ?? []]
    .flat()
    .map(valueText)
    .join(',')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** The records, the clock and the events. */
export class Hubspot {
  readonly records: WorldContext<Records>['records']
  /** World time. */
  readonly iso: string
  readonly ms: number
  readonly #of: World

  constructor(of: World) {
    this.records = of.records
    this.ms = of.now.getTime()
    this.iso = of.now.toISOString()
    this.#of = of
  }

  /** A number of this many digits. */
  digits(length: number): string {
    return Array.from(
      { length },
      (_, at) => Math.floor(this.#of.random() * (at === 0 ? 9 : 10)) + (at === 0 ? 1 : 0),
    ).join('')
  }

  letters(length: number): string {
    return (this.#of.id() + this.#of.id() + this.#of.id()).slice(0, length)
  }

  /** Records whose fields have these values, the oldest first. */
  having<Name extends Collection>(collection: Name, fields: Partial<Records[Name]>): Records[Name][] {
    return this.records[collection].where(fields as never).reverse() as Records[Name][]
  }

  /** The type of objects with this name, this id or another of its names. */
  kindCalled(name: Json | undefined): Kind | undefined {
    const asked = valueText(name ?? '').toLowerCase()
    return this.records.object_types.find(({ names, archived }) => !archived && names.includes(asked))
  }

  kindOf({ type }: CrmObject): Kind {
    return this.records.object_types.find({ name: type }) ?? this.invalid(`Unable to infer object type from: ${type}`)
  }

  /** Definitions of the properties of a type: HubSpot's, then the account's own. */
  definitionsOf({ name, standard, created, modified }: Kind): Fields[] {
    const times = [created, modified].map((time) => ({ name: time, type: 'datetime', fieldType: 'date' }))
    const common = [...COMMON, ...times].filter((one) => !standard.some((own) => own.name === one.name))
    return [...common, ...standard, ...this.having('properties', { objectType: name, archived: false })]
  }

  /** The names of the properties whose values are unique. */
  uniqueOf(kind: Kind): string[] {
    const own = this.definitionsOf(kind).filter((one) => one.hasUniqueValue === true)
    return [...kind.unique, ...own.map(({ name }) => valueText(name ?? ''))]
  }

  /** Sends an event of an object: `contact.creation`. */
  announce(object: CrmObject, what: string, extra: Fields): void {
    const { event, id: objectTypeId } = this.kindOf(object)
    const type = `${event}.${what}`
    this.records.happenings.create({
      type,
      payload: {
        eventId: Number(this.digits(10)),
        subscriptionId: 1,
        portalId: ACCOUNT.portalId,
        appId: 1,
        occurredAt: this.ms,
        subscriptionType: type,
        attemptNumber: 0,
        objectId: Number(object.id),
        changeSource: 'INTEGRATION',
        sourceId: `userId:${ACCOUNT.userId}`,
        objectTypeId,
        ...extra,
      },
    })
  }

  invalid(message: string, more: Fields = {}): never {
    return this.#refuse(400, { code: 'invalid', message, ...more })
  }

  conflict(message: string): never {
    return this.#refuse(409, { code: 'conflict', message })
  }

  /** Refuses a name that is taken. */
  taken(message: string): never {
    return this.#refuse(409, { code: 'exists', message })
  }

  missing(): never {
    return this.#refuse(404, { code: 'missing' })
  }

  #refuse(status: number, why: Fields): never {
    return this.#of.refuse(status, why)
  }
}

/** The same, with a request. */
export class HubspotRequest extends Hubspot {
  readonly of: Context
  readonly body: Fields
  readonly query: Fields
  /** `GET /crm/v3/owners` */
  readonly #operation: string

  constructor(of: Context, operation: string) {
    super(of)
    this.of = of
    this.body = fieldsOf(of.body)
    this.query = of.query
    this.#operation = operation
  }

  get path(): Readonly<Record<string, string>> {
    return this.of.path
  }

  /** Whether archived records are asked for. */
  get isArchived(): boolean {
    return this.query.archived === true
  }

  /** The type of objects that a parameter of the path names. */
  kind(param = 'objectType'): Kind {
    const name = this.path[param]
    return this.kindCalled(name) ?? this.invalid(`Unable to infer object type from: ${name}`)
  }

  /** Refuses a body without these fields. @param names with spaces between */
  need(names: string, body = this.body): void {
    const lacking = names.split(' ').filter((name) => isMissing(body[name]))
    if (lacking.length > 0) this.misread(`Some required fields were not set: [${lacking.join(', ')}]`)
  }

  misread(fault: string): never {
    return this.invalid(`Invalid input JSON on line 1, column 2: ${fault}`)
  }

  /** The fields of a body that are there, each of its type. */
  sent(form: Form, body = this.body): Fields {
    const read = (name: string, type: keyof typeof TYPES): Json => {
      const value = body[name] ?? null
      if (!TYPES[type].fits(value as never)) this.misread(`${name} must be ${TYPES[type].name}`)
      if (type === 'text') return String(value)
      if (type === 'integer') return Number(value)
      return type === 'flag' ? String(value) === 'true' : value
    }
    const there = Object.entries(form).filter(([name]) => (body[name] ?? null) !== null)
    return Object.fromEntries(there.map(([name, type]) => [name, read(name, type)]))
  }

  /** The record with this id. */
  find<Name extends Collection>(collection: Name, id: Json | undefined): Records[Name] {
    return (this.records[collection].get(valueText(id ?? '')) as Records[Name] | undefined) ?? this.missing()
  }

  /** The objects of a list in the body. */
  parts(name = 'inputs', body = this.body): Fields[] {
    const list = body[name] ?? []
    const isList = Array.isArray(list) && list.every((one) => typeof one === 'object' && !Array.isArray(one))
    return isList ? list.map(fieldsOf) : this.misread(`${name} must be a list of objects`)
  }

  /** The inputs of a batch of objects, each with an id of its own. */
  inputs(): Fields[] {
    const inputs = this.parts()
    if (inputs.length > MOST_INPUTS)
      this.invalid(
        `The maximum number of inputs supported in a batch request for property-based object operations is ${MOST_INPUTS}`,
      )
    return inputs
  }

  /** The answer to a batch; 207 where a part of it failed. */
  batch(results: Fields[], errors: Fields[] = [], numErrors = errors.length): object {
    const done = { status: 'COMPLETE', results, startedAt: this.iso, completedAt: this.iso }
    return errors.length === 0 ? done : this.of.respond({ status: 207, body: { ...done, numErrors, errors } })
  }

  /** A page of a list, and where the next one begins. */
  page<T extends Fields>(
    items: readonly T[],
    { usual, most, idOf = ({ id }) => id }: { usual: number; most: number; idOf?: (item: T) => unknown },
  ): { shown: T[]; paging: Fields } {
    const { after, limit } = this.query
    const start = isMissing(after) ? 0 : placeOf(valueText(after), items, idOf)
    if (start === undefined) return this.invalid(`The after parameter ${after} is not a cursor of this list.`)
    const end = start + Math.min(Number(limit ?? usual), most)
    const following = items[end]
    if (following === undefined) return { shown: items.slice(start), paging: {} }
    const next = cursorOf(end, idOf(following))
    const asked = Object.entries({ ...sent(this.query, REPEATED), after: next }).map(([name, value]) => [
      name,
      String(value),
    ])
    const path = this.#operation.replace(/^\S+ /, '').replace(/{(\w+)}/g, (_, name) => this.path[name] ?? '')
    const link = `${this.of.origin}${path}?${new URLSearchParams(asked)}`
    return { shown: items.slice(start, end), paging: { paging: { next: { after: next, link } } } }
  }

  /** The answer to a list. */
  list<T extends Fields>(
    items: readonly T[],
    bounds: { usual: number; most: number },
    show: (item: T) => Fields,
  ): Fields {
    const { shown, paging } = this.page(items, bounds)
    return { results: shown.map(show), ...paging }
  }
}
