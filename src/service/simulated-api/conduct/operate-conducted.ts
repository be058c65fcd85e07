import type { EffectRow } from '../../../protocol/conduct.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { hashText } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Change } from '../../world/change.ts'
import { type Answered, type ApiCall, NO_CHANGES, type Setting } from '../calls/call.ts'
import { type ApiResponse, jsonOf } from '../exchange.ts'
import { requestOf } from '../expressions/request-facts.ts'
import type { ConductBook } from '../facts/conduct-book.ts'
import { operate } from '../operations/operate.ts'
import { Draft, type RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'
import { writeAnswer } from './conducted-answer.ts'
import { EffectRun } from './effect-run.ts'
import { Expander, expansionsOf } from './expand.ts'

const OWN_KINDS = new Set(['create', 'update', 'replace', 'delete'])

/** Applies the operation of a call, and the library entry's effects. */
export function operateConducted(setting: Setting, call: ApiCall, book: ConductBook): Answered {
  const row = book.effectOf(call.operation)
  const isWrite = call.operation.method !== 'GET'
  if (isWrite) checkReferences(setting, call, book)
  const { kind } = call.operation.effect
  const isPlain = row === undefined && !(kind === 'create' || kind === 'update')
  const answers = row?.answer !== undefined || row?.media !== undefined
  if (isPlain || (row?.record === undefined && !OWN_KINDS.has(kind) && !answers))
    return expandAnswer(setting, call, book, operate(setting, call))
  return perform(setting, call, book, row ?? {})
}

function perform(setting: Setting, call: ApiCall, book: ConductBook, row: EffectRow): Answered {
  const isOwn = row.record === undefined && OWN_KINDS.has(call.operation.effect.kind)
  const base = isOwn ? operate(setting, call) : undefined
  const draft = new Draft(setting.world, call.at, withDeclared(setting, call, base?.changes ?? [], row))
  const place = isOwn ? placeOf(base?.changes ?? []) : findNamed(setting, call, row)
  const before = place && setting.world.collection(place.collection).get(place.key)
  const names = {
    request: requestOf(call, book),
    before,
    ...((place === undefined || draft.get(place.collection, place.key) === undefined) && { record: before }),
  }
  const seed = `${setting.seed}${call.at}${call.request.path}${hashOf(call)}`
  const run = new EffectRun(book, draft, { at: call.at, seed, operation: call.operation, signer: setting.signer })
  const known = run.run(row, place, names)
  const changes = row.preview === true ? NO_CHANGES : draft.changes()
  const answered = { changes, ...(run.advanceTo !== undefined && { advanceTo: run.advanceTo }) }
  if (row.answer !== undefined || row.media !== undefined) {
    const evaluate = (value: Json, more: Readonly<Record<string, Json>> = {}) =>
      run.evaluate(value, place, { ...known, ...more })
    const written = writeAnswer(call, row, book.paging, evaluate)
    return { ...answered, response: expanded(call, written, { setting, draft, book }) }
  }
  const record = place && draft.get(place.collection, place.key)
  if (place === undefined || record === undefined) {
    if (base === undefined)
      throw new Error(`Failed to answer ${call.operation.id}: its effect names no record and no answer.`)
    return { ...answered, response: base.response }
  }
  const { presenter } = setting
  const { collection, key } = place
  const shown = book.views.has(collection)
    ? (run.evaluate({ $shown: { as: collection, value: { $record: '.' } } }, place, known) ?? null)
    : presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
  const response = writeAnswer(call, { ...row, answer: shown }, book.paging, (value) => value)
  return { ...answered, response: expanded(call, response, { setting, draft, book }) }
}

interface Showing {
  readonly setting: Setting
  readonly draft: Draft
  readonly book: ConductBook
}

/** The answer with requested expansions of ids. */
function expanded(call: ApiCall, response: ApiResponse, { setting, draft, book }: Showing): ApiResponse {
  const paths = expansionsOf(call)
  const shown = paths.length === 0 ? undefined : jsonOf(response)
  if (shown === undefined) return response
  const expander = new Expander(setting, draft, book)
  const body = paths.reduce((value, path) => expander.expand(value, path), shown)
  return { ...response, body: JSON.stringify(body) }
}

function expandAnswer(setting: Setting, call: ApiCall, book: ConductBook, answered: Answered): Answered {
  const draft = new Draft(setting.world, call.at, answered.changes)
  return { ...answered, response: expanded(call, answered.response, { setting, draft, book }) }
}

/** Changes without fields of the request that no record of the collection has. */
function withDeclared(
  setting: Setting,
  { body }: ApiCall,
  changes: readonly Change[],
  { drop = [] }: EffectRow,
): readonly Change[] {
  const isForm = body.mediaType === 'application/x-www-form-urlencoded'
  return changes.map((change) => {
    if ('singleton' in change || change.type === 'deleted') return change
    const { properties } = setting.world.collection(change.collection).model.schema ?? {}
    if (properties === undefined) return change
    const fields = Object.entries(change.record).filter(([name]) => properties.has(name) && !drop.includes(name))
    const record = Object.fromEntries(
      fields.map(([name, value]) => [name, isForm ? emptied(value, properties.get(name)) : value]),
    )
    for (const [name, schema] of properties) {
      if (!Object.hasOwn(record, name) && !drop.includes(name) && schema.default !== undefined)
        record[name] = schema.default as Json
    }
    for (const name of drop) {
      const held =
        change.type === 'updated' ? setting.world.collection(change.collection).get(change.key)?.[name] : undefined
      const schema = properties.get(name)
      const value = held ?? (schema?.default as Json | undefined)
      if (value !== undefined) record[name] = value
    }
    return { ...change, record }
  })
}

/** A form's value: an empty text means no value, and removes a name from a map. */
function emptied(value: Json, schema: Schema | undefined): Json {
  if (value === '' && schema?.nullable === true) return null
  const isMap = typeof schema?.additionalProperties === 'object' && schema.properties.size === 0
  if (!isMap) return value
  if (value === '') return {}
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== '')) : value
}

function placeOf([change]: readonly Change[]): RecordPlace | undefined {
  return change === undefined || 'singleton' in change ? undefined : { collection: change.collection, key: change.key }
}

/** The last record of the path, or the row's. Refuses with 404 without one. */
function findNamed(setting: Setting, call: ApiCall, row: EffectRow): RecordPlace | undefined {
  if (row.record === undefined) return undefined
  const view = setting.world.collection(row.record)
  const name = row.named ?? call.compiled.pathNames.at(-1)
  const id = name === undefined ? '' : (call.params[name] ?? '')
  const key = view.findIn(id, [])
  if (key !== undefined) return { collection: row.record, key }
  const { singular } = view.model
  throw new Refusal(404, 'not_found', `Failed to find ${singular} "${id}": there is none with that key.`, undefined, {
    facts: { singular, collection: row.record, id },
  })
}

const hashOf = ({ request }: ApiCall): string =>
  hashText(`${request.headers['idempotency-key'] ?? ''}${Buffer.from(request.body).toString('latin1')}`).toString(36)

/** Refuses a reference to a missing record. */
function checkReferences(setting: Setting, { body }: ApiCall, book: ConductBook): void {
  if (book.references.size === 0 || body.value === undefined) return
  for (const { name, path, id } of referencesIn(body.value, [])) {
    const collection = book.references.get(name)
    if (collection === undefined || id === '') continue
    const view = setting.world.collection(collection)
    if (view.findIn(id, []) !== undefined) continue
    const { singular } = view.model
    throw new Refusal(400, 'missing_reference', `Failed to find ${singular} "${id}".`, path.join('.'), {
      facts: { singular, collection, id },
    })
  }
}

function* referencesIn(
  value: Json,
  path: readonly string[],
): Generator<{ name: string; path: readonly string[]; id: string }> {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* referencesIn(item, [...path, String(at)])
  else if (isJsonObject(value)) {
    for (const [name, below] of Object.entries(value)) {
      if (name === 'metadata') continue
      const here = [...path, name]
      if (typeof below === 'string') yield { name, path: here, id: below }
      else yield* referencesIn(below, here)
    }
  }
}
