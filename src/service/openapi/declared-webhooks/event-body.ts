import { foldNoun } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import { componentOf, countShared, fieldsOf } from '../inference/bodies/bodies.ts'
import type { BodyPlace, CollectionModel } from '../model.ts'

/** How deep a body is searched for its record. */
const DEPTH = 4
/** Most fields of one object, and of all bodies of a description, that are looked at. */
const MOST_FIELDS = 200
const MOST_IN_ALL = 100_000

/** Names of objects that have facts about the event. */
export const ENVELOPES = new Set(['event', 'meta', 'metadata', 'header', 'headers', 'webhook', 'notification'])
/** Names of objects that have the record or some of its fields. */
export const RECORD_HOLDERS = new Set('data object resource entity payload record subject body attributes'.split(' '))
const TIMES = new Set(
  'timestamp time date datetime createdat created occurredat sentat triggeredat eventtime eventdate eventtimestamp'.split(
    ' ',
  ),
)
const EVENT_IDS = new Set(['id', 'eventid', 'webhookid', 'messageid', 'deliveryid', 'notificationid'])
const RECORD_IDS = new Set(['objectid', 'resourceid', 'entityid', 'recordid', 'subjectid', 'dataid'])
const BEFORE = /^(previous|old|before|prior|original)/

/** Reads the bodies of a description's webhooks, as far as the bound for all of them allows. */
export class BodyReader {
  #left = MOST_IN_ALL

  /** Whether the bound is reached: what is read from here on lacks parts. */
  get isSpent(): boolean {
    return this.#left <= 0
  }

  /**
   * Where a body of an event has the record, the event's id and its time. Without the whole record: where it has fields
   * of the record. All else is made of the schema. `name` is the place of the event's name.
   */
  placesOf(body: Schema, collection: CollectionModel, name: BodyPlace | undefined): readonly BodyPlace[] {
    if (isRecord(body, collection)) return this.#wholeOf(body, collection, name)
    return [...this.#partsOf(body, collection), ...(name === undefined ? [] : [name])]
  }

  /** The only collection at the top whose records a body shows; undefined for none or several. */
  shownIn(body: Schema, collections: readonly CollectionModel[]): CollectionModel | undefined {
    const components = this.#componentsIn(body, 0)
    const shown = collections.filter(({ schema, listSchema, parent }) => {
      const own = [schema, listSchema].flatMap((one) => componentOf(one) ?? [])
      return parent === undefined && own.some((name) => components.has(name))
    })
    return shown.length === 1 ? shown[0] : undefined
  }

  /** A body that is the record, alone or together with the event's name. */
  #wholeOf(body: Schema, { schema }: CollectionModel, name: BodyPlace | undefined): BodyPlace[] {
    const own = fieldsOf(schema)
    if (name === undefined || own.has(name.path[0] ?? '')) return [{ path: [], value: { $record: '.' } }]
    const shown = this.#fieldsOf(body).flatMap(([field]) =>
      own.has(field) ? [{ path: [field], value: { $record: field } }] : [],
    )
    return [...shown, name]
  }

  #partsOf(body: Schema, collection: CollectionModel): BodyPlace[] {
    const records = this.#recordsIn(body, collection, [])
    const known = new Set(records.map(({ path }) => path.join('\n')))
    const shows = (name: string): boolean => RECORD_HOLDERS.has(foldName(name)) || isNoun(name, collection)
    const below = (schema: Schema, path: FieldPath): BodyPlace[] =>
      this.#fieldsOf(schema).flatMap(([name, field]) => {
        const at = [...path, name]
        if (known.has(at.join('\n'))) return []
        if (field.fields.size > 0)
          return at.length < DEPTH && (ENVELOPES.has(foldName(name)) || shows(name)) ? below(field, at) : []
        const isAboutRecord = records.length === 0 && (path.length === 0 || shows(path.at(-1) ?? ''))
        const value =
          keyOf(name, field, collection) ??
          (isAboutRecord ? fieldOf(name, field, collection, path.length > 0) : undefined) ??
          (field.enum === undefined ? factOf(name, field) : undefined)
        return value === undefined ? [] : [{ path: at, value }]
      })
    return [...records, ...below(body, [])]
  }

  /** The places of the record, and of the record before the change. */
  #recordsIn(schema: Schema, collection: CollectionModel, path: FieldPath): BodyPlace[] {
    if (path.length >= DEPTH) return []
    return this.#fieldsOf(schema).flatMap(([name, field]): BodyPlace[] => {
      const at = [...path, name]
      if (isRecord(field, collection))
        return [{ path: at, value: BEFORE.test(foldName(name)) ? { $before: '.' } : { $record: '.' } }]
      if (field.items !== undefined && isRecord(field.items, collection))
        return [{ path: at, value: [{ $record: '.' }] }]
      return this.#recordsIn(field, collection, at)
    })
  }

  /** Names of the components of a body and of the objects near its top. */
  #componentsIn(schema: Schema, depth: number): Set<string> {
    const below = depth >= 2 ? [] : this.#fieldsOf(schema).map(([, field]) => field)
    const own = componentOf(schema)
    return new Set([
      ...(own === undefined ? [] : [own]),
      ...below.flatMap((field) => [...this.#componentsIn(field, depth + 1)]),
    ])
  }

  #fieldsOf(schema: Schema): [string, Schema][] {
    const fields = [...fieldsOf(schema)].slice(0, Math.min(MOST_FIELDS, Math.max(0, this.#left)))
    this.#left -= fields.length
    return fields
  }
}

const isNoun = (name: string, { singular }: CollectionModel): boolean => foldNoun(name) === foldNoun(singular)

/** `order_id`, `objectId`: the record's key. */
function keyOf(name: string, schema: Schema, { id, singular }: CollectionModel): Json | undefined {
  const folded = foldName(name)
  const noun = foldNoun(singular)
  const isKey = RECORD_IDS.has(folded) || folded === `${noun}id` || folded === noun + foldName(id.field?.at(-1) ?? 'id')
  return isKey && id.field !== undefined && fieldsFit(schema, id.schema) ? { $record: id.field.join('.') } : undefined
}

/** A field that a body shows of the record, under the record's name; `id` is the record's in an object about it. */
function fieldOf(
  name: string,
  schema: Schema,
  { id, schema: record }: CollectionModel,
  isBelow: boolean,
): Json | undefined {
  const own = fieldsOf(record).get(name)
  if (own !== undefined && fieldsFit(schema, own)) return { $record: name }
  return isBelow && foldName(name) === 'id' && id.field !== undefined ? { $record: id.field.join('.') } : undefined
}

const fieldsFit = (shown: Schema, own: Schema | undefined): boolean =>
  shown.types.length === 0 || own === undefined || shown.types.join() === own.types.join()

/** The time or the id of the event. */
function factOf(name: string, schema: Schema): Json | undefined {
  const folded = foldName(name)
  if (TIMES.has(folded)) {
    if (schema.format === 'date-time') return { $time: 'iso' }
    return schema.types.includes('integer') ? { $time: isInMilliseconds(schema) ? 'ms' : 'unix' } : undefined
  }
  return EVENT_IDS.has(folded) ? idOf(schema) : undefined
}

/** An id for each event in the form of its field; undefined where no form is known. */
function idOf({ types, pattern, format, maximum, minLength, maxLength }: Schema): Json | undefined {
  if (types.includes('integer')) {
    const most = maximum ?? (format === 'int32' ? 2 ** 31 - 1 : 1e12)
    return { $id: { length: Math.max(1, Math.floor(Math.log10(most))), alphabet: 'digits', as: 'number' } }
  }
  if (types.length > 0 && !types.includes('string')) return undefined
  if (pattern === undefined) return format === undefined || format === 'uuid' ? { $event: 'id' } : undefined
  const [, prefix = '', letters = '', least, most] = PATTERN.exec(pattern) ?? []
  if (letters === '') return undefined
  const length = Number(least ?? Math.min(maxLength ?? 24, Math.max(minLength ?? 16, 16)) - prefix.length)
  const isWithin = (text: string) => new RegExp(`^${letters}+$`).test(text)
  const alphabet = ID_LETTERS.find(([, text]) => isWithin(text))?.[0]
  const isRight = alphabet !== undefined && length > 0 && (most === undefined || most === '' || Number(most) >= length)
  return isRight ? { $id: { prefix: prefix.replaceAll('\\', ''), length, alphabet } } : undefined
}

/** `^evt_[0-9a-f]{16}$`: a prefix, then letters of one kind. */
const PATTERN = /^\^?((?:[\w:-]|\\[-_.:])*?)(\[[\w-]+\]|\\[dw])(?:\{(\d+)(?:,(\d*))?\}|[+*])\$?$/
const ID_LETTERS = [
  ['alphanumeric', '059AMZamz'],
  ['upper', '059AMZ'],
  ['hex', '059acf'],
  ['digits', '059'],
] as const

const isInMilliseconds = ({ example, format = '', description = '' }: Schema): boolean =>
  Number(example) > 1e11 || /milli/i.test(`${format} ${description}`)

/** Whether values are records of the collection: the same component, or its key and most of its fields. */
function isRecord(schema: Schema, { schema: record, listSchema, id }: CollectionModel): boolean {
  const fields = fieldsOf(schema)
  if (fields.size === 0) return false
  const known = [record, listSchema].filter((one) => one !== undefined)
  const component = componentOf(schema)
  if (known.some((one) => one === schema || (component !== undefined && component === componentOf(one)))) return true
  const key = id.field?.[0]
  if (key === undefined || !fields.has(key)) return false
  return known.some((one) => {
    const shared = countShared(schema, one)
    return shared >= 3 && shared >= fields.size * 0.6
  })
}
