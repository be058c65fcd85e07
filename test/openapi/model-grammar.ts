import * as z from 'zod'
import { confidences } from '../../src/protocol/inspection.ts'
import { SIGN_IN_STEPS, signInFile } from '../../src/protocol/sign-in.ts'

const name = z.string().min(1).max(500)
const names = z.array(name).max(500)
const field = z.array(z.string().max(500)).max(50)
const status = z.union([z.string().max(500), z.boolean()])

/** A place of a schema, or of several that are merged. */
const schema: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({
      $ref: z.string().regex(/^(model|operation)?#\//, 'a place such as #/components/schemas/Task'),
      name: name.nullable().exactOptional(),
    }),
    z.strictObject({ allOf: z.tuple([schema, schema]) }),
  ]),
)

const envelope = z.strictObject({
  path: field,
  shape: z.enum(['record', 'list', 'listOfOne', 'ids', 'none']),
  schema: schema.exactOptional(),
  wrapper: z.strictObject({ path: field, schema }).exactOptional(),
})

const scope = z
  .array(
    z.strictObject({
      param: name,
      collection: name.exactOptional(),
      field: field.exactOptional(),
      key: field.exactOptional(),
    }),
  )
  .max(60)

const sets = z
  .array(
    z.strictObject({
      field,
      param: name.exactOptional(),
      to: z.union([
        z.enum(['now', 'argument', 'added', 'removed', 'fresh', 'cleared', 'item']),
        z.strictObject({ value: z.json() }),
        z.strictObject({ sent: field }),
        z.strictObject({ by: z.number() }),
        z.strictObject({ amount: name, sign: z.number() }),
      ]),
    }),
  )
  .max(500)

const later = z.strictObject({ afterSeconds: z.number().positive(), sets })

const makes = z.strictObject({ collection: name, scope, envelope })

const keys = z
  .array(z.strictObject({ param: name, in: z.enum(['path', 'query', 'body', 'caller']), field: field.exactOptional() }))
  .max(60)

const paging = z.strictObject({
  limit: name.exactOptional(),
  offset: name.exactOptional(),
  page: name.exactOptional(),
  firstPage: z.union([z.literal(0), z.literal(1)]),
  after: name.exactOptional(),
  before: name.exactOptional(),
  most: z.number().exactOptional(),
  oldestFirst: z.literal(true).exactOptional(),
})

const answered = { scope, envelope }
const sent = { ...answered, body: envelope.exactOptional() }

const refusal = z.strictObject({ status: z.int().min(400).max(499), from: names.exactOptional() })

const effect = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['list', 'search']), collection: name, ...answered, paging }),
  z.strictObject({
    kind: z.enum(['read', 'update', 'replace', 'delete']),
    collection: name,
    ...sent,
    keys,
    upsert: z.boolean(),
    refusal: refusal.exactOptional(),
    of: z.strictObject({ collection: name, param: name, field: field.exactOptional() }).exactOptional(),
    asks: z.literal(true).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('create'),
    collection: name,
    ...sent,
    sets: sets.exactOptional(),
    later: later.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('action'),
    collection: name,
    ...sent,
    keys,
    many: z.boolean(),
    verb: name,
    toStatus: status.exactOptional(),
    refusal: refusal.exactOptional(),
    sets,
    later: later.exactOptional(),
    verbInBody: z.strictObject({ field: name, by: z.enum(['verb', 'openVerb', 'status']) }).exactOptional(),
    makes: makes.exactOptional(),
  }),
  z.strictObject({
    kind: z.enum(['bulkCreate', 'bulkUpdate', 'bulkDelete']),
    collection: name,
    ...sent,
    makes: makes.exactOptional(),
  }),
  z.strictObject({
    kind: z.enum(['singletonRead', 'singletonUpdate', 'singletonReplace', 'singletonDelete']),
    singleton: name,
    whole: z.enum(['value', 'file']).exactOptional(),
    sets: sets.exactOptional(),
    ...sent,
  }),
  z.strictObject({ kind: z.literal('signIn'), step: z.enum(SIGN_IN_STEPS) }),
  z.strictObject({ kind: z.literal('computed') }),
  z.strictObject({ kind: z.literal('example') }),
])

const collection = z.strictObject({
  singular: name,
  schema: schema.exactOptional(),
  listSchema: schema.exactOptional(),
  shownSchema: schema.exactOptional(),
  id: z.strictObject({
    field: field.exactOptional(),
    schema: schema.exactOptional(),
    clientChosen: z.boolean(),
    sentAs: name.exactOptional(),
    resource: name.exactOptional(),
  }),
  rules: z.array(name).max(10).exactOptional(),
  alternateKeys: z.array(field).max(60),
  outerKeys: z.array(field).max(60).exactOptional(),
  statusField: field.nullable(),
  timestamps: z.strictObject({ created: field.exactOptional(), updated: field.exactOptional() }),
  parent: z.strictObject({ collection: name, param: name, field: field.exactOptional() }).exactOptional(),
  listedIn: name.exactOptional(),
  relations: z
    .array(
      z.strictObject({
        field,
        collection: name,
        many: z.boolean(),
        form: z.enum(['id', 'object']),
      }),
    )
    .max(1_000),
  linked: name.exactOptional(),
  vocabulary: z.record(z.string(), z.array(z.string()).max(1_000)),
  initial: z.record(z.string(), z.json()).exactOptional(),
})

const singleton = z.strictObject({
  singular: name,
  schema: schema.exactOptional(),
  parent: name.exactOptional(),
  whole: z.enum(['value', 'file']).exactOptional(),
  valueSchema: schema.exactOptional(),
  field: name.exactOptional(),
})

const security = z.array(names).max(100)

const securityScheme = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['bearer', 'basic', 'any', 'oauth2', 'openIdConnect']) }),
  z.strictObject({ kind: z.literal('apiKey'), in: z.enum(['header', 'query', 'cookie']), name }),
])

const operation = z.strictObject({
  id: name.exactOptional(),
  effect,
  moved: z.record(name, z.strictObject({ in: z.enum(['path', 'query', 'body']), name })).exactOptional(),
  reason: z.strictObject({ rule: name, confidence: z.enum(confidences) }),
  security: security.exactOptional(),
  scopes: z
    .array(z.array(z.string().max(500)).max(500))
    .max(100)
    .exactOptional(),
})

const event = z.strictObject({
  type: name,
  collection: name,
  verbs: z.array(z.enum(['created', 'updated', 'deleted'])),
  becomes: z.record(z.string(), z.json()).exactOptional(),
  changes: names.exactOptional(),
  body: z
    .strictObject({ schema, places: z.array(z.strictObject({ path: field, value: z.json() })).max(1_000) })
    .exactOptional(),
})

const generated = z.strictObject({
  schema: z.record(z.string(), z.json()),
  name: name.exactOptional(),
  ways: z.int().min(1),
})

const sentences = z.array(z.string()).max(50_000)

/** The grammar of a model document; `docs/model.md` explains it. */
export const modelGrammar = z.strictObject({
  format: z.literal(1),
  title: z.string(),
  version: z.string(),
  basePath: z.string(),
  basePaths: z.array(z.string()).min(1).max(200),
  security,
  securitySchemes: z.record(name, securityScheme),
  collections: z.record(name, collection),
  singletons: z.record(name, singleton),
  operations: z.record(z.string().regex(/^\S+ \//, 'a method and a path, such as GET /tasks'), operation),
  declaredEvents: z.array(event).max(1_000),
  signIn: signInFile().exactOptional(),
  schemas: z.record(z.string(), generated),
  bounds: z.strictObject({ mostProperties: z.int().min(1), mostWays: z.int().min(1), unmatched: z.array(z.string()) }),
  values: z.int().min(0),
  warnings: sentences,
  cuts: sentences,
  faults: sentences,
})
