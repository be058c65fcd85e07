import type { EffectRow, StreamRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import { wantsStream } from '../calls/read-call.ts'
import type { ApiResponse } from '../exchange.ts'
import { requestOf } from '../expressions/request-facts.ts'
import { canAct, type EntryEffects, isWriting } from '../facts/entry-effects.ts'
import { EMPTY_STATUSES } from '../operations/answer.ts'
import { streamMediaOf } from '../presentation/stream.ts'
import type { RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'
import { withFacts } from './answer-facts.ts'
import { EffectRun } from './effect-run.ts'
import { type HandlerContext, WholeAnswer } from './handler-context.ts'
import type { HandlerLink } from './run-handlers.ts'
import { type SignInParts, signInHandler } from './sign-in-handler.ts'
import type { Handler, UserFunctions } from './user-functions.ts'

/** The handlers of a simulation's operations, each compiled at its first use. */
export class Handlers {
  readonly #setting: Compiling & { readonly signIn: SignInParts | undefined }
  readonly #effects: EntryEffects | undefined
  readonly #functions: UserFunctions | undefined
  readonly #compiled = new Map<Operation, readonly HandlerLink[]>()

  /** @param functions before the rows of an entry */
  constructor(
    setting: Compiling & { readonly signIn: SignInParts | undefined },
    effects: EntryEffects | undefined,
    functions: UserFunctions | undefined,
  ) {
    this.#setting = setting
    this.#effects = effects
    this.#functions = functions
  }

  /** None for an operation that only does what its model says. */
  of(operation: Operation): readonly HandlerLink[] {
    const known = this.#compiled.get(operation)
    if (known !== undefined) return known
    const name = `${operation.method} ${operation.path}`
    const given = (this.#functions?.named(name) ?? []).map((handler) => ({ name, handler, isUsers: true }))
    const effect = this.#effects && compileEffect(this.#setting, this.#effects, operation, given.length > 0)
    const handler = this.#setting.signIn && signInHandler(this.#setting.signIn, operation)
    const signIn = handler ? [{ name, handler, isUsers: false }] : []
    const isBefore = this.#setting.signIn?.signIn.isBefore === true
    const links = [
      ...(isBefore ? [...signIn, ...given] : [...given, ...signIn]),
      ...(effect ? [{ name, handler: effect, isUsers: false }] : []),
    ]
    this.#compiled.set(operation, links)
    return links
  }
}

type Compiling = Pick<Setting, 'world' | 'presenter'>

/**
 * Compiles an entry's row for an operation to its handler; undefined where the row leaves the operation as it is. What
 * handlers do by `next()` keeps declared fields alone, without a row too.
 */
function compileEffect(
  { world, presenter }: Compiling,
  effects: EntryEffects,
  operation: Operation,
  isHandled: boolean,
): Handler | undefined {
  const row: EffectRow | undefined =
    effects.effectOf(operation) ?? effects.inputsOf(operation) ?? (isHandled ? {} : undefined)
  if (row === undefined || !canAct(row, operation)) return undefined
  const isModels = row.record === undefined && isWriting(operation)
  const { stream } = row
  const hasAnswer = row.answer !== undefined
  return (context) => {
    const { parsed, at, seed, draft } = context
    if (isModels) context.nextChanged((changes) => changes.map((change) => withDeclaredFields(world, change, parsed)))
    const place = isModels ? context.place : findNamed(world, context, row)
    const before = place && world.collection(place.collection).get(place.key)
    const isGone = place === undefined || draft.get(place.collection, place.key) === undefined
    const names = { request: requestOf(parsed), before, ...(isGone && { record: before }) }
    const run = new EffectRun(effects, draft, { at, seed })
    const known = run.run(row, place, names)
    const evaluate = (value: Json) => run.evaluate(value, place, known)
    const streams =
      stream &&
      (stream.when === undefined ? !hasAnswer || isAskedToStream(parsed) : run.meets(stream.when, place, known))
    if (streams) {
      const events = streamEvents(stream.events, { run, place, state: { position: 0 } }, known)
      return context.stream(events, { media: stream.media, status: row.status, headers: headersOf(row, evaluate) })
    }
    if (hasAnswer) return new WholeAnswer(writeAnswer(parsed, row, effects.fromAnswer, evaluate))
    const record = place && draft.get(place.collection, place.key)
    if (place === undefined || record === undefined) {
      if (context.default !== undefined || stream !== undefined) return undefined
      throw new Error(`Failed to answer ${operation.id}: its effect names no record and no answer.`)
    }
    const { collection, key } = place
    if (isModels && row.status === undefined && row.headers === undefined) {
      context.written = place
      return undefined
    }
    const answer = presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
    return new WholeAnswer(writeAnswer(parsed, { ...row, answer }, effects.fromAnswer, (value) => value))
  }
}

const isAskedToStream = ({ operation, body, request, representation }: ApiCall): boolean =>
  streamMediaOf(representation.mediaType) !== undefined || wantsStream(operation, body, request.query)

/** The events of rows, made one by one. */
function* streamEvents(
  rows: readonly StreamRow[],
  making: { run: EffectRun; place: RecordPlace | undefined; state: { position: number } },
  given: Readonly<Record<string, Json | undefined>>,
): Generator<StreamEvent, void, undefined> {
  const { run, place, state } = making
  for (const { each, as = 'item', when, events, token, ...event } of rows) {
    const items = each === undefined ? [undefined] : run.evaluate(each, place, given)
    for (const item of Array.isArray(items) ? items : []) {
      const names = { ...given, ...(each !== undefined && { [as]: item }), position: state.position }
      if (!run.meets(when, place, names)) continue
      if (events !== undefined) {
        yield* streamEvents(events, making, names)
        continue
      }
      state.position++
      const fields = Object.entries(event).map(([name, value]) => [name, run.evaluate(value, place, names)] as const)
      const texts = fields.map(([name, value]) => [name, name === 'data' ? value : String(value ?? '')] as const)
      yield { ...Object.fromEntries(texts), ...(token && { token }) }
    }
  }
}

/** The last record of the path, or the row's. Refuses with 404 without one. */
function findNamed(
  world: World,
  { parsed: { compiled, params }, draft }: Pick<HandlerContext, 'parsed' | 'draft'>,
  row: EffectRow,
): RecordPlace | undefined {
  if (row.record === undefined) return undefined
  const view = world.collection(row.record)
  const name = compiled.pathNames.at(-1)
  const id = name === undefined ? '' : (params[name] ?? '')
  const key = view.findIn(id, []) ?? (draft.get(row.record, id) && id)
  if (key !== undefined) return { collection: row.record, key }
  const { singular } = view.model
  throw new Refusal(404, 'not_found', `Failed to find ${singular} "${id}": there is none with that key.`, undefined, {
    facts: { singular, collection: row.record, id },
  })
}

/** A change without fields of the request that no record of the collection has, and with the schema's defaults. */
function withDeclaredFields(world: World, change: Change, { body }: ApiCall): Change {
  if ('singleton' in change || change.type === 'deleted') return change
  const { properties } = world.collection(change.collection).model.schema ?? {}
  if (properties === undefined) return change
  const isForm = body.mediaType === 'application/x-www-form-urlencoded'
  const fields = Object.entries(change.record).filter(([name]) => properties.has(name))
  const record = Object.fromEntries(
    fields.map(([name, value]) => [name, isForm ? emptied(value, properties.get(name)) : value]),
  )
  for (const [name, schema] of properties) {
    if (!Object.hasOwn(record, name) && schema.default !== undefined) record[name] = schema.default as Json
  }
  return { ...change, record }
}

/** A form's value: an empty text means no value, and removes a name from a map. */
function emptied(value: Json, schema: Schema | undefined): Json {
  if (value === '' && schema?.nullable === true) return null
  const isMap = typeof schema?.additionalProperties === 'object' && schema.properties.size === 0
  if (!isMap) return value
  if (value === '') return {}
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== '')) : value
}

type AnswerRow = Pick<EffectRow, 'answer' | 'status' | 'headers'>
type Evaluate = (expression: Json) => Json | undefined

/** The answer of an entry's row: nothing, or JSON. */
function writeAnswer(
  call: ApiCall,
  row: AnswerRow,
  fromAnswer: EntryEffects['fromAnswer'],
  evaluate: Evaluate,
): ApiResponse {
  const { status = call.operation.success.status } = row
  const headers = headersOf(row, evaluate)
  if (EMPTY_STATUSES.has(status)) return { status, headers, body: null }
  const body = row.answer === undefined ? null : (evaluate(row.answer) ?? null)
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  return withFacts(call, { status, headers: all, body: JSON.stringify(body) }, fromAnswer)
}

function headersOf({ headers = {} }: AnswerRow, evaluate: Evaluate): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = evaluate(value)
    return text === undefined || text === null ? [] : [[name, String(text)]]
  })
  return Object.fromEntries(own)
}
