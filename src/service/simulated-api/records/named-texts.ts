import { singularName } from '../../../names/nouns.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { fits } from '../../../schema/checker.ts'
import type { CollectionView } from '../../world/collection-view.ts'
import { allNames } from '../facts/intake.ts'
import { uniqueFields } from '../facts/natural-keys.ts'

/** `{ emails: ["a@b.co"] }` of records with an `email`, `{ tags: ["red"] }` of tags with a `name`: each text is a record. */
export function recordsOfTexts({ model }: CollectionView, body: Json | undefined): JsonObject[] {
  if (!isJsonObject(body)) return []
  const names = allNames(model.schema)
  const lists = Object.entries(body).filter(([, value]) => Array.isArray(value) && value.length > 0)
  const [[listed, texts] = [], ...more] = lists
  if (listed === undefined || more.length > 0 || !Array.isArray(texts)) return []
  const one = singularName(listed)
  const field = one !== listed && names.has(one) ? one : model.name.endsWith(listed) ? 'name' : undefined
  const schema = field === undefined || field === model.id.field?.[0] ? undefined : names.get(field)
  if (field === undefined || schema === undefined) return []
  return texts.every((text) => typeof text === 'string' && fits(schema, text))
    ? texts.map((text) => ({ [field]: text }))
    : []
}

/** The key of the record that has a text as its own name: its email, its slug. */
export function keyOfText(view: CollectionView, text: string): string | undefined {
  for (const name of uniqueFields(view.model.schema)) {
    const key = view.find([name], text)
    if (key !== undefined) return key
  }
  return undefined
}
