import * as z from 'zod'

const name = z.string().min(1).max(500)
const names = z.array(name).min(1).max(100)
const path = z.string().regex(/^\/\S*$/, 'a path that begins with a slash')
const status = z.union([name, z.boolean()])
const values = z.record(name, z.json())

/** What an operation may do, each with the collection of its records. */
export const MODEL_VERBS = ['act', 'create', 'read', 'list', 'update', 'replace', 'delete'] as const
export type ModelVerb = (typeof MODEL_VERBS)[number]

const effectLine = z
  .strictObject({
    ...(Object.fromEntries(MODEL_VERBS.map((verb) => [verb, name.exactOptional()])) as Record<
      ModelVerb,
      z.ZodExactOptional<typeof name>
    >),
    /** The statuses in which a record can be. */
    from: names.exactOptional(),
    /** The status after it. */
    to: status.exactOptional(),
    /** Fields that it sets: `now`, `body.<field>`, `path.<parameter>`, null, or a value. */
    set: values.exactOptional(),
    /** Numbers that grow, by a number or by `body.<field>`; lists that get the item `path.<parameter>`. */
    add: z
      .record(
        name,
        z.union([z.number(), z.string().regex(/^(body|path)\.\S+$/, 'a number, body.<field> or path.<parameter>')]),
      )
      .exactOptional(),
    /** Lists that lose the item `path.<parameter>`. */
    remove: z.record(name, z.string().regex(/^path\.\S+$/, 'path.<parameter>')).exactOptional(),
    /** Fields that change after that time of the world, unless the status has changed by then. */
    later: z
      .strictObject({ after: z.string().regex(/^\d+(\.\d+)?[smhd]$/, 'a time such as 30s, 5m, 2h or 1d'), set: values })
      .exactOptional(),
    /** The place of the records in the answer, such as `data.items`. */
    envelope: name.exactOptional(),
    /** The answer for a record in another status than `from`. @default 409 */
    otherwise: z.int().min(400).max(499).exactOptional(),
  })
  .refine(
    (line) => MODEL_VERBS.filter((verb) => line[verb] !== undefined).length === 1,
    `a line with one of ${MODEL_VERBS.join(', ')}`,
  )
export type EffectLine = z.output<typeof effectLine>

/**
 * `example`: it answers with an example. `computed`: a handler or a response rule answers. `as PUT /tasks/{id}`: it does what that
 * operation would.
 */
export const operationLine = z.union([
  z.string().regex(/^(example|computed|as [A-Z]+ \/\S*)$/, '`example`, `computed`, or `as` with a method and a path'),
  effectLine,
])
export type OperationLine = z.output<typeof operationLine>

export const collectionLine = z.strictObject({
  /** The field that identifies a record. */
  key: name.exactOptional(),
  /** The form of that field, where it is a resource name. */
  resource: z
    .string()
    .regex(/^([\w-]+\/\{[\w.-]+\}\/?)+$/, 'the form of a resource name, such as projects/{project}/topics/{topic}')
    .exactOptional(),
  /** The field of its status. */
  status: name.exactOptional(),
  /** The collection above it, and the field that refers to it. */
  parent: z.strictObject({ of: name, by: name }).exactOptional(),
  /** Values of new records, unless the request has them. */
  initial: values.exactOptional(),
  /** Paths that show the same records. */
  paths: z.array(path).min(1).max(20).exactOptional(),
})
export type CollectionLine = z.output<typeof collectionLine>

/** `model.yaml`: what the operations of a description do, where inference is wrong or unsure. */
export const modelFile = z.strictObject({
  collections: z.record(name, collectionLine).exactOptional(),
  operations: z
    .record(
      z.string().regex(/^[A-Z]+ \/\S*$/, 'a method and a path, such as POST /bookings/{id}/cancel'),
      operationLine,
    )
    .exactOptional(),
  /** Paths that are not simulated; `*` stands for any text. */
  ignore: z.array(path).max(200).exactOptional(),
})
/** The content of `model.yaml`. */
export type ModelFile = z.output<typeof modelFile>
