import { foldName } from '../../../../names/words.ts'
import type { FieldPath, Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import { fieldsOf, isObjectSchema, isScalarSchema } from '../bodies/bodies.ts'
import { hasOwnId } from '../bodies/shapes.ts'

/** Words for pictures of a record, with or without a verb: `upload-image`, `avatar`, `deleteimage`. */
const PICTURE =
  /^(?:un)?(upload|set|add|change|update|create|delete|remove)?((?:profile)?(?:image|logo|avatar|photo|picture|thumbnail|cover|icon|banner|poster|signature))s?$/
/** Suffixes of fields with the address of a picture. */
const ENDINGS = ['', 'url', 'uri', 'href', 'link', 'path', 'src', 'id', 'file', 'filename', 'key']

/** `POST /users/{id}/avatar` for users with an `avatar_url`: sets a new address; its deletion: removes it. */
export function pictureSettings(method: string, verb: string, schema: Schema | undefined): readonly ActionSetting[] {
  const [, word = '', noun] = PICTURE.exec(foldName(verb)) ?? []
  if (noun === undefined) return []
  const to = method === 'DELETE' || /^(delete|remove)$/.test(word) ? 'cleared' : 'fresh'
  const field = pictureIn(schema, noun)
  return field === undefined ? [] : [{ field, to }]
}

/** The field of a picture, in the record or in a nested part that is not a record. */
function pictureIn(schema: Schema | undefined, noun: string, isPart = false): FieldPath | undefined {
  const names = new Set(ENDINGS.flatMap((ending) => [noun + ending, `profile${noun}${ending}`]))
  for (const [name, field] of fieldsOf(schema)) {
    if (names.has(foldName(name)) && isScalarSchema(field) && !field.types.includes('boolean')) return [name]
  }
  if (isPart) return undefined
  for (const [name, part] of fieldsOf(schema)) {
    const inner = isObjectSchema(part) && !hasOwnId(part) ? pictureIn(part, noun, true) : undefined
    if (inner) return [name, ...inner]
  }
  return undefined
}
