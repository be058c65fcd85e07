import * as z from 'zod'
import type { Json, JsonObject } from './json.ts'

/** Steps of one effect, those of its lists aside. */
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

/** What has to hold, by reference: `status` of the record, or `$request.body.confirm`. Of several in a list, one suffices. */
const conditions = z.record(z.string().min(1), value)
const when = z.union([conditions, z.array(conditions).min(1).max(20)])
export type When = z.output<typeof when>

/** Where a named value comes from: a record by its id, the newest that fits, all that fit, or an expression. */
const source = z.union([
  z.strictObject({ of: collection, id: value }),
  z.strictObject({ of: collection, where: values }),
  z.strictObject({ all: collection, where: values.exactOptional() }),
  z.strictObject({ value }),
])
export type Source = z.output<typeof source>

const named = z.strictObject({ of: collection, id: value })

const refusal = z.strictObject({
  when: when.exactOptional(),
  /** @default 400 */
  status: status.exactOptional(),
  /** A row of `errors.yaml`, or the body of the error itself. */
  error: z.union([z.string().min(1).max(100), values]),
  /** Fills `{message}` and its like in the row. */
  facts: values.exactOptional(),
  /** Written all the same, like what was changed before; `keep` alone keeps what was changed before. */
  set: values.exactOptional(),
  keep: z.literal(true).exactOptional(),
})
export type RefusalRow = z.output<typeof refusal>

/** One step of an effect. */
export interface EffectStep {
  readonly when?: When
  /** Names values for the steps that follow. */
  readonly let?: Readonly<Record<string, Source>>
  readonly refuse?: RefusalRow
  /** Changes the record, or the one that `record` names. */
  readonly set?: JsonObject
  readonly record?: { readonly of: string; readonly id: Json }
  readonly create?: string
  readonly values?: JsonObject
  /** What the created record, the item of `each`, or the answer of the effect that `do` names is called in the steps that follow. */
  readonly as?: string
  readonly delete?: { readonly of: string; readonly id: Json }
  /** Runs a named effect, on the record or on that of `record`. */
  readonly do?: string
  /** Runs `also` for each item of a list. */
  readonly each?: Json
  readonly also?: readonly EffectStep[]
  /** What the steps of each item come to, as a list of this name. */
  readonly gather?: { readonly into: string; readonly value: Json }
  /** Turns the world clock on to this time. */
  readonly advance?: Json
}

const step: z.ZodType<EffectStep> = z.strictObject({
  when: when.exactOptional(),
  let: z.record(name, source).exactOptional(),
  refuse: refusal.exactOptional(),
  set: values.exactOptional(),
  record: named.exactOptional(),
  create: collection.exactOptional(),
  values: values.exactOptional(),
  as: name.exactOptional(),
  delete: named.exactOptional(),
  do: name.exactOptional(),
  each: value.exactOptional(),
  also: z.lazy(() => z.array(step).max(MOST_STEPS)).exactOptional(),
  gather: z.strictObject({ into: name, value }).exactOptional(),
  advance: value.exactOptional(),
})

/** What a list leaves out beyond what its parameters say by their names. */
const listRow = z.strictObject({
  /** Has to hold of the request. */
  when: when.exactOptional(),
  /** Parameters that ask nothing more than this. */
  takes: z.array(z.string().min(1)).max(20).exactOptional(),
  /** Values that records have, by dotted field. */
  where: values.exactOptional(),
})

const headerValues = z.record(z.string().regex(/^[\w-]{1,100}$/, 'the name of a header'), value)

/** What an operation does beyond making, reading, changing and deleting. */
const effectRow = z
  .strictObject({
    on: z.union([operation, z.array(operation).min(1).max(50)]).exactOptional(),
    name: name.exactOptional(),
    /** The collection of the record that the path names, for an operation that is not about making or changing it. */
    record: collection.exactOptional(),
    /** What the path calls that record, where another name comes after it. */
    named: z.string().min(1).exactOptional(),
    /** Fields of the request that the record does not keep. */
    drop: z.array(z.string().min(1)).max(100).exactOptional(),
    let: z.record(name, source).exactOptional(),
    refuse: z.union([refusal, z.array(refusal).max(MOST_STEPS)]).exactOptional(),
    set: values.exactOptional(),
    also: z.array(step).max(MOST_STEPS).exactOptional(),
    /** Named effects that run before: what they name is known here too. */
    use: z.array(name).max(10).exactOptional(),
    /** The body of the answer, in place of the record. */
    answer: value.exactOptional(),
    /** For an operation that lists: rows that narrow it, all that fit the request. */
    list: z.array(listRow).min(1).max(20).exactOptional(),
    /** What the row changes is shown in the answer and not kept. */
    preview: z.literal(true).exactOptional(),
    /** The status of the answer, in place of the declared one: a number, or an expression. */
    status: value.exactOptional(),
    /** Headers of the answer. */
    headers: headerValues.exactOptional(),
    /** The answer is a list, or holds one in the field of this name, of which the query asks for a page. */
    page: z.union([z.literal(true), z.string().min(1).max(100)]).exactOptional(),
    /** What is shown of each item of the page, as `$item`. */
    each: value.exactOptional(),
    /** Fills the errors of the operation. */
    facts: z.record(z.string().min(1), value).exactOptional(),
    /** What the answer is where the request's `Accept` has this word: `raw` of `application/vnd.acme.raw`; without a word, always. `type` is its media type. */
    media: z
      .array(
        z.strictObject({
          word: z.string().min(1).max(50).exactOptional(),
          body: value,
          type: value.exactOptional(),
          base64: z.literal(true).exactOptional(),
        }),
      )
      .max(20)
      .exactOptional(),
    /** A read of a record that is gone gives the answer of its deletion. */
    tombstone: z.literal(true).exactOptional(),
  })
  .refine((row) => (row.on === undefined) !== (row.name === undefined), 'a row with either `on` or `name`')
export type EffectRow = z.output<typeof effectRow>

/** An input with a fixed outcome. */
export const magicRow = z.strictObject({
  /** An operation, or the name of an effect. */
  on: z.union([operation, name]),
  body: values.exactOptional(),
  when: when.exactOptional(),
  let: z.record(name, source).exactOptional(),
  set: values.exactOptional(),
  /** A named effect that runs in place of the steps. */
  do: name.exactOptional(),
  status: status.exactOptional(),
  error: z.union([z.string().min(1).max(100), values]).exactOptional(),
  /** Fills the row of the error; what the effect of `do` has named is known here too. */
  facts: values.exactOptional(),
  /** What was changed stays, though the request ends with an error. */
  keep: z.literal(true).exactOptional(),
})
export type MagicRow = z.output<typeof magicRow>

/** The provider's body of an error, by our own code, or by a name that effects use. */
export const errorRow = z.strictObject({
  code: z.string().min(1).max(100),
  /** What is wrong with a field: it is missing, no such field is declared, or its value does not fit. `path`: no operation has it. */
  fault: z.enum(['missing', 'unknown', 'value', 'path']).exactOptional(),
  /** What a value should have been, in our own words: `an integer`. */
  expected: z.string().min(1).exactOptional(),
  /** Some providers answer errors with 200. */
  status: z.int().min(200).max(599).exactOptional(),
  headers: z.record(z.string().min(1), z.string()).exactOptional(),
  body: value,
})
export type ErrorRow = z.output<typeof errorRow>

const includeRow = z.strictObject({
  /** `<collection>.<field>` */
  field: z.string().regex(/^[^.\s]+\.[^.\s]+$/, '<collection>.<field>'),
  of: collection,
  /** The field of those records that names the record. */
  by: z.string().min(1),
})
export type IncludeRow = z.output<typeof includeRow>

const parameter = z.string().min(1)
const pageBounds = {
  /** The parameter that says how many items a page has. */
  size: parameter,
  most: z.int().min(1).max(10_000),
  /** Items where the request does not say. */
  usual: z.int().min(1).max(10_000).exactOptional(),
  /** Fields of the answer, beside the list: whether there is more of it, and how long it is. */
  more: z.string().min(1).exactOptional(),
  total: z.string().min(1).exactOptional(),
}

/** Query parameters that cut lists into pages: by the number of the page, by how many items to leave out, by a record, or by a cursor of an answer. */
const paging = z.union([
  z.strictObject({
    number: parameter,
    /** The number of the first page. @default 1 */
    first: z.int().min(0).max(1).exactOptional(),
    /** Fields that an answer gets beside the list: an object of expressions over `$page`. */
    adds: value.exactOptional(),
    ...pageBounds,
  }),
  z.strictObject({ offset: parameter, ...pageBounds }),
  z.strictObject({
    after: parameter,
    before: parameter.exactOptional(),
    /** Where the answer names the records at the ends of the page, dotted: null where the list ends there too. */
    ends: z.strictObject({ before: z.string().min(1), after: z.string().min(1) }).exactOptional(),
    ...pageBounds,
  }),
  z.strictObject({
    cursor: parameter,
    /** Where the answer has the cursor of the next page, dotted; an empty text on the last. */
    next: z.string().min(1),
    /** A row of `errors.yaml` for a cursor that is none. */
    error: z.string().min(1),
    ...pageBounds,
  }),
])
export type PageCut = z.output<typeof paging>

/** `effects.yaml`: rows, or an object that has them beside what requests and answers name. */
export const effectRows = z.union([
  z.array(effectRow).max(500),
  z.strictObject({
    /** Fields of requests that name records, wherever they stand: by field name, the collection. */
    references: z.record(z.string().min(1), collection).exactOptional(),
    /** Lists that a record shows where a request asks for them. */
    includes: z.array(includeRow).max(100).exactOptional(),
    /** Headers of every answer. */
    headers: headerValues.exactOptional(),
    /** Records that are keys: a request that shows what one has in a field is let in. */
    keys: z.strictObject({ of: collection, field: z.string().min(1) }).exactOptional(),
    /** The field of bodies, dotted, that holds an idempotency key: a request that comes again with it is answered as before. */
    idempotency: z.strictObject({ field: z.string().min(1) }).exactOptional(),
    /** The field of forms that holds the whole body as JSON, beside files. */
    forms: z.strictObject({ json: z.string().min(1) }).exactOptional(),
    /** How rows with `page` cut their lists. */
    paging: paging.exactOptional(),
    /** How records are shown, by collection: an expression over the record. */
    views: z.record(z.string().min(1), value).exactOptional(),
    rows: z.array(effectRow).max(500),
  }),
])

/** What an entry says of its operations. Plain JSON. */
export interface Conduct {
  readonly effects?: z.output<typeof effectRows>
  readonly magic?: readonly MagicRow[]
  readonly errors?: readonly ErrorRow[]
  /** Fields of the entry that expressions may read. */
  readonly facts: JsonObject
}
