import { didYouMean } from '../../../names/nearest-name.ts'
import type { Json } from '../../../protocol/json.ts'
import { type EffectLine, MODEL_VERBS, type ModelVerb } from '../../../protocol/model-file.ts'
import { fits } from '../../../schema/checker.ts'
import type { FieldPath, Schema } from '../../../schema/schema.ts'
import type { ActionRefusal, ActionSetting } from '../action-setting.ts'
import { fieldsOf, isArraySchema, isObjectSchema, schemaOfBody, schemaOfResponse } from '../inference/bodies/bodies.ts'
import type { CollectionDraft } from '../inference/collections/collection-draft.ts'
import { findStatusField } from '../inference/collections/record-fields.ts'
import { keyOfSteps, lastStatic, type Step, untilParam } from '../inference/paths/path-shape.ts'
import type { Placed } from '../inference/paths/sites.ts'
import { EXAMPLE, type Survey } from '../inference/rules/rule.ts'
import type { Effect, Envelope, Later } from '../model.ts'
import { paramsOf } from '../operation-reader.ts'
import { schemaBelow } from '../schemas/schema-fields.ts'

/** Receives a fault of a line, with its place below the line. */
export type AddFault = (path: readonly (string | number)[], text: string) => void

/** Which fields of a line an operation may have besides its verb. */
const FIELDS: Readonly<Partial<Record<ModelVerb, readonly (keyof EffectLine)[]>>> = {
  act: ['from', 'to', 'set', 'add', 'remove', 'later', 'otherwise', 'envelope'],
  create: ['set', 'later', 'envelope'],
  read: ['envelope'],
  list: ['envelope'],
  update: ['from', 'otherwise', 'envelope'],
  replace: ['from', 'otherwise', 'envelope'],
  delete: ['from', 'otherwise'],
}

/** The effect that a line of `model.yaml` gives an operation. */
export function effectOfLine(
  placed: Placed,
  line: EffectLine,
  {
    survey,
    collections,
    addFault,
  }: { survey: Survey; collections: ReadonlyMap<string, CollectionDraft>; addFault: AddFault },
): Effect {
  const verb = MODEL_VERBS.find((name) => line[name] !== undefined) as ModelVerb
  const name = line[verb] as string
  const collection = collections.get(name)
  if (collection === undefined) {
    addFault([verb], explainNoCollection(name, [...collections.keys()]))
    return EXAMPLE
  }
  const allowed = FIELDS[verb] ?? []
  for (const field of Object.keys(line) as (keyof EffectLine)[])
    if (field !== verb && !allowed.includes(field))
      addFault(
        [field],
        `\`${verb}\` has no \`${field}\`. ${allowed.length === 0 ? 'It stands alone' : `It may have ${allowed.join(', ')}`}.`,
      )
  const { build } = survey
  const sets = settingsOf(placed, line, { collection, addFault })
  const later = laterOf(placed, line, { collection, addFault })
  const envelope = envelopeOf(placed, line, { collection, addFault })
  switch (verb) {
    case 'create':
      return {
        ...(build.create(placed, collection) as Effect & { kind: 'create' }),
        ...(sets.length > 0 && { sets }),
        ...later,
        ...envelope,
      }
    case 'list':
      return { ...(build.list(placed, collection, 'list') as Effect & { kind: 'list' }), ...envelope }
    case 'act': {
      const word = placed.shape.verb ?? lastStatic(placed.shape.base)
      const action = build.action(placed, collection, recordPath(placed.shape.steps, collection), word) as Effect & {
        kind: 'action'
      }
      checkStatus(collection, line, addFault)
      return {
        ...action,
        ...later,
        ...envelope,
        verbInBody: undefined,
        toStatus: line.to,
        sets,
        refusal: refusalOf(line, action.refusal),
      }
    }
    default: {
      const one = build.one(placed, collection, verb) as ItemEffect
      checkStatus(collection, line, addFault)
      return { ...one, ...envelope, refusal: refusalOf(line, one.refusal) ?? one.refusal }
    }
  }
}

function envelopeOf(
  { draft }: Placed,
  { envelope: written, list }: EffectLine,
  { collection, addFault }: { collection: CollectionDraft; addFault: AddFault },
): { readonly envelope?: Envelope } {
  if (written === undefined) return {}
  const answer = schemaOfResponse(draft.success)
  const path = written.split('.')
  for (const [at, name] of path.entries())
    checkField({ schema: at === 0 ? answer : schemaBelow(answer, path.slice(0, at)), name: 'answers' }, name, (text) =>
      addFault(['envelope'], text),
    )
  const found = schemaBelow(answer, path)
  const isArray = isArraySchema(found)
  if (list !== undefined && found && found.types.length > 0 && !isArray)
    addFault(['envelope'], `Expected \`${written}\` to be a list, got ${found.types}.`)
  const schema = isArray ? found?.items : found
  return {
    envelope: {
      path,
      shape: list !== undefined ? 'list' : isArray ? 'listOfOne' : 'record',
      schema: isObjectSchema(schema) ? schema : collection.schema,
    },
  }
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

function laterOf(
  placed: Placed,
  { later }: EffectLine,
  { collection, addFault }: { collection: CollectionDraft; addFault: AddFault },
): { readonly later?: Later } {
  if (later === undefined) return {}
  const { after, set } = later
  const below: AddFault = (path, text) => addFault(['later', ...path], text)
  const sets = settingsOf(placed, { set }, { collection, addFault: below })
  for (const { field, param, to } of sets)
    if (param !== undefined || (typeof to === 'object' && 'sent' in to))
      below(['set', field.join('.')], 'there is no request by then: set `now`, null or a value.')
  return { later: { afterSeconds: Number.parseFloat(after) * SECONDS[after.at(-1) as keyof typeof SECONDS], sets } }
}

/** The path of a record in a longer one: `/tickets/{id}` of `/tickets/{id}/tags/{tag}`. */
function recordPath(steps: readonly Step[], { site }: CollectionDraft): readonly Step[] {
  const own = site.steps.length
  const end = steps.findIndex(({ kind }, at) => at >= own && kind === 'static')
  const isBelow = end > own && keyOfSteps(steps.slice(0, own)) === keyOfSteps(site.steps)
  return isBelow ? steps.slice(0, end) : untilParam(steps)
}

type ItemEffect = Extract<Effect, { readonly upsert: boolean }>

/** The refusal of a line; undefined where neither it nor the description has one. */
function refusalOf({ from, otherwise }: EffectLine, declared: ActionRefusal | undefined): ActionRefusal | undefined {
  const isRefusing = from !== undefined || otherwise !== undefined || declared !== undefined
  return isRefusing ? { status: otherwise ?? declared?.status ?? 409, from } : undefined
}

export const explainNoCollection = (name: string, known: readonly string[]): string =>
  `there is no collection "${name}".${didYouMean(name, known)} There are ${known.join(', ') || 'none'}; another one begins with its \`paths\` under \`collections\`.`

function checkStatus(collection: CollectionDraft, { from = [], to }: EffectLine, addFault: AddFault): void {
  if (from.length === 0 && to === undefined) return
  const field = collection.statusField ?? findStatusField(collection.schema)
  if (field === null) {
    addFault(
      [],
      `${collection.name} have no status. Name its field under \`collections\`: \`${collection.name}: { status: … }\`.`,
    )
    return
  }
  const schema = schemaBelow(collection.schema, field)
  for (const [at, value] of from.entries()) checkValue(schema, value, field, (text) => addFault(['from', at], text))
  if (to !== undefined) checkValue(schema, to, field, (text) => addFault(['to'], text))
}

/** Adds a fault for a value that the field cannot have. */
export function checkValue(
  schema: Schema | undefined,
  value: Json,
  field: FieldPath,
  addFault: (text: string) => void,
): void {
  if (schema === undefined || fits(schema, value)) return
  const values = schema.enum?.map(String)
  const bound = values
    ? `one of ${values.join(', ')}`
    : [schema.types.join(' or '), schema.format, schema.pattern].filter(Boolean).join(', ')
  addFault(
    `Expected \`${field.join('.')}\` to be ${bound}, got ${JSON.stringify(value)}.${values ? didYouMean(String(value), values) : ''}`,
  )
}

/** Adds a fault for a field that records do not have. Records that no answer describes may have any but a misspelt one. */
export function checkField(
  {
    schema,
    name,
    isPlain = false,
  }: Pick<CollectionDraft, 'schema' | 'name'> & Partial<Pick<CollectionDraft, 'isPlain'>>,
  written: string,
  addFault: (text: string) => void,
): FieldPath {
  const path = written.split('.')
  const known = [...fieldsOf(schema).keys()]
  const nearest = didYouMean(written, known)
  if (known.length > 0 && schemaBelow(schema, path) === undefined && !(isPlain && nearest === ''))
    addFault(`${name} have no field "${written}".${nearest || ' Add it to their schema in the description.'}`)
  return path
}

function settingsOf(
  { draft }: Placed,
  { set = {}, add = {}, remove = {} }: Pick<EffectLine, 'set' | 'add' | 'remove'>,
  { collection, addFault }: { collection: CollectionDraft; addFault: AddFault },
): ActionSetting[] {
  const { schema } = collection
  const body = schemaOfBody(draft.requestBody)
  const sent = (text: string, at: readonly string[]): string => {
    const name = text.slice('body.'.length)
    const known = [...fieldsOf(body).keys()]
    if (known.length > 0 && schemaBelow(body, name.split('.')) === undefined)
      addFault(at, `the body has no field "${name}".${didYouMean(name, known)} It has ${known.join(', ')}.`)
    return name
  }
  const inPath = (text: string, at: readonly string[]): string => {
    const param = text.slice('path.'.length)
    const known = paramsOf(draft.segments)
    if (!known.includes(param)) addFault(at, `the path has no parameter "${param}".${didYouMean(param, known)}`)
    return param
  }
  const ofList = (at: readonly [string, string], value: string, to: 'added' | 'removed'): ActionSetting => {
    const field = checkField(collection, at[1], (text) => addFault(at, text))
    const found = schemaBelow(schema, field)
    if (found && !found.types.includes('array')) addFault(at, `Expected \`${at[1]}\` to be a list, got ${found.types}.`)
    return { field, param: inPath(value, at), to }
  }
  const sets = Object.entries(set).map(([written, value]): ActionSetting => {
    const at = ['set', written]
    const field = checkField(collection, written, (text) => addFault(at, text))
    if (value === 'now') return { field, to: 'now' }
    if (value === null) return { field, to: 'cleared' }
    if (typeof value === 'string' && value.startsWith('body.'))
      return { field, to: { sent: sent(value, at).split('.') } }
    if (typeof value === 'string' && value.startsWith('path.'))
      return { field, param: inPath(value, at), to: 'argument' }
    checkValue(schemaBelow(schema, field), value, field, (text) => addFault(at, text))
    return { field, to: { value } }
  })
  const adds = Object.entries(add).map(([written, value]): ActionSetting => {
    const at = ['add', written] as const
    if (typeof value === 'string' && value.startsWith('path.')) return ofList(at, value, 'added')
    const field = checkField(collection, written, (text) => addFault(at, text))
    return { field, to: typeof value === 'number' ? { by: value } : { amount: sent(value, at), sign: 1 } }
  })
  const removals = Object.entries(remove).map(([written, value]) => ofList(['remove', written], value, 'removed'))
  return [...sets, ...adds, ...removals]
}
