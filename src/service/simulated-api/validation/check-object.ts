import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { type Check, checkOf, type Direction } from './check.ts'
import { joinProblems, MOST_PROBLEMS, type Problem, within } from './problem.ts'

/** The bounds that a schema sets to objects and their fields. Undefined when there are none; other values pass. */
export function checkObject(schema: Schema, direction: Direction): Check | undefined {
  const { properties, additionalProperties: rest, minProperties, maxProperties } = schema
  const required = [...schema.required].filter((name) => isAskedFor(properties.get(name), direction))
  const isFree = properties.size === 0 && required.length === 0 && rest === true
  if (isFree && minProperties === undefined && maxProperties === undefined) return undefined
  const fields = new Map([...properties].map(([name, field]) => [name, checkField(field, direction)]))
  const checkRest = typeof rest === 'boolean' ? undefined : checkOf(rest, direction)
  const requiredNames = new Set(required)
  const most = direction === 'request' ? MOST_PROBLEMS : 1
  return (value) => {
    if (!isJsonObject(value)) return undefined
    let problems: Problem[] | undefined
    for (const name of required) {
      if (Object.hasOwn(value, name)) continue
      problems = [...(problems ?? []), { path: [name], expected: 'present', got: undefined }]
      if (problems.length >= most) return joinProblems(problems)
    }
    let count = 0
    for (const name in value) {
      count++
      const item = value[name]
      if (item === undefined) continue
      if (item === null && direction === 'request' && !requiredNames.has(name)) continue
      const problem = checkItem(name, item)
      if (problem === undefined) continue
      problems = [...(problems ?? []), problem]
      if (problems.length >= most) return joinProblems(problems)
    }
    if (problems) return joinProblems(problems)
    if (minProperties !== undefined && count < minProperties) return fieldCount(`at least ${minProperties}`, count)
    if (maxProperties !== undefined && count > maxProperties) return fieldCount(`at most ${maxProperties}`, count)
    return undefined
  }

  function checkItem(name: string, item: Json): Problem | undefined {
    const check = fields.get(name) ?? checkRest
    const problem = check?.(item)
    if (problem) return within(name, problem)
    const isStrange = check === undefined && rest === false && !fields.has(name)
    return isStrange ? { path: [name], expected: 'absent: no such field is declared', got: item } : undefined
  }
}

/** What a client sends for a field that only the server sets is passed over. */
function checkField(field: Schema, direction: Direction): Check {
  return direction === 'request' && field.readOnly ? () => undefined : checkOf(field, direction)
}

function isAskedFor(field: Schema | undefined, direction: Direction): boolean {
  if (field === undefined) return true
  return direction === 'request' ? !field.readOnly : !field.writeOnly
}

const fieldCount = (bound: string, count: number) => ({
  path: [],
  expected: `an object of ${bound} fields`,
  got: `${count} fields`,
})
