import * as z from 'zod'
import { checkExpressions } from './check-expressions.ts'
import type { JsonObject } from './json.ts'

/** The next step of a refusal of what `effects.yaml` cannot say. */
const IN_HANDLERS = 'What operations do is a function of handlers.ts: docs/apis/handlers.md.'

const collection = z.string().min(1).max(200)
const operation = z
  .string()
  .regex(
    /^(?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS) \/\S*$/,
    'a method and a path template, such as POST /invoices/{id}/pay',
  )
const value = z.json()
const constant = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const headerName = z.string().regex(/^[a-z\d-]{1,100}$/, 'the name of a header, in lower case')
const headerValues = z.record(
  z.string().regex(/^[\w-]{1,100}$/, 'the name of a header'),
  z.json().superRefine(checkExpressions('$request', '$entry')),
)

/** Facts of operations. What they do beyond create, read, update and delete is a function of `handlers.ts`. */
const operationRow = z
  .strictObject({
    on: z.union([operation, z.array(operation).min(1).max(50)]),
    /** Values for placeholders in the error rows. */
    facts: z.record(z.string().min(1), constant).exactOptional(),
    /** Fields of a read's answer for a deleted record, besides its `id`. */
    tombstone: z.record(z.string().min(1), constant).exactOptional(),
  })
  .describe(IN_HANDLERS)

/** The provider's body of an error, by our own code, or by a code of handlers. */
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

/** `effects.yaml`: settings for all requests and answers, and facts of operations. */
export const effectSettings = z
  .strictObject({
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
    rows: z.array(operationRow).max(500).exactOptional(),
  })
  .describe(IN_HANDLERS)

/** What a library entry defines for its operations. Plain JSON. */
export interface EntryRows {
  readonly effects?: z.output<typeof effectSettings>
  readonly errors?: readonly ErrorRow[]
  readonly ignored?: readonly IgnoredRow[]
  /** Fields of the entry that expressions may read. */
  readonly facts: JsonObject
}
