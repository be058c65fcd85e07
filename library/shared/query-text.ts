import type { Json } from '../../src/protocol/json.ts'

/** Deepest nesting of brackets. */
const MOST_DEPTH = 10

const TOKEN =
  /\s*(?:'((?:[^']|'')*)'|"([^"]*)"|(-?\d{1,20}(?:\.\d{1,20})?)(?![\w.])|([A-Za-z_][\w.]*)|(<=|>=|<>|!=|[=<>(),]))/y

interface Token {
  /** A word in capitals, or a sign; empty for a value. */
  readonly text: string
  readonly kind: 'value' | 'word' | 'sign'
  readonly value: Json
}

class UnreadCondition extends Error {}

/**
 * A condition as SQL writes it, `city = 'Rome' AND (name LIKE 'A%' OR CONTAINS(list_ids, 'x'))`, as a tree of `field`,
 * `operator` and `value`; undefined for invalid text.
 */
export function conditionOf(text: string): Json | undefined {
  try {
    return read(tokensOf(text.trimEnd()))
  } catch (error) {
    if (error instanceof UnreadCondition) return undefined
    throw error
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const [, single, double, number, word, sign] = TOKEN.exec(text) ?? []
    const value = single?.replaceAll("''", "'") ?? double ?? (number === undefined ? undefined : Number(number))
    if (value !== undefined) tokens.push({ text: '', kind: 'value', value })
    else if (word !== undefined) tokens.push({ text: word.toUpperCase(), kind: 'word', value: word })
    else if (sign !== undefined) tokens.push({ text: sign, kind: 'sign', value: sign })
    else throw new UnreadCondition()
  }
  return tokens
}

function read(tokens: readonly Token[]): Json {
  let at = 0
  const takes = (text: string): boolean => {
    const isNext = tokens[at]?.text === text
    if (isNext) at += 1
    return isNext
  }
  const need = (text: string): void => {
    if (!takes(text)) throw new UnreadCondition()
  }
  const next = (kind: Token['kind']): Token => {
    const token = tokens[at++]
    if (token?.kind !== kind) throw new UnreadCondition()
    return token
  }
  const joined = (operator: 'OR' | 'AND', depth: number): Json => {
    if (depth > MOST_DEPTH) throw new UnreadCondition()
    const value: Json[] = []
    do value.push(operator === 'OR' ? joined('AND', depth) : single(depth))
    while (takes(operator))
    return value.length === 1 ? (value[0] ?? null) : { operator, value }
  }
  const single = (depth: number): Json => {
    if (takes('(')) {
      const inner = joined('OR', depth + 1)
      need(')')
      return inner
    }
    const { value: field, text } = next('word')
    return text === 'CONTAINS' && takes('(') ? contains() : compared(field)
  }
  const contains = (): Json => {
    const { value: field } = next('word')
    need(',')
    const { value } = next('value')
    need(')')
    return { field, operator: 'CONTAINS', value }
  }
  const compared = (field: Json): Json => {
    const not = takes('NOT') ? 'NOT ' : ''
    if (takes('IS')) {
      const operator = takes('NOT') ? 'IS NOT NULL' : 'IS NULL'
      need('NULL')
      return { field, operator, value: null }
    }
    const operator = tokens[at++]?.text ?? ''
    if (!/^(?:LIKE|IN|[=<>!]+)$/.test(operator)) throw new UnreadCondition()
    return { field, operator: not + operator, value: operator === 'IN' ? list() : next('value').value }
  }
  const list = (): Json => {
    const items: Json[] = []
    need('(')
    do items.push(next('value').value)
    while (takes(','))
    need(')')
    return items
  }
  const condition = joined('OR', 0)
  if (at < tokens.length) throw new UnreadCondition()
  return condition
}
