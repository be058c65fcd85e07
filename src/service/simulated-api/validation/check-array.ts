import type { Json } from '../../../protocol/json.ts'
import type { Schema } from '../../openapi/schema.ts'
import { checkOf, type Direction } from './check.ts'
import { joinProblems, MOST_PROBLEMS, type Problem, within } from './problem.ts'

/** The bounds that a schema sets to arrays and their items; undefined when there are none. */
export function checkArray(schema: Schema, direction: Direction): ((value: Json[]) => Problem | undefined) | undefined {
  const { items, minItems, maxItems, uniqueItems } = schema
  if (items === undefined && minItems === undefined && maxItems === undefined && !uniqueItems) return undefined
  const checkItem = items && checkOf(items, direction)
  const most = direction === 'request' ? MOST_PROBLEMS : 1
  return (value) => {
    const { length } = value
    if (minItems !== undefined && length < minItems) return count(`at least ${minItems}`, length)
    if (maxItems !== undefined && length > maxItems) return count(`at most ${maxItems}`, length)
    if (uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < length) {
      return { path: [], expected: 'an array of different items', got: value }
    }
    if (checkItem === undefined) return undefined
    let problems: Problem[] | undefined
    for (const [at, item] of value.entries()) {
      const problem = checkItem.find(item)
      if (problem === undefined) continue
      problems = [...(problems ?? []), within(String(at), problem)]
      if (problems.length >= most) break
    }
    return problems && joinProblems(problems)
  }
}

const count = (bound: string, length: number) => ({
  path: [],
  expected: `an array of ${bound} items`,
  got: `${length} items`,
})
