import { type VerbKind, verbOf } from '../../src/names/verbs.ts'
import type { ApiModel, Effect, Operation } from '../../src/service/openapi/model.ts'

/** How often the verb of an operation's name agrees with the inferred kind. */
export interface Agreement {
  /** Operations that were understood and whose name begins with a verb. */
  total: number
  /** Same kind. */
  strict: number
  /** Same kind, or an intended variant: a PUT that creates, an action named as an update. */
  deliberate: number
  readonly misses: string[]
}

/** Kinds that a verb's kind may be found as. */
const SAME: Readonly<Record<VerbKind, readonly Effect['kind'][]>> = {
  list: ['list', 'search'],
  search: ['search', 'list', 'read'],
  read: ['read', 'list', 'search', 'singletonRead'],
  create: ['create', 'bulkCreate'],
  update: ['update', 'replace', 'singletonUpdate', 'singletonReplace', 'bulkUpdate'],
  replace: ['replace', 'update', 'singletonReplace', 'singletonUpdate', 'bulkUpdate'],
  delete: ['delete', 'bulkDelete', 'singletonDelete'],
  action: ['action'],
}

/** Compares verbs with kinds. `nameOf` gives the operation whose name counts. */
export function measureAgreement(model: ApiModel, named: ReadonlyMap<string, Operation>): Agreement {
  const agreement: Agreement = { total: 0, strict: 0, deliberate: 0, misses: [] }
  for (const { effect, method, path } of model.operations) {
    if (effect.kind === 'example' || effect.kind === 'signIn') continue
    const operation = named.get(`${method} ${path}`)
    const verb =
      operation &&
      verbOf({ id: operation.id, named: operation.id !== `${method} ${path}`, summary: operation.summary, method })
    if (!verb) continue
    agreement.total++
    if (SAME[verb.kind].includes(effect.kind)) agreement.strict++
    if (SAME[verb.kind].includes(effect.kind) || isDeliberate(verb.kind, effect, method)) agreement.deliberate++
    else agreement.misses.push(`${method} ${path}: named ${verb.word}, inferred ${effect.kind}`)
  }
  return agreement
}

/** The method decides where words are ambiguous: a GET reads, a DELETE deletes (`revoke`, `detach`), a PUT puts (`follow`). */
function isDeliberate(verb: VerbKind, effect: Effect, method: string): boolean {
  if (verb === 'create') return isAction(effect) || ('upsert' in effect && effect.upsert)
  if (verb === 'update' || verb === 'replace' || verb === 'delete') return isAction(effect)
  if (verb !== 'action') return false
  if (isAction(effect)) return true
  if (method === 'GET') return SAME.read.includes(effect.kind)
  if (method === 'DELETE') return SAME.delete.includes(effect.kind)
  if (method === 'PUT') return SAME.replace.includes(effect.kind)
  // `send`, `submit`: the body becomes a record.
  return effect.kind === 'create' || effect.kind === 'bulkCreate'
}

/** Whether an operation does something to a record or to a document. */
const isAction = (effect: Effect): boolean =>
  effect.kind === 'action' || (effect.kind === 'singletonUpdate' && effect.sets !== undefined)

/** The operations of a model by method and path. */
export function byRoute(model: ApiModel): ReadonlyMap<string, Operation> {
  return new Map(model.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]))
}
