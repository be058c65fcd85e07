import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { type PatternNode, parsePattern } from '../../src/schema/parse-pattern.ts'

/** Lengths of texts in formats that have only one. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['uuid', 36],
  ['date', 10],
])

/** Why no value fits a schema by its own keywords, where that is sure; undefined elsewhere. Such a schema judges nobody. */
export function contradictionIn({ type, enum: values, format, pattern, ...bounds }: JsonObject): string | undefined {
  const [least, most] = [toNumber(bounds.minLength, 0), toNumber(bounds.maxLength, Number.POSITIVE_INFINITY)]
  const isNumeric = type === 'integer' || type === 'number'
  if (isNumeric && Array.isArray(values) && values.every((value) => typeof value === 'string'))
    return `a ${type} with an enum of texts`
  if (least > most) return 'minLength is above maxLength'
  const only = typeof format === 'string' ? LENGTHS.get(format) : undefined
  if (only !== undefined && (only < least || only > most)) return `a ${format} has ${only} characters`
  const longest = typeof pattern === 'string' ? longestOf(pattern) : undefined
  return longest !== undefined && longest < least ? `the pattern is shorter than minLength` : undefined
}

const toNumber = (value: Json | undefined, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** The length of the longest text that a whole pattern, from start to end, can match; -1 where something must follow the end. */
function longestOf(pattern: string): number | undefined {
  const node = parsePattern(/^\/(\^.*\$)\/[a-z]*$/s.exec(pattern)?.[1] ?? pattern)
  const items = node?.kind === 'sequence' ? node.items : []
  const end = items.findIndex((item) => item.kind === 'edge' && item.at === 'end')
  const first = items[0]
  if (end < 0 || first?.kind !== 'edge' || first.at !== 'start') return undefined
  return items.slice(end).some((item) => shortest(item) > 0) ? -1 : longest({ kind: 'sequence', items })
}

function longest(node: PatternNode): number {
  if (node.kind === 'set') return 1
  if (node.kind === 'sequence') return node.items.reduce((sum, item) => sum + longest(item), 0)
  if (node.kind === 'choice') return Math.max(...node.options.map(longest))
  // Of a look-around nothing is said.
  if (node.kind === 'repeat') return node.max === 0 ? 0 : longest(node.item) * node.max || 0
  return 0
}

function shortest(node: PatternNode): number {
  if (node.kind === 'set') return 1
  if (node.kind === 'sequence') return node.items.reduce((sum, item) => sum + shortest(item), 0)
  if (node.kind === 'choice') return Math.min(...node.options.map(shortest))
  return node.kind === 'repeat' && node.min > 0 ? shortest(node.item) : 0
}
