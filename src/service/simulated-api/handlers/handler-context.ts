import { didYouMean } from '../../../names/nearest-name.ts'
import { idFrom } from '../../../protocol/expression.ts'
import { splitMultipart } from '../../../protocol/form.ts'
import type {
  CallAnswer,
  DueContext,
  HandlerRecords,
  ListNarrowing,
  ModelReply,
  OperationContext,
  RecordId,
  RecordTest,
  RefusalText,
  SentFile,
  Talk,
  WrittenAnswer,
} from '../../../protocol/handler.ts'
import { isJsonObject, type Json, type JsonObject, readField } from '../../../protocol/json.ts'
import type { Page, PageRedirect, SentForm } from '../../../protocol/page.ts'
import type { Prompt } from '../../../protocol/reply.ts'
import { isSecret } from '../../../protocol/same-secret.ts'
import type { StreamEvent, StreamOptions } from '../../../protocol/stream.ts'
import { hashText, Random } from '../../../runtime/random.ts'
import type { ScopeParam, SingletonModel } from '../../openapi/model.ts'
import { faultOfForm, redirectTo, tokenIn, writePage } from '../../pages/page.ts'
import type { Change } from '../../world/change.ts'
import { keyIn, keyOf } from '../../world/field.ts'
import { runToEnd } from '../../world/long-reads.ts'
import type { ScopeMatch } from '../../world/scopes.ts'
import { coerce } from '../body/coerce.ts'
import { fieldsOfForm } from '../body/form.ts'
import { takesBytes } from '../body/read-body.ts'
import { KEPT_UPLOAD_BYTES } from '../body/uploaded-file.ts'
import type { Answered, ApiCall, Setting } from '../calls/call.ts'
import { type ApiResponse, jsonOf } from '../exchange.ts'
import { allNames } from '../facts/intake.ts'
import { findRecord, getRecord } from '../operations/find-record.ts'
import { requireCurrent } from '../operations/item.ts'
import { answerStream } from '../presentation/stream.ts'
import type { Draft, Drafted, RecordPlace, ValueTest } from '../records/draft.ts'
import { withScope } from '../records/make-record.ts'
import { findParent, requireParent, toScopeMatches } from '../records/scope.ts'
import { codeOf, Refusal } from '../refusal.ts'
import { embedTexts } from '../replies/embedding.ts'
import { countTalk, type ReplySource, replyTo, toLoggedPrompt, toPrompt } from '../replies/replies.ts'
import { countTokens } from '../replies/tokens.ts'
import { explainGiven, type GivenFields } from '../validation/given-record.ts'

/** Status, headers and body, as they are sent. */
export class WholeAnswer {
  readonly response: ApiResponse

  constructor(response: ApiResponse) {
    this.response = response
  }
}

/** Prompts of one request in the log. */
const MOST_PROMPTS = 100

/** The world and the time of a handler's call. */
interface Calling {
  readonly setting: Setting
  readonly draft: Draft
  /** World time, milliseconds. */
  readonly at: number
  /** From which `random` and `id` follow; computed at first use. */
  readonly seedOf: () => string
  /** Types of events that handlers may emit. */
  readonly events: () => readonly string[]
  readonly replies: ReplySource
  /** Address of the simulation, for due records. @default empty */
  readonly origin?: string | undefined
  /** The request to a language model. Receives its prompts. */
  readonly asked?: Asked
}

interface Asked {
  readonly operation: string
  readonly body: Json | undefined
  readonly prompts: Prompt[]
  readonly warnings: string[]
}

/** What every handler reads and changes: the world after its changes so far, which are applied together or not at all. */
export class DueRun implements DueContext {
  readonly draft: Draft
  readonly at: number
  /** The record that `update`, `remove` and `emit` are about. */
  place: RecordPlace | undefined
  /** The record of the operation that the handler has created or changed. */
  written: RecordPlace | undefined
  protected readonly setting: Setting
  readonly #events: Calling['events']
  readonly #replies: ReplySource
  readonly #asked: Asked
  readonly #seedOf: () => string
  readonly #origin: string
  /** The record that a function shows in events, as it was: `$jars`. */
  readonly #shown: JsonObject | undefined
  #seed: string | undefined
  readonly #places = new WeakMap<object, RecordPlace>()
  #random: Random | undefined
  #ids = 0
  #records: DueContext['records'] | undefined

  constructor(
    { setting, draft, at, seedOf, events, replies, origin = '', asked }: Calling,
    place: RecordPlace | undefined,
    shown?: JsonObject,
  ) {
    this.setting = setting
    this.#shown = shown
    this.#origin = origin
    this.draft = draft
    this.at = at
    this.#seedOf = seedOf
    this.place = place
    this.#events = events
    this.#replies = replies
    this.#asked = asked ?? { operation: '', body: undefined, prompts: [], warnings: [] }
  }

  /** From which `random` and `id` follow. */
  get seed(): string {
    this.#seed ??= this.#seedOf()
    return this.#seed
  }

  get now(): Date {
    return new Date(this.at)
  }

  get origin(): string {
    return this.#origin
  }

  get record(): JsonObject {
    return this.#shown ?? this.show(this.own('read'))
  }

  get records(): DueContext['records'] {
    this.#records ??= new Proxy<Record<string, HandlerRecords<JsonObject>>>(
      {},
      { get: (_, name) => (typeof name === 'string' ? this.#recordsOf(name) : undefined) },
    )
    return this.#records
  }

  readonly random = (): number => {
    this.#random ??= Random.for(this.seed)
    return this.#random.next()
  }

  readonly id = (prefix = ''): string => idFrom(`${this.seed}#${this.#ids++}`, { prefix })

  readonly document = (name: string, of?: RecordId): JsonObject => {
    const { scopeKey, shown } = this.#documentAt(name, of)
    return readOnly({ ...this.draft.document(name, scopeKey), ...shown })
  }

  readonly updateDocument = (name: string, fields: object, of?: RecordId): JsonObject => {
    const { model, scopeKey } = this.#documentAt(name, of)
    const { parent, field } = model
    if (field !== undefined)
      throw new Error(
        `Failed to update the document "${name}": it is the field \`${field}\` of ${parent}. Use \`records.${parent}.update(id, { ${field} })\`.`,
      )
    const given = toJson(fields)
    const facts = { schema: model.schema, others: new Set<string>(), id: undefined }
    this.#check(`update the document "${name}"`, explainGiven(given, facts))
    const record = { ...this.draft.document(name, scopeKey), ...given }
    this.draft.take([{ type: 'updated', singleton: name, scopeKey, record }])
    return readOnly(record)
  }

  /** A document's place, and what the field of the record above shows of it. */
  #documentAt(
    name: string,
    of: RecordId,
  ): { readonly model: SingletonModel; readonly scopeKey: string; readonly shown: JsonObject } {
    const { api, world } = this.setting
    const { singletons, operations } = api.model
    const model = singletons.find((one) => one.name === name)
    if (model === undefined) {
      const known = singletons.map((one) => one.name)
      throw new Error(
        `Failed to find the document "${name}".${didYouMean(name, known)} There are ${known.join(', ') || 'none'}.`,
      )
    }
    const { parent } = model
    const owner = parent === undefined ? undefined : this.records[parent]?.get(of)
    if (parent !== undefined && owner === undefined)
      throw new Error(
        `Failed to find the document "${name}": there is none of ${parent} with the id "${keyIn(of as Json)}".`,
      )
    const key = owner && this.placeOf(owner)?.key
    const keys =
      parent === undefined || key === undefined ? {} : { ...world.collection(parent).scopeOf(key), [parent]: key }
    const effect = operations.map((one) => one.effect).find((one) => 'singleton' in one && one.singleton === name)
    const scope = effect !== undefined && 'scope' in effect ? effect.scope : []
    const byName: Readonly<Record<string, string>> = keys
    const scopeKey = scope.map(({ collection, param }) => byName[collection ?? param] ?? '').join('/')
    const shown = model.field === undefined ? undefined : owner?.[model.field]
    return { model, scopeKey, shown: isJsonObject(shown) ? shown : {} }
  }

  readonly update = (fields: object): JsonObject => {
    const place = this.own('update')
    this.written = place
    return this.change(place, toJson(fields))
  }

  readonly remove = (): void => this.draft.delete(this.own('remove'))

  readonly refuse = (status: number, why: string | RefusalText = {}): never => {
    const { detail, message = detail, code, field, keeps, ...facts } = typeof why === 'string' ? { message: why } : why
    const text = message ?? `The request is refused with ${status}.`
    const changes = keeps ? this.draft.changes() : []
    throw new Refusal(status, code ?? codeOf(status), text, field, {
      facts: toJson(facts),
      changes,
    })
  }

  readonly inAccount = <T>(name: string, work: () => T): T => this.draft.ofAccount(name, work)

  readonly preview = <T>(work: () => T): T => {
    const takeBack = this.draft.mark()
    try {
      return work()
    } finally {
      takeBack()
    }
  }

  readonly emit = (type: string, record?: object): void => {
    const known = this.#events()
    if (!known.includes(type))
      throw new Error(
        `Failed to emit "${type}": neither the description nor the library entry declares it.${didYouMean(type, known)} There are ${known.join(', ') || 'none'}.`,
      )
    this.draft.emit((record && this.placeOf(record)) ?? this.own('emit an event of'), type)
  }

  readonly #promptOf = (talk: Talk): Prompt => toPrompt(talk, talk.operation ?? this.#asked.operation)

  readonly reply = (talk: Talk): ModelReply => {
    const { body, warnings } = this.#asked
    return replyTo(
      this.#replies,
      { body, ...talk },
      { prompt: talk.textless ? this.#promptOf(talk) : this.notePrompt(talk), at: this.at, warnings },
    )
  }

  readonly notePrompt = (talk: Talk): Prompt => {
    const { prompts } = this.#asked
    const prompt = this.#promptOf(talk)
    if (prompts.length < MOST_PROMPTS) prompts.push(toLoggedPrompt(prompt))
    return prompt
  }

  readonly sample = (schema: unknown, key = ''): Json => this.#replies.sample(schema, `${this.seed}${key}`)

  readonly tokens = (of: string | Talk): number => (typeof of === 'string' ? countTokens(of) : countTalk(of))

  readonly embeddings = (texts: readonly string[], size: number): readonly (readonly number[])[] => {
    const { body, operation } = this.#asked
    const wanted = texts.map((text) => {
      const prompt = toPrompt({ model: '', messages: [{ role: 'user', text }] }, operation)
      return this.#replies.scripts.takeReply({ prompt, body, isEmbedding: true }, this.at)?.embedding ?? text
    })
    return this.draft.inSlices(embedTexts(wanted, size))
  }

  /** The record of a place, read-only. Throws where it is gone. */
  protected show(place: RecordPlace): JsonObject {
    const record = this.draft.get(place.collection, place.key)
    if (record === undefined) throw new Error(`Failed to read "${place.key}" of ${place.collection}: it was removed.`)
    this.#places.set(record, place)
    return readOnly(record)
  }

  /** The place of a record that this handler has read, or of one with its id in `collection`. */
  placeOf(record: object, collection?: string): RecordPlace | undefined {
    const known = this.#places.get(record)
    if (known !== undefined || collection === undefined) return known
    const key = keyOf(this.setting.world.collection(collection).model, record as JsonObject)
    return key === undefined || this.draft.get(collection, key) === undefined ? undefined : { collection, key }
  }

  /** Creates a record; drops fields of the request's body that no record has. */
  protected make(collection: string, fields: JsonObject, matches?: readonly ScopeMatch[], sent?: Json): JsonObject {
    const { world, api } = this.setting
    const { givenFields } = api.collection(collection)
    const view = world.collection(collection)
    const kept = isJsonObject(sent) ? withoutUnknown(fields, sent, givenFields) : fields
    const below = matches ? { matches, rest: kept } : findParent(world, view.model, kept, view.created)
    this.#check(`create ${view.model.singular}`, explainGiven(below.rest, givenFields))
    const given = { ...below.rest, ...withScope(view.model, matches ? below.rest : {}, below.matches) }
    const { key } = this.draft.create(collection, given, below.matches)
    return this.show({ collection, key })
  }

  /** Sets fields of a record, with the times of a new status and of the change. */
  protected change(place: RecordPlace, given: JsonObject, sent?: Json): JsonObject {
    const { collection, key } = place
    const { world, api } = this.setting
    const { model, writer } = world.collection(collection)
    const { givenFields } = api.collection(collection)
    const record = this.show(place)
    const differing = Object.entries(given).filter(([name, value]) => !isSame(record[name], value))
    const changed = Object.fromEntries(differing)
    const fields = isJsonObject(sent) ? withoutUnknown(changed, sent, givenFields) : changed
    const id = model.id.field && readField({ ...record, ...fields }, model.id.field)
    const isMoved = model.id.field !== undefined && !isSame(id, readField(record, model.id.field))
    const fault = isMoved ? `Expected it to keep its id, got ${JSON.stringify(id)}.` : explainGiven(fields, givenFields)
    this.#check(`update ${model.singular} "${key}"`, fault)
    const { statusField } = model
    const status = statusField === null ? undefined : readField({ ...record, ...fields }, statusField)
    const isNewStatus = statusField !== null && status !== undefined && !isSame(status, readField(record, statusField))
    const merged = { ...record, ...fields }
    const reached = isNewStatus ? { ...writer.setStatus(merged, statusField, status, this.at), ...fields } : merged
    const updated = model.timestamps.updated
    const touched =
      updated !== undefined && Object.hasOwn(fields, updated[0] ?? '') ? reached : writer.touch(reached, this.at)
    this.draft.update(place, touched)
    return this.show(place)
  }

  #check(doing: string, fault: string | undefined): void {
    if (fault !== undefined) throw new Error(`Failed to ${doing}: ${fault}`)
  }

  protected own(doing: string): RecordPlace {
    if (this.place !== undefined) return this.place
    throw new Error(
      `Failed to ${doing} the record of the request: it names none. Say which one: \`records.<collection>.update(id, fields)\`.`,
    )
  }

  #recordsOf(name: string): HandlerRecords<JsonObject> {
    const { model } = this.setting.world
    if (!this.setting.world.dataset.tables.has(name)) {
      if (model.singletons.some((one) => one.name === name))
        throw new Error(
          `Failed to find the collection "${name}": it is a document. Read it with \`document('${name}')\`, change it with \`updateDocument('${name}', fields)\`.`,
        )
      const known = model.collections.map((collection) => collection.name)
      throw new Error(
        `Failed to find the collection "${name}".${didYouMean(name, known)} There are ${known.join(', ') || 'none'}.`,
      )
    }
    const select = (test: RecordTest<JsonObject> | undefined, most?: number): JsonObject[] => {
      const found = this.draft.select(name, testsOf(test), {
        ...(typeof test === 'function' && { matches: (record) => test(readOnly(record)) }),
        ...(most !== undefined && { most }),
      })
      for (const { key, record } of found) this.#places.set(record, { collection: name, key })
      const run = allReadOnly(found)
      return found.some(({ key }) => this.draft.hasChanged(name, key)) ? runToEnd(run) : this.draft.inSlices(run)
    }
    const find = (id: RecordId): RecordPlace | undefined => {
      const known = typeof id === 'object' && id !== null ? this.placeOf(id, name) : undefined
      const text = known?.key ?? keyIn(id as Json)
      if (text === undefined) return undefined
      const key = this.draft.get(name, text) === undefined ? this.setting.world.collection(name).findIn(text, []) : text
      return key === undefined || this.draft.get(name, key) === undefined ? undefined : { collection: name, key }
    }
    const get = (id: RecordId, doing: string): RecordPlace => {
      const place = find(id)
      if (place !== undefined) return place
      throw new Error(`Failed to ${doing} "${keyIn(id as Json)}" of ${name}: there is none with that id.`)
    }
    return {
      get: (id) => {
        const place = find(id)
        return place && this.show(place)
      },
      find: (test) => select(test, 1)[0],
      where: (test) => select(test),
      some: (test) => select(test, 1).length > 0,
      count: (test) => (typeof test === 'function' ? select(test).length : this.draft.count(name, testsOf(test))),
      create: (fields) => this.make(name, toJson(fields)),
      update: (id, fields) => this.change(get(id, 'update'), toJson(fields)),
      remove: (id) => this.draft.delete(get(id, 'remove')),
      [Symbol.iterator]: () => select(undefined)[Symbol.iterator](),
    }
  }
}

/** Does what the API would do without a handler: the answer, and the record that it is about. */
type Next = (narrowed?: ListNarrowing) => Answered & { readonly place?: RecordPlace | undefined }

/** A handler's call for a request. */
export class HandlerContext extends DueRun implements OperationContext {
  /** The answer of {@link next}. */
  default: Answered | undefined
  /** The request with its operation and all that was parsed. */
  readonly parsed: ApiCall
  readonly #next: Next
  readonly #perform: (asked: { method: string; path: string; body: object }) => ApiResponse

  /**
   * @param next what the API would do without the handler
   * @param perform does another operation
   */
  constructor(
    { prompts, warnings, ...calling }: Omit<Calling, 'at' | 'seedOf' | 'asked'> & Pick<Asked, 'prompts' | 'warnings'>,
    call: ApiCall,
    place: RecordPlace | undefined,
    { next, perform }: { next: Next; perform: (asked: { method: string; path: string; body: object }) => ApiResponse },
  ) {
    const asked = { operation: call.operation.id, body: call.body.value, prompts, warnings }
    super({ ...calling, at: call.at, seedOf: () => seedOf(calling.setting, call), asked }, place)
    this.parsed = call
    this.#next = next
    this.#perform = perform
  }

  get path(): Readonly<Record<string, string>> {
    const { params, operation } = this.parsed
    const values = operation.parameters.flatMap(({ name, in: place, schema }) =>
      place === 'path' && params[name] !== undefined && schema ? [[name, coerce(params[name], schema)]] : [],
    )
    return { ...params, ...Object.fromEntries(values) }
  }

  get ahead(): number {
    return this.parsed.at - this.parsed.realAt
  }

  get query(): Readonly<Record<string, Json>> {
    return this.parsed.query.values
  }

  get headers(): Readonly<Record<string, string>> {
    return this.parsed.request.headers
  }

  get body(): JsonObject {
    const { value = {} } = this.parsed.body
    return value as JsonObject
  }

  override get origin(): string {
    return this.parsed.request.origin
  }

  get files(): readonly SentFile[] {
    return filesOf(this.parsed)
  }

  get key(): string | null {
    return this.parsed.key
  }

  override get record(): JsonObject {
    // Typed by the operation: only one that names a record has it.
    return (this.place && this.show(this.place)) as JsonObject
  }

  get parent(): JsonObject | undefined {
    const { effect } = this.parsed.operation
    const param = 'scope' in effect ? effect.scope.at(-1) : this.#lastInPath()
    if (param?.collection === undefined) return undefined
    return this.show({ collection: param.collection, key: requireParent(this.setting, this.parsed, param) })
  }

  /** The last parameter of the path, where the path up to it reads a record. */
  #lastInPath(): ScopeParam | undefined {
    const { path } = this.parsed.operation
    const above = path.slice(0, path.lastIndexOf('}') + 1)
    const read = this.setting.api.model.operations.find((one) => one.effect.kind === 'read' && one.path === above)
    const [key, ...others] = read?.effect.kind === 'read' ? read.effect.keys : []
    if (read?.effect.kind !== 'read' || key === undefined || others.length > 0) return undefined
    return { param: key.param, collection: read.effect.collection, field: undefined, key: key.field }
  }

  readonly create = (fields: object): JsonObject => {
    const { effect, id } = this.parsed.operation
    if (!('collection' in effect))
      throw new Error(
        `Failed to create a record: ${id} has no collection. Use \`records.<collection>.create(fields)\`.`,
      )
    const matches = toScopeMatches(this.setting, this.parsed, 'scope' in effect ? effect.scope : [])
    const { compiled, body } = this.parsed
    const { defaults } = compiled.intakeOf(body.schema)
    const record = this.make(effect.collection, { ...defaults, ...toJson(fields) }, matches, body.value)
    this.written = this.placeOf(record)
    this.place = this.written
    return record
  }

  override readonly update = (fields: object): JsonObject => {
    const place = this.own('update')
    this.written = place
    return this.change(place, toJson(fields), this.parsed.body.value)
  }

  readonly next = (narrowed?: ListNarrowing): JsonObject => {
    const { id, effect } = this.parsed.operation
    if ((narrowed?.where ?? narrowed?.ignore) !== undefined && effect.kind !== 'list' && effect.kind !== 'search')
      throw new Error(`Failed to narrow the answer of ${id}: it lists no records. Call \`next()\` without an argument.`)
    return this.nextChanged((changes) => changes, narrowed)
  }

  /** As {@link next}, with its changes adjusted. */
  nextChanged(adjust: (changes: readonly Change[]) => readonly Change[], narrowed?: ListNarrowing): JsonObject {
    const answered = this.#next(narrowed)
    const changes = adjust(answered.changes).map((change) => this.#over(change))
    this.default = answered
    this.written = undefined
    this.draft.take(changes)
    const [first] = changes
    const changed = first === undefined || 'singleton' in first ? answered.place : first
    if (changed !== undefined) this.place = { collection: changed.collection, key: changed.key }
    const isThere = changed !== undefined && this.draft.get(changed.collection, changed.key) !== undefined
    // Typed by the operation, whose answer may be of any form.
    return (isThere ? this.record : jsonOf(answered.response)) as JsonObject
  }

  readonly advance = (to: Date): void => {
    this.draft.advanceTo = to.getTime()
  }

  readonly respond = ({ status, headers, body }: WrittenAnswer): WholeAnswer => {
    const isWhole = typeof body === 'string' || body instanceof Uint8Array
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream'
    const isTyped = body === undefined || Object.keys(headers ?? {}).some((name) => /^content-type$/i.test(name))
    return new WholeAnswer({
      status: status ?? this.parsed.operation.success.status,
      headers: { ...(!isTyped && { 'Content-Type': isWhole ? type : 'application/json; charset=utf-8' }), ...headers },
      body: body === undefined ? null : isWhole ? body : JSON.stringify(body),
    })
  }

  readonly stream = (events: Iterable<StreamEvent>, options: StreamOptions = {}): WholeAnswer => {
    const { success } = this.parsed.operation
    return new WholeAnswer(
      answerStream(events, options, { success, seed: this.seed, errorEvent: this.setting.entryEffects?.errorEvent }),
    )
  }

  readonly call = (method: string, path: string, fields: object = {}): CallAnswer => {
    const response = this.#perform({ method, path, body: toJson(fields) })
    return { status: response.status, body: jsonOf(response) as JsonObject }
  }

  readonly signToken = (claims: object, header: object = {}): string =>
    this.setting.signer.sign(toJson(claims), toJson(header))

  readonly readToken = (token: string): JsonObject | undefined => this.setting.signer.read(token)

  readonly page = (show: (sent: SentForm | undefined) => Page | PageRedirect): WholeAnswer => {
    const { request } = this.parsed
    const token = this.setting.signer.codeFor(request.path).slice(0, 22)
    const sent = request.method === 'POST' ? fieldsOfForm(request.body) : undefined
    const site = sent && faultOfForm(request.headers, request.origin)
    const isOld = sent !== undefined && !isSecret(token)(tokenIn(sent))
    const fault = site ?? (isOld ? 'This form is not of this page. Open the page again.' : undefined)
    const alert = {
      title: 'Something went wrong',
      parts: [{ alert: fault ?? '' }],
      status: site === undefined ? 400 : 403,
    }
    const shown = fault === undefined ? show(sent) : alert
    return new WholeAnswer('to' in shown ? redirectTo(shown.to) : writePage(shown, { token }))
  }

  /** A change by `next` of a record that the handler has changed before: both apply. */
  #over(change: Change): Change {
    if ('singleton' in change || change.type === 'deleted') return change
    const { collection, key } = change
    if (!this.draft.hasChanged(collection, key)) return change
    const drafted = this.draft.get(collection, key)
    const before = this.setting.world.collection(collection).get(key)
    if (change.type === 'created' || before === undefined || drafted === undefined)
      throw new Error(
        `Failed to call \`next\`: the handler has created or removed "${key}" of ${collection} before. Call it first.`,
      )
    const changed = Object.entries(change.record).filter(([name, value]) => !isSame(before[name], value))
    return { ...change, record: { ...drafted, ...Object.fromEntries(changed) } }
  }
}

/** From which a request's draws and ids follow. */
function seedOf(setting: Setting, { request, at }: ApiCall): string {
  const sent = `${request.headers['idempotency-key'] ?? ''}${Buffer.from(request.body).toString('latin1')}`
  const seed = `${setting.seed}${at}${request.path}${hashText(sent).toString(36)}`
  const earlier = setting.countAt(at, seed)
  return earlier === 0 ? seed : `${seed}/${earlier}`
}

/** The record of the request, which must be there unless the operation would create it. */
export function placeNamed(setting: Setting, call: ApiCall): RecordPlace | undefined {
  const { effect } = call.operation
  if (!('keys' in effect) || effect.keys.length === 0 || ('many' in effect && effect.many)) return undefined
  const found =
    'upsert' in effect && effect.upsert ? findRecord(setting, call, effect) : getRecord(setting, call, effect)
  if (call.operation.method !== 'GET') requireCurrent(setting, call, found)
  return found && { collection: effect.collection, key: found.key }
}

/** Values as they are kept: a moment becomes a text, an absent value is left out. */
function toJson(fields: object): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(fields) ?? 'null')
  if (isJsonObject(value)) return value
  throw new Error(`Expected the fields of a record to be an object, got ${JSON.stringify(value)}.`)
}

/** The same value, frozen: records are shared, and changed only by `update`. */
function readOnly<T extends Json>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) readOnly(inner)
  return Object.freeze(value)
}

function* allReadOnly(found: readonly Drafted[]): Generator<undefined, JsonObject[]> {
  const records: JsonObject[] = []
  for (const { record } of found) {
    records.push(readOnly(record))
    yield
  }
  return records
}

function testsOf(test: RecordTest<JsonObject> | undefined): ValueTest[] {
  if (test === undefined || typeof test === 'function') return []
  return Object.entries(test).flatMap(([field, wanted]): ValueTest[] =>
    wanted === undefined ? [] : [{ path: field.split('.'), test: (value) => isSame(value, wanted) }],
  )
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields without those of the body that records do not have: `{ ...body }` may hold a card's number. */
function withoutUnknown(fields: JsonObject, sent: JsonObject, given: GivenFields): JsonObject {
  const names = allNames(given.schema)
  const isUnknown = ([name, value]: [string, Json]) =>
    Object.hasOwn(sent, name) &&
    isSame(sent[name], value) &&
    !names.has(name) &&
    explainGiven({ [name]: value }, given) !== undefined
  return Object.fromEntries(Object.entries(fields).filter((field) => !isUnknown(field)))
}

/** The files of a form, or the body itself: `field`, `name`, `type`, `size`, and `base64` for small ones. */
function filesOf({ operation, body: { mediaType }, request: { body, headers } }: ApiCall): SentFile[] {
  // The parts of `multipart/related` have no names: its handler reads them.
  const isWhole = mediaType === 'application/octet-stream' || mediaType === 'multipart/related'
  if (isWhole || (body.length > 0 && takesBytes(operation))) return [toFile('', '', mediaType, body)]
  if (!mediaType.startsWith('multipart/')) return []
  return (splitMultipart(body, headers['content-type'] ?? '') ?? []).flatMap(({ name, file, mediaType, latin1 }) =>
    file === undefined ? [] : [toFile(name, file, mediaType ?? null, Buffer.from(latin1, 'latin1'))],
  )
}

function toFile(field: string, name: string, type: string | null, bytes: Uint8Array): SentFile {
  const size = bytes.length
  return { field, name, type, size, base64: size > KEPT_UPLOAD_BYTES ? null : Buffer.from(bytes).toString('base64') }
}
