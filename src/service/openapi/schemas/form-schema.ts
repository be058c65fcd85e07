import { fieldPath } from '../../../protocol/form.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'

/** A described field, and its path below the place that is described. */
interface Member {
  readonly path: readonly string[]
  readonly schema: Json
  readonly isRequired: boolean
}

/**
 * The schema of a form with bracketed names as the body that such a form is read as: `vendor[name]` is the field `name`
 * of an object, `tags[]` an array. Other schemas stay as they are.
 */
export function nestFields(raw: JsonObject): JsonObject {
  const demanded = new Set(Array.isArray(raw.required) ? raw.required : [])
  const members = Object.entries(isJsonObject(raw.properties) ? raw.properties : {}).map(
    ([name, schema]): Member => ({ path: fieldPath(name), schema, isRequired: demanded.has(name) }),
  )
  return members.every(({ path }) => path.length === 1) ? raw : { ...raw, ...fieldsOf(members) }
}

function fieldsOf(members: readonly Member[]): { properties: JsonObject; required: string[] } {
  const groups = [...Map.groupBy(members, ({ path: [name = ''] }) => name)]
  const required = groups.filter(([, group]) => group.some(({ isRequired }) => isRequired)).map(([name]) => name)
  return { properties: Object.fromEntries(groups.map(([name, group]) => [name, schemaOf(group.map(below))])), required }
}

function schemaOf(members: readonly Member[]): Json {
  const inner = members.filter(({ path }) => path.length > 0)
  if (inner.length === 0) return members.at(-1)?.schema ?? {}
  return inner.every(({ path: [name = ''] }) => /^\d*$/.test(name))
    ? toList(schemaOf(inner.map(below)))
    : { type: 'object', ...fieldsOf(inner) }
}

const below = ({ path, ...member }: Member): Member => ({ ...member, path: path.slice(1) })

/** An array that is already described as one, by the name with the brackets, stays. */
function toList(item: Json): JsonObject {
  return isJsonObject(item) && item.type === 'array' ? item : { type: 'array', items: item }
}
