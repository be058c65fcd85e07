import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** `vendor[name]`, `tags[]`, `items[][id]`: the field before the first brackets, what they name, and the rest. */
const BRACKETED = /^([^[\]]+)\[([^[\]]*)\]((?:\[[^[\]]*\])*)$/

/**
 * The schema of a form with bracketed names as the body that such a form is read as: `vendor[name]` is the field `name`
 * of an object, `tags[]` an array. Other schemas stay as they are.
 */
export function nestFields(raw: JsonObject): JsonObject {
  const written = isJsonObject(raw.properties) ? raw.properties : {}
  if (!Object.keys(written).some((name) => BRACKETED.test(name))) return raw
  const demanded = new Set(Array.isArray(raw.required) ? raw.required : [])
  const plain = Object.entries(written).filter(([name]) => !BRACKETED.test(name))
  const properties = new Map<string, Json>(plain)
  const required = new Set<Json>(plain.flatMap(([name]) => (demanded.has(name) ? [name] : [])))
  const groups = Map.groupBy(
    Object.entries(written).flatMap(([name, schema]) => {
      const [, field, key = '', rest = ''] = BRACKETED.exec(name) ?? []
      return field === undefined ? [] : [{ name, field, key, rest, schema }]
    }),
    ({ field }) => field,
  )
  for (const [field, members] of groups) {
    if (members.some(({ name }) => demanded.has(name))) required.add(field)
    const inner = members.map(({ name, key, rest, schema }) => ({
      name: key === '' ? rest.replace(/^\[([^[\]]*)\]/, '$1') : key + rest,
      schema,
      isRequired: demanded.has(name),
    }))
    const isList = members.every(({ key }) => key === '')
    const [only] = inner
    properties.set(field, isList ? toList(only?.name === '' ? only.schema : toObject(inner)) : toObject(inner))
  }
  return { ...raw, properties: Object.fromEntries(properties), required: [...required] }
}

/** An array that is already described as one, by the name with the brackets, stays. */
function toList(item: Json | undefined): JsonObject {
  return isJsonObject(item) && item.type === 'array' ? item : { type: 'array', items: item ?? {} }
}

function toObject(
  members: readonly { readonly name: string; readonly schema: Json; readonly isRequired: boolean }[],
): JsonObject {
  const named = members.filter(({ name }) => name !== '')
  return nestFields({
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
  })
}
