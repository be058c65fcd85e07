import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import { toldValues } from '../bodies/told-values.ts'
import { ACTIONS, gerundsOf, participlesOf } from '../paths/verbs.ts'

/** The status value after a verb, where the verb table and the allowed values agree on one. */
export function statusAfter(verb: string, field: Schema | undefined, fieldName: string): string | boolean | undefined {
  const words = wordsOf(verb)
  const whole = words.join('')
  const [first = '', and, second = ''] = words
  // `setupAndActivateContract`.
  const word = ACTIONS.has(whole) ? whole : and === 'and' && ACTIONS.has(second) ? second : first
  const targets = (word === 'end' ? ENDED : (ACTIONS.get(word) ?? '')).split(' ').filter((target) => target !== '')
  const values = field?.enum?.filter((value) => typeof value === 'string') ?? toldValues(field)
  const shared = sharedBeginning(values)
  const meant = Map.groupBy(values, (value) => foldName(value.slice(shared)))
  const undone = UNDOES.test(word) ? NORMAL : []
  const once = word.replace(AGAIN, '')
  const repeated = once === word ? [] : [...participlesOf(once), ...gerundsOf(once)]
  for (const target of [...targets, ...participlesOf(word), ...gerundsOf(word), ...repeated, whole, ...undone]) {
    const match = meant.get(foldName(target))?.[0]
    if (match !== undefined) return match
  }
  const ended = NOUNS.test(whole) ? [...meant.keys()].find((value) => isEndOf(whole, value)) : undefined
  if (ended !== undefined) return meant.get(ended)?.[0]
  // A text without fixed values gets the usual state after the verb.
  if (field?.enum === undefined && field?.types.length === 1 && field.types[0] === 'string' && isPlain(field))
    return targets[0]
  if (field?.types.length !== 1 || field.types[0] !== 'boolean') return undefined
  const flag = foldName(fieldName).replace(/^is/, '')
  if (targets.some((target) => foldName(target) === flag)) return true
  return (ACTIONS.get(OPPOSITES.get(word) ?? '') ?? '').split(' ').map(foldName).includes(flag) ? false : undefined
}

/** The statuses after `end`, which as a word of a path is often a noun: `/start/{start}/end/{end}`. */
const ENDED = 'ended finished completed closed'
/** Nouns of verbs: `approval`, `cancellation`. */
const NOUNS = /(al|ion|ance|ence)$/

/** Whether a status is the end of what a noun says: `approved` of approval, `cancelled` of cancellation. */
function isEndOf(noun: string, value: string): boolean {
  let length = 0
  while (length < noun.length && noun[length] === value[length]) length++
  return length >= 5 && value.endsWith('ed') && value.length <= length + 3
}

/** Length of the common prefix of all values: 13 for `BATCH_STATUS_QUEUED` and `BATCH_STATUS_CANCELED`. */
function sharedBeginning([first = '', ...others]: readonly string[]): number {
  if (others.length === 0) return 0
  let length = first.lastIndexOf('_') + 1
  while (length > 0 && !others.every((value) => value.startsWith(first.slice(0, length)))) {
    length = first.lastIndexOf('_', length - 2) + 1
  }
  return length
}

/** `redeploy`: deployed once more. */
const AGAIN = /^re(?=(deploy|run|process|send|submit|build|index|publish|schedule)$)/
/** Verbs that end another state, and unspecific states. */
const UNDOES = /^(un|re(store|cover|set|open|vert))/
const NORMAL = ['active', 'enabled', 'open', 'available', 'published', 'ready', 'normal', 'none', 'draft', 'new']

const isPlain = ({ format, pattern, maxLength }: Schema): boolean =>
  format === undefined && pattern === undefined && (maxLength ?? 20) >= 20

const OPPOSITES = new Map([
  ['deactivate', 'activate'],
  ['disable', 'enable'],
  ['enable', 'disable'],
  ['activate', 'deactivate'],
  ['unarchive', 'archive'],
  ['reopen', 'close'],
  ['open', 'close'],
  ['unpublish', 'publish'],
  ['unlock', 'lock'],
  ['unsuspend', 'suspend'],
  ['restore', 'trash'],
])
