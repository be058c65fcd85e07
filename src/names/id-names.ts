import { foldName, wordsOf } from './words.ts'

/** Names of fields that hold the id of their own record, folded, the most usual first. */
export const ID_NAMES = ['id', 'gid', 'sid', 'uuid', 'guid', 'uid'] as const

const IDS: ReadonlySet<string> = new Set(ID_NAMES)

/** Whether a name is that of a record's own id: `id`, `_id`, `UUID`. */
export const isIdName = (name: string): boolean => IDS.has(foldName(name))

/** Last words of names that identify a record: `customer_uuid`, `issueKey`. */
export const KEY_SUFFIXES = [...ID_NAMES, 'key'] as const

/** Whether the last word of a name is one for ids: `task_id`, `taskUUID`, `id`. */
export const endsInId = (name: string): boolean => IDS.has(wordsOf(name).at(-1) ?? '')

const KEYS: ReadonlySet<string> = new Set(KEY_SUFFIXES)

/** Folded names for the key of a record: `taskid`, `taskuuid` of the folded noun `task`, and `idtask`. */
export const keyNamesOf = (noun: string): string[] => [...KEY_SUFFIXES.map((suffix) => noun + suffix), `id${noun}`]

/** Whether the last word of a name is one for keys, also for several: `task_id`, `taskIds`, `id`. */
export const endsInKey = (name: string): boolean => KEYS.has((wordsOf(name).at(-1) ?? '').replace(/s$/, ''))

const ENDING = new RegExp(`^(.+?)(${ID_NAMES.join('|')})s?$`)

/** The folded noun of an id: `task` of `task_id`, `taskIds` and `taskid`. Undefined for other names. */
export function nounOfId(name: string): string | undefined {
  const words = wordsOf(name)
  const isLast = words.length > 1 && IDS.has((words.at(-1) ?? '').replace(/s$/, ''))
  // Without words of its own, `tagid` is also a `gid` of `ta`.
  return isLast ? words.slice(0, -1).join('') : ENDING.exec(foldName(name))?.[1]
}

/** `task` of `task_id`, in snake case; undefined for names whose last word is not one for ids, and for ids alone. */
export function nounBeforeId(snake: string): string | undefined {
  const at = snake.lastIndexOf('_')
  return at > 0 && IDS.has(snake.slice(at + 1)) ? snake.slice(0, at) : undefined
}

/** Whether a name ends or begins with the word for an id: `task_id`, `taskId`, `idTask`. */
export function isIdWord(name: string): boolean {
  return foldName(name).endsWith('id') || wordsOf(name)[0] === 'id'
}
