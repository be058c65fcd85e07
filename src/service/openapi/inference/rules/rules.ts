import { isSameNoun } from '../../../../names/nouns.ts'
import { verbOf } from '../../../../names/verbs.ts'
import type { Effect, Reason } from '../../model.ts'
import { componentOf } from '../bodies/bodies.ts'
import { findList } from '../bodies/shapes.ts'
import { isRecordOf, recordEnvelope } from '../collections/envelopes.ts'
import { keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import { type PathSite, type Placed, shownAt } from '../paths/sites.ts'
import { callerRules, readRules } from './read-rules.ts'
import { collectionRules, create, itemRules } from './record-rules.ts'
import { requestRules } from './request-rules.ts'
import { type Case, EXAMPLE, type Rule, type Survey, toCase } from './rule.ts'
import { documentAction, hasVerb, isDocument, searchRules, verbRules } from './verb-rules.ts'

/** Rules for writes to paths that end in a word that is no verb: `PUT /tasks/{id}/position`. */
const writeRules: readonly Rule[] = [
  {
    name: 'part-of-record',
    example: 'PUT /cards/{id}/pos',
    confidence: 'likely',
    find: ofWrites(/POST|PUT|PATCH/, (operation, { build }, site) => {
      const { around, word } = operation
      if (!around?.isRecord || site.own.has('GET')) return undefined
      return build.action(operation, around.collection, around.steps, word)
    }),
  },
  {
    name: 'document-write',
    example: 'PUT /tasks/{id}/settings',
    confidence: 'certain',
    // `PUT /users/change-password`: nothing reads what it writes.
    isGuess: ({ site }) => site?.own.has('GET') !== true,
    find: ofWrites(/^(PUT|PATCH|DELETE|POST)$/, (operation, { build }, site) => {
      const { draft, around } = operation
      const { method } = draft
      const isWhole = isDocument(site)
      const isPut = method === 'PUT' || method === 'PATCH'
      const isPost = method === 'POST' && verbOf(draft)?.kind !== 'action'
      if (!(isWhole && (isPost || method === 'DELETE')) && !(isPut && (isWhole || !around))) return undefined
      const kind = method === 'PUT' ? 'singletonReplace' : method === 'DELETE' ? 'singletonDelete' : 'singletonUpdate'
      return build.singleton(operation, site, kind)
    }),
  },
  {
    name: 'action-by-noun',
    example: 'POST /tasks/archive-job',
    confidence: 'guess',
    find: ofWrites(/./, (operation, { build }) => {
      const { around, word } = operation
      return around && build.action(operation, around.collection, around.steps, word)
    }),
  },
]

function ofWrites(
  methods: RegExp,
  find: (operation: Case, survey: Survey, site: PathSite) => Effect | undefined,
): Rule['find'] {
  return (operation, survey) => {
    const { place, site, isRead, draft } = operation
    const isWrite = place === 'word' && !isRead && methods.test(draft.method) && !hasVerb(operation)
    return isWrite && site ? find(operation, survey, site) : undefined
  }
}

/** Rules for operations wherever their path leads. */
const generalRules: readonly Rule[] = [
  {
    name: 'part-answers-with-record',
    example: 'POST /carts/{id}/items, which answers with the cart',
    confidence: 'likely',
    // `POST /visits/{id}/triage`, which refuses a status and sets none.
    isGuess: (_, __, effect) =>
      effect.kind === 'action' &&
      effect.refusal !== undefined &&
      (effect.toStatus ?? effect.sets.find(({ to }) => to !== 'now')) === undefined,
    // The items are not read separately. The carts of Shopware, Spree and WooCommerce are documents.
    find: (operation, survey) => {
      const { place, site, draft, shape, outer, isRead, answer } = operation
      const { build, catalogue } = survey
      const isShown =
        site?.own.has('GET') || [...(site?.items.values() ?? [])].some(({ operations }) => operations.has('GET'))
      if (place === 'verb' || isRead || isShown) return undefined
      const above = catalogue.sites.get(keyOfSteps(outer))
      if (above && componentOf(answer) && componentOf(answer) === componentOf(shownAt(above)))
        return documentAction(survey, operation)
      const parent = catalogue.around(outer)
      if (!parent?.isRecord || isSameNoun(lastStatic(shape.base), parent.collection.noun)) return undefined
      return isRecordOf(recordEnvelope(draft, parent.collection), parent.collection)
        ? build.action(operation, parent.collection, parent.steps, lastStatic(shape.steps))
        : undefined
    },
  },
]

/** Rules for paths that contain the verb: `/users.list`, `/transactions/get`. */
const callRules: readonly Rule[] = [
  {
    name: 'call',
    example: 'GET /users.list, POST /users.update { id }',
    confidence: 'certain',
    find: callEffect,
  },
  {
    name: 'call-that-acts',
    example: 'POST /channels.archive { channel }',
    confidence: 'likely',
    find: ({ call, ...operation }, { build }) =>
      call?.collection && call.kind !== 'read'
        ? build.action(operation, call.collection, call.collection.site.steps, call.word)
        : undefined,
  },
]

function callEffect(operation: Case, survey: Survey): Effect | undefined {
  const { call, call: { collection } = {} } = operation
  const { addressing, build } = survey
  if (!call || !collection) return undefined
  switch (call.kind) {
    case 'list':
    case 'search':
      return build.list(operation, collection, call.kind)
    case 'create':
      return create(operation, survey, collection)
    case 'action':
      return undefined
    default: {
      const key = addressing.keyInRequest(operation, collection)
      if (key) return build.one(operation, collection, call.kind, { key })
      const isList = call.kind === 'read' && findList(operation.answer, collection.noun) !== undefined
      return isList ? build.list(operation, collection, 'list') : undefined
    }
  }
}

/** The rules by which the effect of an operation is found, read top down: the first that applies decides. */
export const RULES: readonly Rule[] = [
  ...generalRules,
  ...callRules,
  ...itemRules,
  ...searchRules,
  ...collectionRules,
  ...callerRules,
  ...readRules,
  ...verbRules,
  ...writeRules,
]

/** Rules about what the request names. They come first where the path leaves the effect unsure. */
export const REQUEST_RULES: readonly Rule[] = requestRules

/** Finds the effects of operations by the rules, except those with a name in `leftOut`. */
export class EffectFinder {
  readonly #survey: Survey
  readonly #rules: readonly Rule[]
  readonly #requestRules: readonly Rule[]

  constructor(survey: Survey, leftOut: ReadonlySet<string>) {
    const isUsed = ({ name }: Rule): boolean => !leftOut.has(name)
    this.#survey = survey
    this.#rules = RULES.filter(isUsed)
    this.#requestRules = REQUEST_RULES.filter(isUsed)
  }

  /** The effect of an operation on the data, and the rule that found it. */
  find(placed: Placed): { readonly effect: Effect; readonly reason: Reason } {
    const operation = toCase(placed.posted ?? placed, this.#survey)
    const { method } = operation.draft
    if (method === 'OPTIONS' || method === 'TRACE') return UNKNOWN
    const found = this.#firstOf(this.#rules, operation) ?? UNKNOWN
    const isUnsure = found === UNKNOWN || (found.effect.kind === 'action' && found.effect.keys.length === 0)
    const isOpen = isUnsure || isOnlyRead(operation, found.effect, this.#survey)
    const other = isOpen ? this.#firstOf(this.#requestRules, operation) : undefined
    const best = other && !(found.effect.kind === 'action' && found.effect.many) ? other : found
    return method === 'GET' && isWrite(best.effect) ? UNKNOWN : best
  }

  #firstOf(rules: readonly Rule[], operation: Case): { effect: Effect; reason: Reason } | undefined {
    for (const { name: rule, confidence, isGuess, find } of rules) {
      const effect = find(operation, this.#survey)
      const isUnsure = effect && (isGuess?.(operation, this.#survey, effect) || showsAbove(operation, this.#survey))
      if (effect) return { effect, reason: { rule, confidence: isUnsure ? 'guess' : confidence } }
    }
    return undefined
  }
}

/** Whether the answer of a write is the record above it: `POST /users/me/addresses`, which answers with the user. */
function showsAbove({ around, outer, answer, collection, isRead }: Case, { catalogue }: Survey): boolean {
  const shown = componentOf(answer)
  const own = collection?.item?.operations
  if (shown === undefined || !own?.has('GET') || isRead) return false
  const above = around?.isRecord ? around.collection.item?.operations : catalogue.sites.get(keyOfSteps(outer))?.own
  return shown === componentOf(above && shownAt({ own: above })) && shown !== componentOf(shownAt({ own }))
}

/** An operation for which there is no rule. */
const UNKNOWN: { readonly effect: Effect; readonly reason: Reason } = {
  effect: EXAMPLE,
  reason: { rule: 'none', confidence: 'example' },
}

/** Whether an effect changes records, which GET does not do (RFC 9110, section 9.2.1): a form is at `GET /clients/create`. */
function isWrite(effect: Effect): boolean {
  if (effect.kind === 'action')
    return effect.toStatus !== undefined || effect.sets.length > 0 || effect.makes !== undefined
  return !READS.has(effect.kind)
}

const READS: ReadonlySet<Effect['kind']> = new Set(['list', 'search', 'read', 'singletonRead', 'example', 'computed'])

/** Whether a document is only read, and below no record: then it may belong to a record that the request names. */
const isOnlyRead = ({ draft, shape, site }: Case, { kind }: Effect, { catalogue }: Survey): boolean =>
  kind === 'singletonRead' && draft.method === 'GET' && site?.own.size === 1 && !catalogue.enclosing(shape.steps)
