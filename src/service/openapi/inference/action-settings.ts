import { foldNoun } from '../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ActionSetting } from '../model.ts'
import { fieldsOf, isArraySchema, isScalarSchema } from './bodies.ts'

/** Beginnings of words that undo what the rest of the word does. */
const UNDOING = /^(un|de|dis)(?=[a-z]{3})/
/** Words that say that what follows is put into a field, or into a list, or taken out of one. */
const PUTS = new Set(['set', 'change', 'update', 'rename', 'move', 'edit', 'adjust', 'switch'])
const ADDS = new Set(['add', 'attach', 'assign', 'link', 'join', 'invite', 'enroll', 'grant', 'insert', 'append'])
const REMOVES = new Set(['remove', 'detach', 'unassign', 'unlink', 'leave', 'kick', 'revoke', 'delete', 'unenroll'])

/**
 * What an action sets beside the status, by the names of the record's fields: `star` a flag `starred`, `publish` a moment
 * `published_at`, `change_type` and `/pos` the field of that name, `add_user` a list of users.
 */
export function settingsOf(verb: string, schema: Schema | undefined): readonly ActionSetting[] {
  const words = wordsOf(verb)
  const [first = '', ...rest] = words
  const fields = [...fieldsOf(schema)].filter(([, { readOnly }]) => !readOnly || rest.length === 0)
  const named = namedSetting(words, fields)
  if (named) return [named]
  return rest.length > 1 ? [] : [...flagsOf(first, fields), ...momentsOf(first, fieldsOf(schema))]
}

type Fields = readonly (readonly [string, Schema])[]

/** The field that the words of the verb name: a list to add to, or a value to put in. */
function namedSetting(words: readonly string[], fields: Fields): ActionSetting | undefined {
  const [first = '', ...rest] = words
  const noun = rest.filter((word) => !['to', 'from', 'in', 'the'].includes(word)).join('_')
  const isAdding = ADDS.has(first)
  if (noun !== '' && (isAdding || REMOVES.has(first))) {
    const found = fields.find(([name, field]) => isArraySchema(field) && foldNoun(name) === foldNoun(noun))
    return found && { field: [found[0]], to: isAdding ? 'added' : 'removed' }
  }
  const wanted = [foldName(words.join('_')), ...(PUTS.has(first) && noun !== '' ? [foldName(noun)] : [])]
  const name = first === 'rename' && noun === '' ? ['name', 'title', 'label'] : wanted
  const found = fields.find(([field, held]) => name.includes(foldName(field)) && isScalarSchema(held))
  return found && !isFlag(found[1]) ? { field: [found[0]], to: 'argument' } : undefined
}

const isFlag = ({ types }: Schema): boolean => types.length === 1 && types[0] === 'boolean'

function flagsOf(verb: string, fields: Fields): ActionSetting[] {
  const done = new Set([verb, ...participlesOf(verb)])
  const undone = new Set(UNDOING.test(verb) ? [verb, verb.replace(UNDOING, '')].flatMap(participlesOf) : [])
  return fields.flatMap(([name, field]): ActionSetting[] => {
    if (!isFlag(field)) return []
    const folded = foldName(name).replace(/^(is|has|was)/, '')
    if (done.has(folded)) return [{ field: [name], to: { value: true } }]
    const isUndone = undone.has(folded) || folded === verb.replace(UNDOING, '') || isOpposite(verb, folded)
    return isUndone && folded !== verb ? [{ field: [name], to: { value: false } }] : []
  })
}

const OPPOSITES: Readonly<Record<string, string>> = {
  disable: 'enabled',
  enable: 'disabled',
  reopen: 'closed',
  open: 'closed',
  close: 'open',
  resume: 'paused',
  start: 'paused',
  stop: 'running',
  restore: 'deleted',
}
const isOpposite = (verb: string, flag: string): boolean => OPPOSITES[verb] === flag

function momentsOf(verb: string, fields: ReadonlyMap<string, Schema>): ActionSetting[] {
  const words = participlesOf(verb)
  return [...fields].flatMap(([name, field]): ActionSetting[] => {
    const base = /^(.+?)(at|on|date|time|timestamp|datetime)$/.exec(foldName(name))?.[1]
    const isMoment = base !== undefined && words.includes(base) && isScalarSchema(field) && !isFlag(field)
    return isMoment ? [{ field: [name], to: 'now' }] : []
  })
}

/** `published` of publish, `stopped` of stop, `copied` of copy, `sent` of send. */
export function participlesOf(verb: string): string[] {
  const irregular: Readonly<Record<string, string>> = {
    send: 'sent',
    pay: 'paid',
    read: 'read',
    win: 'won',
    lose: 'lost',
    begin: 'begun',
    run: 'running',
    shut: 'shut',
  }
  const own = irregular[verb]
  if (own !== undefined) return [own]
  if (verb.endsWith('e')) return [`${verb}d`]
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`]
  return [`${verb}ed`, `${verb}${verb.at(-1)}ed`]
}
