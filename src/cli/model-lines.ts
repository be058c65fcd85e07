import { readFaults } from '../protocol/entry-fault.ts'
import { ApiError } from '../protocol/errors.ts'
import type { OperationSummary } from '../protocol/inspection.ts'
import type { JsonObject } from '../protocol/json.ts'
import { withModelFile } from '../protocol/model-extension.ts'
import type { OperationLine } from '../protocol/model-file.ts'
import type { ApiModel, Operation } from '../service/openapi/model.ts'

/** `model.yaml` with the lines of these operations, each below the reason for it. */
export async function modelFileText(
  document: JsonObject,
  model: ApiModel,
  summaries: readonly OperationSummary[],
): Promise<string> {
  const [{ readDescription }, { CompiledApi }, { detailOf, explainEffect, modelLineOf, modelLineText }] =
    await Promise.all([
      import('../service/openapi/read-description.ts'),
      import('../service/simulated-api/compiled/compiled-api.ts'),
      import('../service/simulated-api/operations/explain-effect.ts'),
    ])
  const explain: ModelReader['explain'] = (one) => {
    const api = new CompiledApi(one)
    return (operation) => explainEffect(api.operation(operation))
  }
  const wanted = new Map(summaries.map((summary) => [keyOf(summary), summary]))
  const operations = model.operations.filter((operation) => wanted.has(keyOf(operation)))
  const written = proposeLines(document, { model, operations }, { readDescription, modelLineOf, explain })
  const lines = written.flatMap(({ operation, line }) => {
    const reason = reasonOf(wanted.get(keyOf(operation)) as OperationSummary) + detailOf(operation)
    if (line === undefined) return [`  # ${reason}; no line says the same:`, `  # ${keyOf(operation)}`]
    return [`  # ${reason}`, `  ${modelLineText(operation, line)}`]
  })
  return [
    '# Correct what is wrong: a line that stays says that it is so. node_modules/backlot/docs/model.md has the grammar.',
    lines.length === 0 ? 'operations: {}' : 'operations:',
    ...lines,
    '',
  ].join('\n')
}

function reasonOf({ confidence, rule, kind, sets }: OperationSummary): string {
  if (confidence === 'example') return 'example: nothing is known of it'
  if (kind !== 'action') return `${confidence}, by the rule ${rule}`
  return sets.length === 0
    ? `changes nothing, by the rule ${rule}`
    : `${confidence}, by the rule ${rule}: ${sets.join(', ')}`
}

/** An operation with the line of `model.yaml` that says what is inferred of it. */
interface WrittenLine {
  readonly operation: Operation
  /** Undefined where no line leaves the model as it is. */
  readonly line: OperationLine | undefined
}

/** The code that lines are checked with. */
interface ModelReader {
  readDescription(document: JsonObject): ApiModel
  modelLineOf(operation: Operation): OperationLine
  /** What the operations of a model do, in words. */
  explain(model: ApiModel): (operation: Operation) => readonly string[]
}

/**
 * A line for each of `operations`: first the conventional operation that it stands for, then its effect, then itself.
 * Read back together, they give the model of the description.
 */
function proposeLines(
  document: JsonObject,
  { model, operations }: { readonly model: ApiModel; readonly operations: readonly Operation[] },
  { readDescription, modelLineOf, explain }: ModelReader,
): WrittenLine[] {
  const left = new Map<string, OperationLine[]>()
  const [wanted, wantedParts] = [textsOf(model), partsOf(model)]
  const collectionOf = new Map(
    operations.flatMap((one) => ('collection' in one.effect ? [[keyOf(one), one.effect.collection] as const] : [])),
  )
  for (const operation of operations) {
    const conventional = operation.reason.confidence === 'guess' ? conventionalOf(operation, model) : undefined
    const lines = [conventional, modelLineOf(operation), `as ${keyOf(operation)}` as const]
    left.set(
      keyOf(operation),
      lines.filter((line) => line !== undefined),
    )
  }
  for (;;) {
    const chosen = [...left].flatMap(([key, [line]]) => (line === undefined ? [] : [[key, line] as const]))
    const wrong = wrongLines(chosen)
    if (wrong.length === 0) break
    for (const key of wrong) left.get(key)?.shift()
  }
  return operations.map((operation) => ({ operation, line: left.get(keyOf(operation))?.[0] }))

  /** The lines that change what they stand for; else those that move an operation, of changed collections or all. */
  function wrongLines(chosen: readonly (readonly [string, OperationLine])[]): string[] {
    const keys = chosen.map(([key]) => key)
    try {
      const read = readDescription(withModelFile(document, { operations: Object.fromEntries(chosen) }))
      const changed = [...textsOf(read)].flatMap(([key, text]) => (wanted.get(key) === text ? [] : key))
      if (keys.some((key) => changed.includes(key))) return keys.filter((key) => changed.includes(key))
      const others = differing(partsOf(read), wantedParts)
      if (changed.length === 0 && others.length === 0) return []
      const moving = chosen.filter(([key, line]) => typeof line === 'string' && line !== `as ${key}`)
      const own = moving.filter(([key]) => others.includes(collectionOf.get(key) ?? ''))
      return ([own, moving].find((some) => some.length > 0) ?? chosen).map(([key]) => key)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const faulty = readFaults(error.message).map(({ path }) => String(path[1]))
      const own = keys.filter((key) => faulty.includes(key))
      return own.length > 0 ? own : keys
    }
  }

  function textsOf(one: ApiModel): Map<string, string> {
    const inWords = explain(one)
    return new Map(
      one.operations.map((operation) => [keyOf(operation), `${effectText(operation)} ${inWords(operation)}`]),
    )
  }
}

const keyOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string => `${method} ${path}`

/** The methods of conventional operations below the path of a record, and below that of all. */
const ITEM_METHODS: Readonly<Record<string, string>> = {
  read: 'GET',
  update: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
}
const LIST_METHODS: Readonly<Record<string, string>> = { list: 'GET', create: 'POST' }

/** `as POST /terminals`, of a collection that other operations surely list or read. */
function conventionalOf({ effect, method, path }: Operation, { operations }: ApiModel): OperationLine | undefined {
  if (!('collection' in effect)) return undefined
  const isItem = effect.kind in ITEM_METHODS
  const wanted = isItem ? ITEM_METHODS : LIST_METHODS
  const sibling = operations.find(
    (one) =>
      one.reason.confidence === 'certain' &&
      one.effect.kind in wanted &&
      'collection' in one.effect &&
      one.effect.collection === effect.collection,
  )
  const own = wanted[effect.kind]
  if (sibling === undefined || own === undefined) return undefined
  const line = `as ${own} ${sibling.path}` as const
  return line === `as ${method} ${path}` ? undefined : line
}

/** An effect as text, in which the place of a key and the name of an action do not count. */
function effectText({ effect, moved = {} }: Operation): string {
  const keys =
    'keys' in effect
      ? {
          keys: effect.keys.map((key) => ({
            ...key,
            ...(key.in === 'path' && moved[key.param] && { in: moved[key.param]?.in, param: moved[key.param]?.name }),
          })),
        }
      : {}
  const verb = effect.kind === 'action' && !effect.makes ? { verb: '' } : {}
  return JSON.stringify({ ...effect, ...keys, ...verb }, withoutSchemas)
}

/** The name of each collection with its text, in their order; then the rest, without a name. */
function partsOf({ collections, singletons, declaredEvents }: ApiModel): (readonly [string, string])[] {
  const textOf = (part: unknown) => JSON.stringify(part, withoutSchemas)
  return [
    ...collections.map((collection) => [collection.name, textOf(collection)] as const),
    ['', textOf([singletons, declaredEvents])],
  ]
}

/** The names of the parts with other texts; where all are equal, of the first two that changed places. */
function differing(left: ReturnType<typeof partsOf>, right: ReturnType<typeof partsOf>): string[] {
  const [before, after] = [new Map(left), new Map(right)]
  const changed = [...left, ...right].map(([name]) => name).filter((name) => before.get(name) !== after.get(name))
  if (changed.length > 0) return changed
  const at = left.findIndex(([name], place) => name !== right[place]?.[0])
  return at === -1 ? [] : [left[at], right[at]].map((part) => part?.[0] ?? '')
}

/** A schema is its raw text: each reading makes its own. */
const withoutSchemas = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'isContradictory' in value && 'raw' in value ? value.raw : value
