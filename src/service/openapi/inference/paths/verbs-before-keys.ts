import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import { keyOfSteps, type PathShape, type Step, shapeOfSteps } from './path-shape.ts'
import { isVerbSegment, kindOfVerb, type VerbKind } from './verbs.ts'

/** An operation with the shape of its path. */
interface Shaped {
  readonly draft: { readonly method: string }
  readonly shape: PathShape
}

/** A path whose last word is a verb with a key after it: `/notes/delete/{id}`. */
interface VerbPath {
  readonly noun: readonly Step[]
  readonly verb: Step & { readonly kind: 'static' }
  readonly key: Step & { readonly kind: 'param' }
}

/** Words at the end of a path that say no more than its method. */
const SAID_TWICE: ReadonlyMap<string, RegExp> = new Map([
  ['GET', /^(read|get|show|fetch|retrieve|view)$/i],
  ['DELETE', /^(delete|remove|destroy)$/i],
  ['PUT', /^(update|edit|replace|save)$/i],
  ['PATCH', /^(update|edit|modify|patch)$/i],
])

/** `GET /avatars/{id}/read`, `DELETE /avatars/{id}/delete` in the shape of `/avatars/{id}`, where nothing else is there. */
export function withoutSaidTwice<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const isSaidTwice = ({ draft, shape }: Operation): boolean => {
    const [key, word] = shape.steps.slice(-2)
    const isWord = word?.kind === 'static' && SAID_TWICE.get(draft.method)?.test(word.text) === true
    return isWord && key?.kind === 'param' && shape.verb === undefined
  }
  if (!placed.some(isSaidTwice)) return placed
  const known = new Set(placed.map(({ draft, shape }) => `${draft.method} ${keyOfSteps(shape.steps)}`))
  // `/c/{slug}/{id}` beside `/c/{id}/show`: its records have other keys.
  const keyed = new Set(placed.flatMap(({ shape }) => (shape.trailing.length > 1 ? keyOfSteps(shape.base) : [])))
  return placed.map((operation) => {
    const record = operation.shape.steps.slice(0, -1)
    if (!isSaidTwice(operation) || keyed.has(keyOfSteps(record.slice(0, -1)))) return operation
    if (known.has(`${operation.draft.method} ${keyOfSteps(record)}`)) return operation
    return { ...operation, shape: shapeOfSteps(record) }
  })
}

/**
 * Gives operations with the verb before the key the usual shape, where other paths use the same key:
 * `/notes/delete/{id}` becomes `/notes/{id}/delete`, and `/notes/show/{id}` becomes `/notes/{id}`.
 */
export function withVerbsLast<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const found = new Map(
    placed.flatMap((operation) => {
      const path = verbPathOf(operation.shape)
      return path ? [[operation, path] as const] : []
    }),
  )
  if (found.size === 0) return placed
  const methods = Map.groupBy(placed, ({ shape }) => keyOfSteps(shape.steps))
  const verbs = Map.groupBy(found.values(), keyOfRecord)
  const isKnown = (path: VerbPath): boolean => {
    const others = methods.get(keyOfSteps([...path.noun, path.key])) ?? []
    const words = new Set(
      verbs.get(keyOfRecord(path))?.flatMap(({ verb }) => (kindOfSegment(verb.text) ? verb.text : [])),
    )
    return (
      words.size > 1 || others.some(({ shape }) => foldName(shape.trailing.at(-1) ?? '') === foldName(path.key.name))
    )
  }
  return placed.map((operation) => {
    const path = found.get(operation)
    const isWritten = methods.has(keyOfSteps(operation.shape.base))
    const isOnly = methods.get(keyOfSteps(operation.shape.steps))?.length === 1
    if (!path || isWritten || !isOnly || !isKnown(path)) return operation
    const record = [...path.noun, path.key]
    const isRead = operation.draft.method === 'GET' && kindOfSegment(path.verb.text) === 'read'
    if (isRead && methods.has(keyOfSteps(record))) return operation
    return { ...operation, shape: shapeOfSteps(isRead ? record : [...record, path.verb]) }
  })
}

const KEYS = ['id', 'uuid', 'guid', 'key']

function verbPathOf({ steps, trailing, verb }: PathShape): VerbPath | undefined {
  const [noun, word, key] = steps.slice(-3)
  if (verb !== undefined || trailing.length !== 1) return undefined
  if (noun?.kind !== 'static' || word?.kind !== 'static' || key?.kind !== 'param') return undefined
  const kind = kindOfSegment(word.text)
  // `/signature_request/files/{signature_request_id}`: the key names the owner of the files.
  const owner = foldNoun(noun.text)
  const isPart = kind === undefined && KEYS.some((ending) => foldName(key.name) === owner + ending)
  const isMeant = isPart || (kind !== undefined && kind !== 'search' && kind !== 'list')
  return isMeant ? { noun: steps.slice(0, -2), verb: word, key } : undefined
}

/** The kind of a path word, if it is a verb: `cancel`, `update_files`. */
function kindOfSegment(text: string): VerbKind | undefined {
  return kindOfVerb(text.toLowerCase()) ?? (isVerbSegment(text) ? 'action' : undefined)
}

const keyOfRecord = ({ noun, key }: VerbPath): string => `${keyOfSteps(noun)}/${foldName(key.name)}`
