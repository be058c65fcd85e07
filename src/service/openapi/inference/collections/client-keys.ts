import { isIdWord } from '../../../../names/id-names.ts'
import { foldNoun } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import { fieldsOf, isObjectSchema, isScalarSchema, schemaOfBody } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'
import type { ItemPath, PathSite } from '../paths/sites.ts'

/**
 * `POST /selfies { registrationId }` beside `/selfies/{registrationId}`: what is made is known by what it is made for, which no
 * answer shows.
 */
export function isSentAs(
  { own }: PathSite,
  param: string,
  { noun, described }: { readonly noun: string; readonly described: Schema | undefined },
): boolean {
  const folded = foldName(param)
  if (!/.(id|uuid|guid)$/.test(folded) || !isIdWord(param) || folded.includes(foldNoun(noun))) return false
  if (fieldsOf(described).has(param) || partWith(described, param) !== undefined) return false
  return isScalarSchema(fieldsOf(schemaOfBody(own.get('POST')?.draft.requestBody)).get(param))
}

/**
 * `PUT /presets/{preset_id} { value }` whose answer has a `name` beside: what a client puts there under a name is known by it.
 */
export function nameGiven(
  { own }: PathSite,
  item: ItemPath | undefined,
  { noun, described }: { readonly noun: string; readonly described: Schema | undefined },
): FieldPath | undefined {
  const put = item?.operations.get('PUT')
  if (!put || own.has('POST')) return undefined
  const sent = new Set([...fieldsOf(schemaOfBody(put.draft.requestBody)).keys()].map(foldName))
  const names = [`${foldNoun(noun)}name`, 'name'].filter((name) => !sent.has(name))
  const all = [...fieldsOf(described)].filter(([, field]) => isScalarSchema(field))
  const found = names.flatMap((name) => all.filter(([own]) => foldName(own) === name))[0]
  return found && [found[0]]
}

/** The part of a record that has a field of this name: `user` of `user: { user_id }`. */
export const partWith = (schema: Schema | undefined, name: string): string | undefined =>
  [...fieldsOf(schema)].find(([, field]) => isObjectSchema(field) && isScalarSchema(fieldsOf(field).get(name)))?.[0]

/** `{inviteId}` of `DELETE /invites/{inviteId}` beside `GET /invites/{token}`, whose answer has no id and lists do. */
export function idParamOf(
  { items }: PathSite,
  main: ItemPath | undefined,
  { described, shown }: { readonly described: Schema | undefined; readonly shown: Schema | undefined },
): string | undefined {
  const own = main?.params.at(-1)
  if (own === undefined || isIdWord(own) || !shown || !described || hasOwnId(described) || !hasOwnId(shown))
    return undefined
  const others = [...items.values()].filter(({ params }) => params.length === main?.params.length)
  return others.map(({ params }) => params.at(-1) ?? '').find(isIdWord)
}
