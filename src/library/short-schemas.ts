import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'

/** Stands for a list of all properties that clients read. No schema has it: there, `required` is a list. */
const ALL = 'all'

/** A value in whose schemas `required` that lists all properties but those to write is one word: entries have hundreds of such lists. */
export function shortenSchemas(value: Json): Json {
  return change(value, (object, required) => {
    const names = readable(object)
    return Array.isArray(required) && required.length === names.length && names.every((name) => required.includes(name))
      ? ALL
      : required
  })
}

/** What {@link shortenSchemas} was given, with `required` in the order of the properties. */
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
