import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'

/** Stands for the list of all properties that clients read. No real schema has this value: there, `required` is a list. */
const ALL = 'all'

/**
 * A value with short schemas: a `required` that lists all properties except write-only ones becomes one word. Entries
 * have hundreds of such lists.
 */
export function shortenSchemas(value: Json): Json {
  return change(value, (object, required) => {
    const names = readable(object)
    return Array.isArray(required) && required.length === names.length && names.every((name) => required.includes(name))
      ? ALL
      : required
  })
}

/** The input of {@link shortenSchemas}, with `required` in the order of the properties. */
export function restoreSchemas(value: Json): Json {
  return change(value, (object, required) => (required === ALL ? readable(object) : required))
}

function change(value: Json, toRequired: (object: JsonObject, required: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((item) => change(item, toRequired))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, below]) => [
      name,
      name === 'required' && isJsonObject(value.properties) ? toRequired(value, below) : change(below, toRequired),
    ]),
  )
}

const readable = ({ properties }: JsonObject): string[] =>
  Object.entries(Object(properties) as JsonObject).flatMap(([name, schema]) =>
    isJsonObject(schema) && schema.writeOnly === true ? [] : name,
  )
