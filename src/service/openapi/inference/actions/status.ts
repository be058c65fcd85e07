import { gerundsOf, oppositeOf, participlesOf, statesAfter, verbWords } from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { describedValues } from '../bodies/described-values.ts'
import { findStatusField } from '../collections/record-fields.ts'

/** The status after a verb; a status is its own. */
export function statusLedTo(
  verb: string,
  schema: Schema | undefined,
  status = findStatusField(schema),
): string | boolean | undefined {
  const field = status === null ? undefined : schemaBelow(schema, status)
  if (status === null || field === undefined) return undefined
  return statusAfter(verb, field, status.at(-1) ?? '') ?? (field.enum?.includes(verb) ? verb : undefined)
}

/** The value of a status field after a verb, where the verb's states and the allowed values agree on one. */
export function statusAfter(verb: string, field: Schema | undefined, fieldName: string): string | boolean | undefined {
  const words = verbWords(verb)
  const whole = foldName(words.join(''))
  const [first = ''] = words
  const word = statesAfter(whole).length > 0 ? whole : first
  const states = statesAfter(word)
  const values = field?.enum?.filter((value) => typeof value === 'string') ?? describedValues(field)
  const shared = sharedBeginning(values)
  const allowed = Map.groupBy(values, (value) => foldName(value.slice(shared)))
  const undone = UNDOES.test(word) ? NORMAL : []
  const once = word.replace(AGAIN, '')
  const repeated = once === word ? [] : [...participlesOf(once), ...gerundsOf(once)]
  for (const state of [...states, ...participlesOf(word), ...gerundsOf(word), ...repeated, whole, ...undone]) {
    const match = allowed.get(foldName(state))?.[0]
    if (match !== undefined) return match
  }
  // A text without fixed values gets the usual state after the verb.
  if (field?.enum === undefined && field?.types.length === 1 && field.types[0] === 'string' && isPlain(field))
    return states[0]
  if (field?.types.length !== 1 || field.types[0] !== 'boolean') return undefined
  const flag = foldName(fieldName).replace(/^is/, '')
  if (states.some((state) => foldName(state) === flag)) return true
  return statesAfter(oppositeOf(word) ?? '').some((state) => foldName(state) === flag) ? false : undefined
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
