import { eventKinds } from '../../names/event-kinds.ts'
import { badRequest } from '../../protocol/errors.ts'
import { getOwn, isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { belowBase } from '../../protocol/path-pattern.ts'
import type { SignInCommand, SignInOutcome } from '../../protocol/sign-in-command.ts'
import type { ValidationMode } from '../../protocol/simulation.ts'
import { checkerOf } from '../../schema/checker.ts'
import { describeProblem } from '../../schema/problem.ts'
import { actAsOwner } from '../sign-in/act-as-owner.ts'
import type { Change } from '../world/change.ts'
import { PART } from '../world/collection-states.ts'
import { keyOf } from '../world/field.ts'
import type { JournaledMap } from '../world/journaled-map.ts'
import type { World } from '../world/world.ts'
import type { Setting } from './calls/call.ts'
import { TokenSigner } from './calls/token-signer.ts'
import type { CompiledApi } from './compiled/compiled-api.ts'
import type { ApiRequest, ApiResponse } from './exchange.ts'
import { resolveValue } from './expressions/evaluate.ts'
import type { EntryEffects } from './facts/entry-effects.ts'
import type { AcceptedKeys } from './find-key.ts'
import { DueRun } from './handlers/handler-context.ts'
import { Handlers } from './handlers/handlers.ts'
import { callHandler, type HandlerLink, type HandlerSurroundings } from './handlers/run-handlers.ts'
import { type AccessToken, openSignIn, readAccessToken, type SignInParts, toCall } from './handlers/sign-in-handler.ts'
import type { UserFunctions } from './handlers/user-functions.ts'
import { IdempotencyKeys, type RememberedAnswer } from './idempotency.ts'
import { PageWords } from './listing/page-words.ts'
import { declaredHeaders } from './operations/declared-headers.ts'
import { ErrorBodies } from './presentation/error-bodies.ts'
import type { ErrorFacts } from './presentation/error-rows.ts'
import { Presenter } from './presentation/presenter.ts'
import { Projector } from './presentation/project.ts'
import { Draft, type RecordPlace } from './records/draft.ts'
import { NO_SCRIPTS, type ReplySource, type ScriptBook } from './replies/replies.ts'
import type { RequestContext } from './request-context.ts'
import { RuleSubject } from './rules/rule-subject.ts'

const NO_LINKS: readonly HandlerLink[] = []

export interface SimulatedApiOptions {
  readonly api: CompiledApi
  readonly world: World
  readonly seed: string
  /** From which its signing keys and the codes of a sign-in follow. @default the seed */
  readonly secret?: string | undefined
  readonly validation: ValidationMode
  readonly lenientParents: boolean
  /** Whether keys are accepted outside the declared places. @default false */
  readonly lenientKeys?: boolean | undefined
  /** Answers to requests with an idempotency key. @default none yet */
  readonly answers?: JournaledMap<RememberedAnswer> | undefined
  readonly entryEffects?: EntryEffects | undefined
  /** The keys of the simulation. @default none */
  readonly keys?: AcceptedKeys | undefined
  /** Functions of users, before the rows of an entry. @default none */
  readonly functions?: UserFunctions | undefined
  /** Types of events that handlers may emit. @default our own kinds */
  readonly events?: (() => readonly string[]) | undefined
  /** Scripts of language models. @default none */
  readonly scripts?: ScriptBook | undefined
  /** Whether a language model answers only by a script. @default false */
  readonly isStrict?: boolean | undefined
}

/**
 * The API of a description, over the data of one world. Synchronous and without a clock: its operations read the world
 * and return changes. It only writes the answers to requests with an idempotency key.
 */
export class SimulatedApi implements Setting, HandlerSurroundings {
  readonly api: CompiledApi
  readonly world: World
  readonly seed: string
  readonly validation: ValidationMode
  readonly lenientParents: boolean
  readonly lenientKeys: boolean
  readonly entryEffects: EntryEffects | undefined
  readonly presenter: Presenter
  readonly pageWords = new PageWords()
  readonly signer: TokenSigner
  /** Undefined for an API without a sign-in. */
  readonly signIn: SignInParts | undefined
  readonly idempotency: IdempotencyKeys
  readonly functions: UserFunctions | undefined
  readonly events: () => readonly string[]
  readonly replies: ReplySource
  /** Undefined where no operation can have one. */
  readonly #handlers: Handlers | undefined
  readonly #errors: ErrorBodies
  readonly #counted = { at: Number.NaN, texts: new Map<string, number>() }

  constructor(options: SimulatedApiOptions) {
    const {
      api,
      world,
      seed,
      validation,
      lenientParents,
      lenientKeys = false,
      answers,
      entryEffects,
      functions,
    } = options
    const projector = new Projector(world.dataset)
    this.api = api
    this.world = world
    this.seed = seed
    this.validation = validation
    this.lenientParents = lenientParents
    this.lenientKeys = lenientKeys
    this.entryEffects = entryEffects
    this.presenter = new Presenter(api.model, projector)
    const { secret = seed, keys = new Set<string>() } = options
    const { signIn } = api.model
    const keyRecords = signIn?.collectionNames.signing_keys
    const rotations = keyRecords === undefined ? undefined : () => world.collection(keyRecords).count
    this.signer = new TokenSigner(secret, rotations)
    this.signIn = openSignIn(api.model, { secret, keys, world, signer: this.signer })
    this.idempotency = new IdempotencyKeys(answers, entryEffects?.hasKeysOnce)
    this.functions = functions
    this.events = options.events ?? (() => eventKinds(api.model))
    this.replies = {
      seed,
      scripts: options.scripts ?? NO_SCRIPTS,
      isStrict: options.isStrict ?? false,
      repliers: functions?.repliers ?? [],
      sample: (schema, key) =>
        projector.project(undefined, isJsonObject(schema) ? api.model.reader.readApart(schema) : undefined, key),
      explainMisfit: (given, value) => {
        const schema = isJsonObject(given) ? api.model.reader.readApart(given) : undefined
        const problem = schema && checkerOf(schema, { direction: 'response' })(value)
        return problem && describeProblem(problem, 'value')
      },
      noteFault: (name, error) => functions?.noteFault(name, error),
    }
    if (entryEffects !== undefined || signIn !== undefined || (functions !== undefined && functions.names.length > 0))
      this.#handlers = new Handlers(this, entryEffects, functions)
    this.#errors = new ErrorBodies(api.model, projector, entryEffects?.errors)
  }

  countAt(at: number, text: string): number {
    if (this.#counted.at !== at) this.#counted.texts.clear()
    this.#counted.at = at
    const count = this.#counted.texts.get(text) ?? 0
    this.#counted.texts.set(text, count + 1)
    return count
  }

  /** An access token of the sign-in, with its scopes and whether it is over; undefined for any other text. */
  accessToken(secret: string, at: number): AccessToken | undefined {
    return this.signIn && readAccessToken(this.signIn, secret, at)
  }

  /** Does what the owner asks of the sign-in; the caller applies the changes. Throws `bad_request`. */
  actOnSignIn(
    asked: SignInCommand,
    { at, realAt, origin }: { readonly at: number; readonly realAt: number; readonly origin: string },
  ): { outcome: SignInOutcome; changes: readonly Change[] } {
    if (this.signIn === undefined) throw badRequest('Failed to sign a user in: this simulation has no sign-in.')
    const draft = new Draft(this.world, at, [])
    const { records } = new DueRun(
      { setting: this, draft, at, seedOf: () => this.seed, events: this.events, replies: this.replies },
      undefined,
    )
    const visit = {
      step: 'token' as const,
      method: 'POST',
      path: '',
      origin,
      headers: {},
      params: this.signIn.signIn.tenants === undefined ? {} : { tenant: this.signIn.signIn.tenants.id },
      fields: {},
      body: {},
    } satisfies Parameters<typeof toCall>[1]
    const call = toCall(this.signIn, visit, { draft, at, realAt, records, drawn: JSON.stringify(asked) })
    return { outcome: actAsOwner(call, asked), changes: draft.changes() }
  }

  /** What answers a request, in order: functions of the test, and handlers. None: the model alone. */
  linksOf({ request, route }: RequestContext): readonly HandlerLink[] {
    const compiled = route?.compiled
    const links = (compiled && this.#handlers?.of(compiled.operation)) ?? NO_LINKS
    if (this.functions === undefined || !this.functions.hasResponders) return links
    const subject = new RuleSubject(request, compiled, this.api.model.basePaths)
    const responders = this.functions
      .respondersOf(subject)
      .map(({ id, name, handler }): HandlerLink => ({ name, handler, isUsers: true, responder: id }))
    return [...responders, ...links]
  }

  /** Runs what a `due` step names, on one record, among those of its account. Throws a `Refusal`. @param origin address of the simulation, once it is known */
  runDue(name: string, place: RecordPlace, draft: Draft, at: number, origin?: string): void {
    const seed = `${name}/${place.key}/${at}`
    const { entryEffects, world, functions } = this
    const accounts = entryEffects?.accounts
    const part = world.collection(place.collection).scopeOf(place.key)[PART] ?? ''
    world.inPart(accounts && { ...accounts, name: part }, () => {
      const handler = functions?.named(name)[0]
      if (handler === undefined) return
      const { events, replies } = this
      const run = new DueRun({ setting: this, draft, at, seedOf: () => seed, events, replies, origin }, place)
      const link = { name, handler: handler as (run: DueRun) => unknown, isUsers: true }
      callHandler<DueRun, void>(functions, link, run, () => {})
    })
  }

  /** An error in the description's form, else `{ error: { code, message } }`. */
  refuse(context: RequestContext, error: ErrorFacts, headers?: Record<string, string>): ApiResponse {
    const { request, route } = context
    const operation = route?.compiled.operation
    const own = operation && this.entryEffects?.rowOf(operation)?.facts
    // A spread does not copy the message of an Error.
    const { message } = error
    const entryHeaders = this.#entryHeaders(context)
    const { id, collection = '' } = error.facts ?? {}
    const { nouns = {}, parameters = {}, accounts } = this.entryEffects ?? {}
    const isAccount = accounts?.hidden === true && error.code === 'not_found' && collection === accounts.of
    const outOfReach = isAccount ? { status: 403, code: 'unknown_account' } : {}
    const singular = getOwn(nouns, String(collection))
    const inPath = Object.entries(route?.params ?? {}).find(([, value]) => value === id)?.[0]
    const parameter = inPath && (getOwn(parameters, String(collection)) ?? inPath)
    const named = { ...(singular && { singular }), ...(parameter && { parameter }) }
    const facts = { ...entryHeaders, path: this.#pathBelow(request), ...own, ...error.facts, ...named }
    const response = this.#errors.write(operation, { ...error, message, ...outOfReach, facts })
    const whole = { ...response, headers: { ...entryHeaders, ...response.headers, ...headers } }
    const declared = route && declaredHeaders(this, context, { response: whole, changes: [] })
    return { ...whole, headers: { ...declared, ...whole.headers } }
  }

  /** The request's path below the base path of the servers. */
  #pathBelow({ path }: ApiRequest): string {
    const inside = this.api.model.basePaths.map((base) => belowBase(path, base))
    return inside.find((one) => one !== undefined)?.path ?? path
  }

  /** An answer with the entry's headers. */
  withEntryHeaders(context: RequestContext, response: ApiResponse): ApiResponse {
    const own = this.#entryHeaders(context)
    const { headers } = response
    return { ...response, headers: context.repeated ? { ...headers, ...own } : { ...own, ...headers } }
  }

  #entryHeaders({ request, at, key, repeated }: RequestContext): Record<string, string> {
    const { entryEffects, world, seed } = this
    const isPlain = entryEffects === undefined || Object.keys(entryEffects.headers).length === 0
    if (entryEffects === undefined || (isPlain && this.signIn === undefined)) return {}
    const { method, path, query } = request
    const sent = [seed, at, method, path, query].join(' ')
    const earlier = this.countAt(at, sent)
    const own: Record<string, string> = {}
    const first = repeated === undefined ? own : textsOf(repeated.headers)
    const isRepeated = repeated !== undefined
    const scope = {
      draft: new Draft(world, at, []),
      names: { entry: entryEffects.facts, request: { header: { ...request.headers }, isRepeated, first } },
      at,
      seed: earlier === 0 ? sent : `${sent} ${earlier}`,
    }
    for (const [name, value] of Object.entries(entryEffects.headers)) {
      const text = resolveValue(value, scope, name)
      if (text !== undefined && text !== null) own[name] = String(text)
    }
    return { ...own, ...this.#scopesOf(key, at) }
  }

  /** The header with the scopes of an access token, where the provider has one. */
  #scopesOf(key: string | null, at: number): Record<string, string> {
    const { header, separator } = this.signIn?.signIn.scopes ?? {}
    const token = header === undefined || key === null ? undefined : this.accessToken(key, at)
    return header === undefined || token === undefined ? {} : { [header]: token.scopes.join(`${separator} `) }
  }

  /** A record as in its item read: `data.object` of its events. */
  present(collection: string, record: JsonObject): Json {
    const { presenter, world, seed, functions, events, replies } = this
    const name = `$${collection}`
    const handler = functions?.named(name)[0] as ((view: DueRun) => unknown) | undefined
    if (handler !== undefined) {
      const draft = new Draft(world, 0, [])
      const view = new DueRun({ setting: this, draft, at: 0, seedOf: () => seed, events, replies }, undefined, record)
      return callHandler(functions, { name, handler, isUsers: true }, view, (shown) => (shown ?? null) as Json)
    }
    const key = keyOf(world.collection(collection).model, record) ?? ''
    return presenter.showOnce(collection, { key, record }, presenter.itemSchema(collection))
  }
}

const textsOf = (headers: ApiResponse['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
