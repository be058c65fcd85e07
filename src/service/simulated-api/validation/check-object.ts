import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { checkOf, type Direction, type SchemaCheck } from './check.ts'
import { joinProblems, MOST_PROBLEMS, type Problem, within } from './problem.ts'

/** The bounds that a schema sets to objects and their fields; undefined when there are none. */
export function checkObject(
  schema: Schema,
  direction: Direction,
): ((value: JsonObject) => Problem | undefined) | undefined {
  const { properties, additionalProperties: rest, minProperties, maxProperties } = schema
  const required = [...schema.required].filter((name) => isAskedFor(properties.get(name), direction))
  const isFree = properties.size === 0 && required.length === 0 && rest === true
  if (isFree && minProperties === undefined && maxProperties === undefined) return undefined
  const fields = new Map([...properties].map(([name, field]) => [name, checkField(field, direction)]))
  const checkRest = typeof rest === 'boolean' ? undefined : checkOf(rest, direction)
  const requiredNames = new Set(required)
  const most = direction === 'request' ? MOST_PROBLEMS : 1
  return (value) => {
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
    const field = fields.get(name)
    if (field === PASSED_OVER) return undefined
    const problem = (field ?? checkRest)?.find(item)
    if (problem) return within(name, problem)
    const isStrange = field === undefined && rest === false
    return isStrange ? { path: [name], expected: 'absent: no such field is declared', got: item } : undefined
  }
}

/** What a client sends for a field that only the server sets is passed over. */
function checkField(field: Schema, direction: Direction): SchemaCheck | typeof PASSED_OVER {
  return direction === 'request' && field.readOnly ? PASSED_OVER : checkOf(field, direction)
}

const PASSED_OVER = 'passed over'

function isAskedFor(field: Schema | undefined, direction: Direction): boolean {
  if (field === undefined) return true
  return direction === 'request' ? !field.readOnly : !field.writeOnly
}

const fieldCount = (bound: string, count: number) => ({
  path: [],
  expected: `an object of ${bound} fields`,
  got: `${count} fields`,
})
