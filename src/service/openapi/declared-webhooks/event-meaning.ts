import { CHANGES } from '../../../names/event-kinds.ts'
import { foldNoun } from '../../../names/nouns.ts'
import { kindOfVerb, participlesOf, verbOfParticiple } from '../../../names/verbs.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { statusAfter } from '../inference/actions/status.ts'
import { fieldsOf } from '../inference/bodies/bodies.ts'
import type { CollectionModel, DeclaredEvent } from '../model.ts'

/** The change that an event tells of. */
export type Meaning = Pick<DeclaredEvent, 'verbs' | 'becomes' | 'changes'>

/** Words that say only that there is an event. */
const FILLERS = new Set(
  'a an the on when has have had been is was were of for to your event events webhook webhooks hook hooks callback notification notifications notify handler payload'.split(
    ' ',
  ),
)
const CREATED = new Set(['new', ...['create', 'add', 'insert', 'register'].flatMap(forms)])
const UPDATED = new Set(['update', 'change', 'modify', 'edit'].flatMap(forms))
const DELETED = new Set(['delete', 'remove', 'destroy', 'erase'].flatMap(forms))
/** Verbs after which there is a record that was not there before. */
const BEGINNINGS = new Set('receive place issue open start begin submit arrive'.split(' ').flatMap(forms))

function forms(verb: string): string[] {
  return [verb, ...participlesOf(verb)]
}

/** The collection that a name is about, and the words besides its noun. */
interface Found {
  readonly collection: CollectionModel
  readonly rest: readonly string[]
}

/** The collections of a description, by their nouns. */
export class EventNouns {
  readonly #byNoun = new Map<string, CollectionModel>()

  constructor(collections: readonly CollectionModel[]) {
    // A collection at the top comes before those below a record: `orders` before `customer_orders`.
    const inOrder = collections.toSorted((left, right) => Number(!!left.parent) - Number(!!right.parent))
    for (const collection of inOrder) {
      for (const noun of [collection.singular, collection.name].map(foldNoun)) {
        if (!this.#byNoun.has(noun)) this.#byNoun.set(noun, collection)
      }
    }
  }

  /**
   * The collection that a name is about, and the words that say what happened. A last dot, colon or slash parts both:
   * `order.payment_failed`. Without one, what happened stands after the noun, else before it: `orderPaid`, `newPet`.
   * Undefined without a noun that is known.
   */
  findIn(written: string): Found | undefined {
    const name = written.replace(/[._:/-]v\d+$/i, '')
    const at = Math.max(...SEPARATORS.map((one) => name.lastIndexOf(one)))
    const isParted = at > 0 && !name.includes(' ')
    const words = wordsOf(isParted ? name.slice(0, at) : name)
    for (let length = Math.min(words.length, MOST_WORDS); length > 0; length--) {
      for (let from = words.length - length; from >= (isParted ? words.length - length : 0); from--) {
        const collection = this.#byNoun.get(foldNoun(words.slice(from, from + length).join('_')))
        if (collection === undefined) continue
        const before = withoutFillers(words.slice(0, from))
        const after = withoutFillers(isParted ? wordsOf(name.slice(at + 1)) : words.slice(from + length))
        if (after.length === 0 && !isParted) return { collection, rest: before }
        const isApart = isParted && words.length - length === wordsOf(beforeLast(name.slice(0, at))).length
        return this.#qualifies(before, collection, isApart) ? { collection, rest: after } : undefined
      }
    }
    return undefined
  }

  /**
   * Whether words before a noun name only what its records belong to (`customer.subscription.created`), or nothing of
   * this API, apart from the noun (`com.acme.order.created`).
   */
  #qualifies(words: readonly string[], { parent, relations }: CollectionModel, isApart: boolean): boolean {
    if (words.every((word) => word === 'new')) return true
    if (isApart && !words.some((word) => this.#byNoun.has(foldNoun(word)))) return true
    const owner = this.#byNoun.get(foldNoun(words.join('_')))?.name
    return owner !== undefined && (parent?.collection === owner || relations.some((one) => one.collection === owner))
  }
}

/** `com.acme` of `com.acme.order`. */
const beforeLast = (name: string): string =>
  name.slice(0, Math.max(0, ...SEPARATORS.map((one) => name.lastIndexOf(one))))

const SEPARATORS = ['.', ':', '/']

/** Most words of a noun. */
const MOST_WORDS = 8

/** The words of a name that do not belong to the noun of a known collection: `created` of `order.created`. */
export function wordsWithout(name: string, { singular }: CollectionModel): readonly string[] {
  const noun = new Set(wordsOf(singular).map(foldNoun))
  return withoutFillers(wordsOf(name)).filter((word) => !noun.has(foldNoun(word)))
}

const withoutFillers = (words: readonly string[]): string[] => words.filter((word) => !FILLERS.has(word))

/**
 * What words besides the noun say of a record: `created`, `paid` (a status or a flag), `status changed`. No words mean
 * every change. Undefined for words that no change of the record explains.
 */
export function meaningOf(
  words: readonly string[],
  { schema, statusField }: CollectionModel,
  actions: readonly EventAction[] = [],
): Meaning | undefined {
  if (words.length === 0) return { verbs: CHANGES }
  const last = words.at(-1) ?? ''
  if (words.length === 1) {
    if (CREATED.has(last)) return { verbs: ['created'] }
    if (UPDATED.has(last)) return { verbs: ['updated'] }
    if (DELETED.has(last)) return { verbs: ['deleted'] }
  }
  const fields = fieldsOf(schema)
  if (UPDATED.has(last)) {
    const changed = foldName(words.slice(0, -1).join('_'))
    const field = [...fields.keys()].find((name) => foldName(name) === changed)
    return field === undefined ? undefined : { verbs: ['updated'], changes: [field] }
  }
  const state = foldName(words.join('_'))
  const verb = words.length === 1 ? (verbOfParticiple(last) ?? last) : undefined
  const [top = ''] = statusField ?? []
  const status = statusField?.length === 1 ? fields.get(top) : undefined
  const reached: Json | undefined =
    status?.enum?.find((value) => typeof value === 'string' && foldName(value) === state) ??
    (verb !== undefined && status?.enum !== undefined ? statusAfter(verb, status, top) : undefined)
  if (reached !== undefined) return { verbs: ['created', 'updated'], becomes: { [top]: reached } }
  const flag = [...fields].find(
    ([name, { types }]) => types.includes('boolean') && foldName(name).replace(/^is/, '') === state,
  )
  if (flag !== undefined) return { verbs: ['created', 'updated'], becomes: { [flag[0]]: true } }
  const acted = meaningOfAction(state, actions)
  if (acted !== undefined || verb === undefined) return acted
  return kindOfVerb(verb) === 'create' || BEGINNINGS.has(last) ? { verbs: ['created'] } : undefined
}

/** An action of a collection, and the fields of its records that its body has. */
export interface EventAction {
  readonly verb: string
  readonly becomes: Readonly<Record<string, Json>> | undefined
  readonly changes: readonly string[]
}

/** What the action with an event's verb does: `ticket.assigned` after `POST /tickets/{id}/assign { assignee_id }`. */
function meaningOfAction(state: string, actions: readonly EventAction[]): Meaning | undefined {
  const found = actions.find(({ verb }) => [verb, ...participlesOf(verb)].some((form) => foldName(form) === state))
  if (found?.becomes !== undefined) return { verbs: ['updated'], becomes: found.becomes }
  return found === undefined || found.changes.length === 0 ? undefined : { verbs: ['updated'], changes: found.changes }
}
