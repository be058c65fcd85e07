import { foldNoun, isSameNoun, singularOf } from '../../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import { keyOfSteps, type PathShape, type Step, shapeOfSteps } from './path-shape.ts'

/** An operation with the shape of its path. */
interface Shaped {
  readonly draft: { readonly method: string }
  readonly shape: PathShape
}

/** A path that says what its operation does with records: `GET /users/getUserById/{id}`. */
interface Called {
  readonly kind: 'read' | 'show' | 'list' | 'create' | 'update' | 'delete'
  /** The path of the records, without their number: `/user`. */
  readonly group: string
  readonly noun: readonly Step[]
  readonly steps: readonly Step[]
}

/** Words that begin the name of a call, for each method that they agree with. */
const VERBS: ReadonlyMap<string, readonly (readonly [kind: Called['kind'], words: RegExp])[]> = new Map([
  [
    'GET',
    [
      ['list', /^(list|all)$/],
      ['read', /^(get|find|fetch|retrieve)$/],
      ['show', /^(read|show|view|info|details?)$/],
    ],
  ],
  [
    'POST',
    [
      ['create', /^(create|add|insert|new|save)$/],
      ['update', /^(update|edit|modify)$/],
    ],
  ],
  ['PUT', [['update', /^(update|edit|modify|save)$/]]],
  ['PATCH', [['update', /^(update|edit|modify|patch)$/]]],
  ['DELETE', [['delete', /^(delete|remove|destroy)$/]]],
])

/**
 * Operations whose paths say the verb, where one of them has the key of a record in its path, in the shape of records:
 * `GET /users/getUserById/{id}` as `/users/{id}`, `GET /users/getAllUsers` and `POST /users/createUser` as `/users`.
 */
export function withRecordPaths<Operation extends Shaped>(placed: readonly Operation[]): readonly Operation[] {
  const called = new Map(
    placed.flatMap((operation) => {
      const call = calledOf(operation)
      return call ? [[operation, call] as const] : []
    }),
  )
  const groups = [...Map.groupBy(called.values(), ({ group }) => group)].filter(([, calls]) => isOfRecords(calls))
  if (groups.length === 0) return placed
  const taken = new Set(placed.map(({ draft, shape }) => `${draft.method} ${keyOfSteps(shape.steps)}`))
  const written = new Set(placed.map(({ shape }) => keyOfSteps(shape.base)))
  const nouns = new Map(
    groups.map(([group, calls]) => [
      group,
      calls.find(({ noun }) => written.has(keyOfSteps(noun)))?.noun ?? calls[0]?.noun ?? [],
    ]),
  )
  return placed.map((operation) => {
    const call = called.get(operation)
    const noun = call && nouns.get(call.group)
    if (!noun) return operation
    const steps = [...noun, ...call.steps]
    const route = `${operation.draft.method} ${keyOfSteps(steps)}`
    if (taken.has(route)) return operation
    taken.add(route)
    return { ...operation, shape: shapeOfSteps(steps) }
  })
}

/** Whether calls are about records of which a path names the key, and do two things or more with them. */
const isOfRecords = (calls: readonly Called[]): boolean =>
  new Set(calls.map(({ kind }) => kind)).size > 1 && calls.some(({ steps }) => steps.at(0)?.kind === 'param')

function calledOf({ draft, shape }: Shaped): Called | undefined {
  const { base, trailing, verb, steps } = shape
  const word = base.at(-1)
  const before = base.at(-2)
  if (verb !== undefined || word?.kind !== 'static' || trailing.length > 1 || before?.kind === 'param') return undefined
  const [first = '', ...more] = wordsOf(word.text)
  const kind = VERBS.get(draft.method)?.find(([, words]) => words.test(first))?.[0]
  if (!kind) return undefined
  const isAll = /^(all|list)$/.test(more[0] ?? '')
  const rest = isAll ? more.slice(1) : more
  const by = rest.indexOf('by')
  const named = by < 0 ? rest : rest.slice(0, by)
  const whose = by < 0 ? [] : rest.slice(by + 1)
  const place = placeOf(base, named)
  if (!place) return undefined
  const key = steps.slice(base.length)
  const last = named.at(-1)
  const isMany = isAll || last === undefined || singularOf(last) !== last
  const below = belowRecords({ kind, key, whose, part: place.part, noun: place.noun.at(-1), isMany })
  return below && { kind, noun: place.noun, group: groupOf(place.noun), steps: below }
}

const textOf = (step: Step | undefined): string => (step?.kind === 'static' ? step.text : '')

const groupOf = (noun: readonly Step[]): string => `${keyOfSteps(noun.slice(0, -1))}/${foldNoun(textOf(noun.at(-1)))}`

/** The path of the records that the words of a call name, or the word before it; and the part of them that the words go on to. */
function placeOf(
  base: readonly Step[],
  named: readonly string[],
): { noun: readonly Step[]; part: readonly string[] } | undefined {
  const outer = base.slice(0, -1)
  const before = textOf(outer.at(-1))
  const { length } = wordsOf(before)
  const isOwn = length > 0 && isSameNoun(named.slice(0, length).join('_'), before)
  if (named.length === 0 || isOwn) {
    return before === '' ? undefined : { noun: outer, part: named.slice(length) }
  }
  return { noun: [...outer, { kind: 'static', text: named.join('_') }], part: [] }
}

interface Below {
  readonly kind: Called['kind']
  readonly key: readonly Step[]
  readonly whose: readonly string[]
  readonly part: readonly string[]
  readonly noun: Step | undefined
  /** Whether the words mean all records, or several. */
  readonly isMany: boolean
}

/** The steps below the records: the key, and a part of the record; or the field that finds records, and its value. */
function belowRecords({ kind, key, whose, part, noun, isMany }: Below): readonly Step[] | undefined {
  const [param] = key
  const after: readonly Step[] = part.length > 0 ? [{ kind: 'static', text: part.join('_') }] : []
  if (param?.kind !== 'param') {
    const isPlain = whose.length === 0 && after.length === 0
    return isPlain && (kind === 'list' || kind === 'create' || (kind === 'read' && isMany)) ? [] : undefined
  }
  if (kind === 'create' || kind === 'list') return undefined
  const field = whose.length > 0 && !isKeyName(whose.join('_'), textOf(noun)) ? whose : []
  if (field.length === 0) return [...key, ...after]
  return after.length === 0 ? [{ kind: 'static', text: field.join('_') }, ...key] : undefined
}

/** Whether a name is that of the records' own key: `id`, `user_id` of users. */
function isKeyName(name: string, noun: string): boolean {
  const folded = foldName(name)
  const singular = foldNoun(noun)
  return /^(id|uuid|guid|key)$/.test(folded.startsWith(singular) ? folded.slice(singular.length) : folded)
}
