import type { EffectRow, StreamRow } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { StreamEvent } from '../../../protocol/stream.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import { faultOfOpenRedirect } from '../../pages/redirect-address.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { ApiCall, Setting } from '../calls/call.ts'
import { wantsStream } from '../calls/read-call.ts'
import type { ApiResponse } from '../exchange.ts'
import { requestOf } from '../expressions/request-facts.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import { EMPTY_STATUSES } from '../operations/answer.ts'
import { streamMediaOf } from '../presentation/stream.ts'
import type { RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'
import { withFacts } from './answer-facts.ts'
import { cutPage, type Evaluate } from './cut-page.ts'
import { EffectRun } from './effect-run.ts'
import { type HandlerContext, WholeAnswer } from './handler-context.ts'
import type { HandlerLink } from './run-handlers.ts'
import { type SignInParts, signInHandler } from './sign-in-handler.ts'
import type { Handler, UserFunctions } from './user-functions.ts'

/** Operations whose effects follow what the model does. */
const MODEL_KINDS = new Set(['create', 'update', 'replace', 'delete'])

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
    const given = this.#functions?.named(name) ?? []
    const effect = this.#effects && compileEffect(this.#setting, this.#effects, operation)
    const signIn = this.#setting.signIn && signInHandler(this.#setting.signIn, operation)
    const links = [
      ...given.map((handler) => ({ name, handler, isUsers: true })),
      ...(signIn ? [{ name, handler: signIn, isUsers: false }] : []),
      ...(effect ? [{ name, handler: effect, isUsers: false }] : []),
    ]
    this.#compiled.set(operation, links)
    return links
  }
}

type Compiling = Pick<Setting, 'world' | 'presenter' | 'signer' | 'operators'>

/** Compiles an entry's row for an operation to its handler; undefined where the row leaves the operation as it is. */
function compileEffect(
  { world, presenter, signer, operators }: Compiling,
  effects: EntryEffects,
  operation: Operation,
): Handler | undefined {
  const on = `${operation.method} ${operation.path}`
  // Magic inputs alone, without a row of effects.
  const isMagic = MODEL_KINDS.has(operation.effect.kind) && effects.magicOf({ on }, operation).length > 0
  const row = effects.effectOf(operation) ?? (isMagic ? { on } : undefined)
  if (row === undefined) return undefined
  const isModels = row.record === undefined && MODEL_KINDS.has(operation.effect.kind)
  const { stream } = row
  const hasAnswer = row.answer !== undefined || row.media !== undefined
  if (row.record === undefined && !MODEL_KINDS.has(operation.effect.kind) && !hasAnswer && !stream) return undefined
  const { drop = [] } = row
  return (context) => {
    const { parsed, at, seed, draft } = context
    if (isModels)
      context.nextChanged((changes) =>
        changes.map((change) => withDeclaredFields(world, change, { call: parsed, drop })),
      )
    const place = isModels ? context.place : findNamed(world, context, row)
    const before = place && world.collection(place.collection).get(place.key)
    const isGone = place === undefined || draft.get(place.collection, place.key) === undefined
    const names = { request: requestOf(parsed, effects), before, ...(isGone && { record: before }) }
    const run = new EffectRun(effects, draft, { at, seed, operation, signer, operators })
    const known = run.run(row, place, names)
    const evaluate = (value: Json, more: Readonly<Record<string, Json>> = {}) =>
      run.evaluate(value, place, { ...known, ...more })
    const streams =
      stream &&
      (stream.when === undefined ? !hasAnswer || isAskedToStream(parsed) : run.meets(stream.when, place, known))
    if (streams) {
      const status = row.status === undefined ? undefined : Number(evaluate(row.status))
      const events = streamEvents(stream.events, { run, place, state: { position: 0 } }, known)
      return context.stream(events, { media: stream.media, status, headers: headersOf(row, evaluate) })
    }
    if (hasAnswer) return new WholeAnswer(writeAnswer(parsed, row, effects, evaluate))
    const record = place && draft.get(place.collection, place.key)
    if (place === undefined || record === undefined) {
      if (context.default !== undefined || stream !== undefined) return undefined
      throw new Error(`Failed to answer ${operation.id}: its effect names no record and no answer.`)
    }
    const { collection, key } = place
    const isPlain = row.status === undefined && row.headers === undefined && !effects.views.has(collection)
    if (isModels && isPlain) {
      context.written = place
      return undefined
    }
    const shown = effects.views.has(collection)
      ? (evaluate({ $shown: { as: collection, value: { $record: '.' } } }) ?? null)
      : presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
    return new WholeAnswer(writeAnswer(parsed, { ...row, answer: shown }, effects, (value) => value))
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
  const name = row.named ?? compiled.pathNames.at(-1)
  const id = name === undefined ? '' : (params[name] ?? '')
  const key = view.findIn(id, []) ?? (draft.get(row.record, id) && id)
  if (key !== undefined) return { collection: row.record, key }
  const { singular } = view.model
  throw new Refusal(404, 'not_found', `Failed to find ${singular} "${id}": there is none with that key.`, undefined, {
    facts: { singular, collection: row.record, id },
  })
}

/** A change without fields of the request that no record of the collection has, and with the schema's defaults. */
function withDeclaredFields(
  world: World,
  change: Change,
  { call, drop }: { readonly call: ApiCall; readonly drop: readonly string[] },
): Change {
  if ('singleton' in change || change.type === 'deleted') return change
  const view = world.collection(change.collection)
  const { properties } = view.model.schema ?? {}
  if (properties === undefined) return change
  const isForm = call.body.mediaType === 'application/x-www-form-urlencoded'
  const fields = Object.entries(change.record).filter(([name]) => properties.has(name) && !drop.includes(name))
  const record = Object.fromEntries(
    fields.map(([name, value]) => [name, isForm ? emptied(value, properties.get(name)) : value]),
  )
  for (const [name, schema] of properties) {
    if (!Object.hasOwn(record, name) && !drop.includes(name) && schema.default !== undefined)
      record[name] = schema.default as Json
  }
  for (const name of drop) {
    const stored = change.type === 'updated' ? view.get(change.key)?.[name] : undefined
    const value = stored ?? (properties.get(name)?.default as Json | undefined)
    if (value !== undefined) record[name] = value
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

type AnswerRow = Pick<EffectRow, 'answer' | 'status' | 'headers' | 'page' | 'each' | 'media'>

/** The answer of an entry's row: a page of a list, another format by `Accept`, nothing, or JSON. */
export function writeAnswer(
  call: ApiCall,
  row: AnswerRow,
  { paging, fromAnswer }: Pick<EntryEffects, 'paging' | 'fromAnswer'>,
  evaluate: Evaluate,
): ApiResponse {
  const status = Number((row.status === undefined ? undefined : evaluate(row.status)) ?? call.operation.success.status)
  const headers = headersOf(row, evaluate)
  if (status === 302) refuseForeign(headers.Location ?? '')
  if (EMPTY_STATUSES.has(status) || (status === 202 && row.answer === null)) return { status, headers, body: null }
  const other = otherForm(call, row, evaluate)
  if (other !== undefined) return { status, headers: { ...other.headers, ...headers }, body: other.body }
  const whole = row.answer === undefined ? null : (evaluate(row.answer) ?? null)
  const { body, link } =
    row.page === undefined ? { body: whole, link: undefined } : cutPage(call, paging, row, whole, evaluate)
  const all = {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
    ...(link !== undefined && { Link: link }),
  }
  return withFacts(call, { status, headers: all, body: JSON.stringify(body) }, fromAnswer)
}

/** Refuses a redirect to an address that a client gave and that is not of a test: anyone could send a link to it. */
function refuseForeign(address: string): void {
  const fault = faultOfOpenRedirect(address)
  if (fault === undefined) return
  const message = `Failed to redirect to "${address.slice(0, 200)}": ${fault}. Use an address on loopback, one such as https://app.example, or an application's own scheme.`
  throw new Refusal(400, 'invalid_redirect', message)
}

export function headersOf({ headers = {} }: AnswerRow, evaluate: Evaluate): Record<string, string> {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = evaluate(value)
    return text === undefined || text === null ? [] : [[name, String(text)]]
  })
  return Object.fromEntries(own)
}

/** The answer in a format that `Accept` requests. */
function otherForm(
  { request }: ApiCall,
  { media = [] }: AnswerRow,
  evaluate: Evaluate,
): Pick<ApiResponse, 'headers' | 'body'> | undefined {
  const [wanted = ''] = (request.headers.accept ?? '').toLowerCase().split(/[,;]/)
  const words = wanted.split(/[./+]/)
  const form = media.find(({ word }) => word === undefined || words.includes(word))
  if (form === undefined) return undefined
  const value = evaluate(form.body) ?? null
  if (typeof value !== 'string')
    return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: JSON.stringify(value) }
  const body = form.base64 === true ? Buffer.from(value, 'base64') : value
  const type = form.type === undefined ? `${wanted.trim()}; charset=utf-8` : String(evaluate(form.type))
  return { headers: { 'Content-Type': type }, body }
}
