import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../model.ts'
import { fieldsOf } from './bodies.ts'
import type { CollectionDraft } from './collection-draft.ts'

/** What filters take beside the values of records. */
const ANY = /^(all|any|both|either|everything|\*|)$/i

/**
 * The values of texts that their own schemas leave open, told by the filters of lists: where issues are listed by a `state` of
 * `open`, `closed` or `all`, they are open or closed.
 */
export function vocabularyOf(
  { schema }: CollectionDraft,
  lists: readonly Operation[],
): ReadonlyMap<string, readonly string[]> {
  const open = new Map<string, string>()
  for (const [name, field] of fieldsOf(schema)) if (isOpenText(field)) open.set(foldName(name), name)
  const vocabulary = new Map<string, readonly string[]>()
  if (open.size === 0) return vocabulary
  for (const parameter of lists.flatMap(({ parameters }) => parameters)) {
    const name = parameter.in === 'query' ? open.get(foldName(parameter.name)) : undefined
    const values = name === undefined ? [] : valuesOf(parameter.schema)
    if (name !== undefined && values.length > 1 && !vocabulary.has(name)) vocabulary.set(name, values)
  }
  return vocabulary
}

function isOpenText({ types, enum: values, format, pattern, variants }: Schema): boolean {
  const isText = types.length === 1 && types[0] === 'string'
  return isText && values === undefined && format === undefined && pattern === undefined && variants === undefined
}

/** Texts that a parameter lets one choose from, by themselves or as items of a list. */
function valuesOf(schema: Schema | undefined): readonly string[] {
  const values = schema?.enum ?? schema?.items?.enum ?? []
  return values.filter((value): value is string => typeof value === 'string' && !ANY.test(value))
}
