import * as z from 'zod'
import { ELSEWHERE } from './expression.ts'
import type { JsonObject } from './json.ts'
import { streamMedia } from './stream.ts'

/** Most steps of one effect. */
const MOST_STEPS = 50

const name = z.string().regex(/^[a-z][A-Za-z0-9]*$/, 'a name of letters and digits that begins with a small letter')
const collection = z.string().min(1).max(200)
const operation = z
  .string()
  .regex(
    /^(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS) \/\S*$/,
    'a method and a path template, such as POST /invoices/{id}/pay',
  )
const value = z.json()
const values = z.record(z.string().min(1), value)
const status = z.int().min(400).max(599)

/** Conditions by reference: `status` of the record, or `$request.body.confirm`. If a list has several, one must be true. */
const conditions = z.record(z.string().min(1), value)
const when = z.union([conditions, z.array(conditions).min(1).max(20)])
export type When = z.output<typeof when>

/** A named record: by its id, or the newest with these values. */
const source = z.union([
  z.strictObject({ of: collection, id: value }),
  z.strictObject({ of: collection, where: values }),
])
export type Source = z.output<typeof source>

const named = z.strictObject({ of: collection, id: value })

const refusal = z.strictObject({
  when: when.exactOptional(),
  /** @default 400 */
  status: status.exactOptional(),
  /** A row of `errors.yaml`, or the body of the error itself. */
  error: z.union([z.string().min(1).max(100), values]),
  /** Values for `{message}` and other placeholders in the row. */
  facts: values.exactOptional(),
  /** Changes of the record that are written despite the error. */
  set: values.exactOptional(),
})
export type RefusalRow = z.output<typeof refusal>

const step = z
  .strictObject({
    when: when.exactOptional(),
    /** Changes the record, or the record that `record` names. */
    set: values.exactOptional(),
    record: named.exactOptional(),
    create: collection.exactOptional(),
    values: values.exactOptional(),
    /** Name of the created record in later steps. */
    as: name.exactOptional(),
    delete: named.exactOptional(),
  })
  .describe(ELSEWHERE)
/** One step of an effect. */
export type EffectStep = z.output<typeof step>

const streamedEvent = z.strictObject({
  event: value.exactOptional(),
  id: value.exactOptional(),
  /** A text is sent as it is, all else as JSON. */
  data: value.exactOptional(),
  when: when.exactOptional(),
  /** The stream's pace and faults count it. */
  token: z.literal(true).exactOptional(),
  /** A list, whose items are named `item`, or as `as` says. */
  each: value.exactOptional(),
  as: name.exactOptional(),
})
/** An event without events of its own. */
type StreamedEvent = z.output<typeof streamedEvent>
/** One event of a stream, or one for each item of a list. */
export interface StreamRow extends StreamedEvent {
  /** The events of each item, in place of `data`. */
  readonly events?: readonly StreamRow[]
}
const streamRow: z.ZodType<StreamRow> = streamedEvent
  .extend({ events: z.lazy(() => z.array(streamRow).min(1).max(MOST_STEPS)).exactOptional() })
  .refine(({ data, event, events }) => (events === undefined) === (data !== undefined || event !== undefined), {
    message: 'an event with either `data`, `event` or both, or nested `events`',
  })

export const headerName = z.string().regex(/^[a-z\d-]{1,100}$/, 'the name of a header, in lower case')
const headerValues = z.record(z.string().regex(/^[\w-]{1,100}$/, 'the name of a header'), value)

/** Effects of an operation beyond create, read, update and delete. */
const effectRow = z
  .strictObject({
    on: z.union([operation, z.array(operation).min(1).max(50)]).exactOptional(),
    name: name.exactOptional(),
    /** The collection of the record that the path names, for an operation that neither creates nor changes it. */
    record: collection.exactOptional(),
    let: z.record(name, source).exactOptional(),
    refuse: z.union([refusal, z.array(refusal).max(MOST_STEPS)]).exactOptional(),
    set: values.exactOptional(),
    also: z.array(step).max(MOST_STEPS).exactOptional(),
    /** The body of the answer, in place of the record. */
    answer: value.exactOptional(),
    /** @default the declared one */
    status: z.int().min(200).max(299).exactOptional(),
    /** Headers of the answer. */
    headers: headerValues.exactOptional(),
    /** Fills the operation's error rows. */
    facts: z.record(z.string().min(1), value).exactOptional(),
    /** The answer as events, where the request asks for a stream or there is no other answer. `$position`: events so far. */
    stream: z
      .strictObject({
        /** @default the request asks for a stream, or the row has no `answer` */
        when: when.exactOptional(),
        /** @default as the description declares, else sse */
        media: streamMedia().exactOptional(),
        events: z.array(streamRow).min(1).max(MOST_STEPS),
      })
      .exactOptional(),
    /** Fields of a read's answer for a deleted record, besides its `id`: no expressions. */
    tombstone: z.record(z.string().min(1), z.union([z.string(), z.number(), z.boolean(), z.null()])).exactOptional(),
  })
  .refine((row) => (row.on === undefined) !== (row.name === undefined), 'a row with either `on` or `name`')
  .describe(ELSEWHERE)
export type EffectRow = z.output<typeof effectRow>

/** An input with a fixed outcome: an error. */
export const magicRow = refusal.extend({
  /** An operation, or the name of an effect. */
  on: z.union([operation, name]),
  body: values.exactOptional(),
})
export type MagicRow = z.output<typeof magicRow>

/** The provider's body of an error, by our own code, or by a name that effects use. */
export const errorRow = z.strictObject({
  code: z.string().min(1).max(100),
  /** The fault of a field: it is missing, is not declared, or has a value that does not fit. `path`: no operation has this path. `depth`: too many levels in `expand`. `syntax`: the body is no JSON. `expired`: the key, at its `until`. */
  fault: z.enum(['missing', 'unknown', 'value', 'path', 'depth', 'syntax', 'expired']).exactOptional(),
  /** The expected value, in our words: `an integer`, or a pattern: `/^one of/`. */
  expected: z.string().min(1).exactOptional(),
  /** Some providers answer errors with 200. */
  status: z.int().min(200).max(599).exactOptional(),
  headers: z.record(z.string().min(1), z.string()).exactOptional(),
  /** With the code `streamError`: the event of an error in mid-stream, `{ event, data }`. */
  body: value,
})
export type ErrorRow = z.output<typeof errorRow>

/** Parameters and body fields that do nothing. */
export const ignoredRow = z.strictObject({
  /** Dotted: `query.sort`, `body.items.tax`, `header.acme-account`. Fields below one are ignored too. */
  fields: z
    .array(z.string().regex(/^(?:query|body|header)\.\S+$/, 'query.<name>, body.<field> or header.<name>'))
    .min(1),
  /** @default all operations that have them */
  on: z.union([operation, z.array(operation).min(1)]).exactOptional(),
  /** Values with which they have their effect, as everything behaves as if they were sent. */
  unless: z.array(value).exactOptional(),
  /** The reason, for users. */
  why: z.string().min(1).max(300),
})
export type IgnoredRow = z.output<typeof ignoredRow>

const includeRow = z.strictObject({
  /** `<collection>.<field>` */
  field: z.string().regex(/^[^.\s]+\.[^.\s]+$/, '<collection>.<field>'),
  of: collection,
  /** The field of those records that refers to the record. */
  by: z.string().min(1),
})

/** `effects.yaml`: rows, or an object with the rows and with settings for all requests and answers. */
export const effectRows = z.union([
  z.array(effectRow).max(500),
  z.strictObject({
    /** Fields of requests that refer to records, at any depth: the collection by field name. */
    references: z.record(z.string().min(1), collection).exactOptional(),
    /** Lists that a record shows when a request asks for them. */
    includes: z.array(includeRow).max(100).exactOptional(),
    /** Lists in records, as `<collection>.<field>`, whose items stand for their ids when a request asks for them. */
    parts: z.array(includeRow.shape.field).max(100).exactOptional(),
    /** The words of errors for records of a collection. @default the singular of its name */
    nouns: z.record(collection, z.string().min(1)).exactOptional(),
    /** The names in errors for the parameter of a path that names a record. @default its name in the path */
    parameters: z.record(collection, z.string().min(1)).exactOptional(),
    /** Headers of every answer. */
    headers: headerValues.exactOptional(),
    /** Fields of answers for headers: `Location` of what is created, `Last-Modified` of what is read. */
    fromAnswer: z
      .strictObject({ location: z.string().exactOptional(), lastModified: z.string().exactOptional() })
      .exactOptional(),
    /** Accounts whose records are apart: a header names the account, collections that are `shared` are of all. */
    accounts: z
      .strictObject({
        headers: z.array(headerName).min(1).max(5),
        of: collection,
        shared: z.array(collection).max(50),
        /** Whether a path with an unknown account is refused as a header with one is: `unknown_account`. */
        hidden: z.literal(true).exactOptional(),
      })
      .exactOptional(),
    /** Records that are keys: a request may authenticate with the value of this field, until the time in another one. */
    keys: z
      .strictObject({ of: collection, field: z.string().min(1), until: z.string().min(1).exactOptional() })
      .exactOptional(),
    /**
     * The dotted field of bodies that holds an idempotency key: a repeated request gets the first answer. `once`: a key
     * of headers is refused at another path and over 255 characters: `idempotency_key_reused` with the fault `path` and
     * the fact `first`, or the fault `value` and the fact `length`.
     */
    idempotency: z
      .union([z.strictObject({ field: z.string().min(1) }), z.strictObject({ once: z.literal(true) })])
      .exactOptional(),
    rows: z.array(effectRow).max(500).exactOptional(),
  }),
])

/** What a library entry defines for its operations. Plain JSON. */
export interface EntryRows {
  readonly effects?: z.output<typeof effectRows>
  readonly magic?: readonly MagicRow[]
  readonly errors?: readonly ErrorRow[]
  readonly ignored?: readonly IgnoredRow[]
  /** Fields of the entry that expressions may read. */
  readonly facts: JsonObject
}
