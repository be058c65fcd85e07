import { singularOf } from '../../../names/nouns.ts'
import { foldName, wordsOf } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import { remember } from './remember.ts'

/** Words of a component's name that tell a view of a record from the record. "Item" is none: `subscription_item`. */
const VIEW_WORDS = new Set(
  'response compact mini full base minimal detail details detailed summary simple basic read resource dto object entity model schema output out result get public private expanded extended partial reference ref json representation success payload retrieved'.split(
    ' ',
  ),
)
/** What is done to the record, where a component is named after the operation: `GetContactResponse`. */
const LEADING_VERBS = new Set(['get', 'create', 'update', 'patch', 'retrieve', 'list', 'show', 'new'])
/** Components that are not about any record. */
const GENERIC = new Set([
  '',
  'error',
  'empty',
  'success',
  'message',
  'status',
  'id',
  'any',
  'data',
  'map',
  'list',
  'ok',
  'meta',
])

/** The name of a record's component without the words that only tell how much of it is shown; undefined where it has none. */
export function componentOf(schema: Schema | undefined): string | undefined {
  return schema?.name === undefined ? undefined : (stripName(schema.name) ?? undefined)
}

const stripName = remember((written): string | null => {
  const all = wordsOf(written.replace(/^.*[./](?=\w)/, ''))
  // `UserWithPosts` is a user.
  const words = all.indexOf('with') > 0 ? all.slice(0, all.indexOf('with')) : all
  const kept = words.filter(
    (word, at) => !VIEW_WORDS.has(word) && !(at === 0 && words.length > 1 && LEADING_VERBS.has(word)),
  )
  const last = kept.pop()
  const name = foldName(last === undefined ? words.join('') : [...kept, singularOf(last)].join(''))
  return GENERIC.has(name) ? null : name
})
