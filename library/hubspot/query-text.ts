import type { Json } from '../../src/protocol/json.ts'

/** Deepest nesting of brackets. */
const MOST_DEPTH = 10

const TOKEN =
  /\s*(?:'((?:[^']|'')*)'|"([^"]*)"|(-?\d{1,20}(?:\.\d{1,20})?)(?![\w.])|([A-Za-z_][\w.]*)|(<=|>=|<>|!=|[=<>(),]))/y

interface Token {
  readonly text: string
  readonly kind: 'value' | 'word' | 'sign'
  readonly value: Json
}

/**
 * A condition as SQL writes it, `city = 'Rome' AND (name LIKE 'A%' OR CONTAINS(list_ids, 'x'))`, as a tree of `field`,
 * `operator` and `value`; undefined for invalid text.
 */
export function conditionOf(text: string): Json | undefined {
  const tokens = tokensOf(text)
  if (tokens === undefined) return undefined
  try {
    return new ConditionReading(tokens).whole()
  } catch (error) {
    if (error instanceof UnreadCondition) return undefined
    throw error
  }
}

class UnreadCondition extends Error {}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  const whole = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < whole.length) {
    const [, single, double, number, word, sign] = TOKEN.exec(whole) ?? []
    if (single !== undefined) tokens.push({ text: '', kind: 'value', value: single.replaceAll("''", "'") })
    else if (double !== undefined) tokens.push({ text: '', kind: 'value', value: double })
    else if (number !== undefined) tokens.push({ text: '', kind: 'value', value: Number(number) })
    else if (word !== undefined) tokens.push({ text: word.toUpperCase(), kind: 'word', value: word })
    else if (sign !== undefined) tokens.push({ text: sign, kind: 'sign', value: sign })
    else return undefined
  }
  return tokens
}

class ConditionReading {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Json {
    const read = this.#joined('OR', 0)
    if (this.#at < this.#tokens.length) throw new UnreadCondition()
    return read
  }

  #joined(operator: 'OR' | 'AND', depth: number): Json {
    if (depth > MOST_DEPTH) throw new UnreadCondition()
    const next = (): Json => (operator === 'OR' ? this.#joined('AND', depth) : this.#single(depth))
    const value = [next()]
    while (this.#takes(operator)) value.push(next())
    return value.length === 1 ? (value[0] ?? null) : { operator, value }
  }

  #single(depth: number): Json {
    if (this.#takes('(')) {
      const inner = this.#joined('OR', depth + 1)
      this.#needs(')')
      return inner
    }
    const { value: field, text } = this.#next('word')
    if (text === 'CONTAINS' && this.#takes('(')) {
      const { value: list } = this.#next('word')
      this.#needs(',')
      const { value } = this.#next('value')
      this.#needs(')')
      return { field: list, operator: text, value }
    }
    const not = this.#takes('NOT') ? 'NOT ' : ''
    if (this.#takes('IS')) {
      const operator = this.#takes('NOT') ? 'IS NOT NULL' : 'IS NULL'
      this.#needs('NULL')
      return { field, operator, value: null }
    }
    const operator = this.#tokens[this.#at]?.text ?? ''
    if (!/^(?:LIKE|IN|[=<>!]+)$/.test(operator)) throw new UnreadCondition()
    this.#at += 1
    return { field, operator: not + operator, value: operator === 'IN' ? this.#list() : this.#next('value').value }
  }

  #list(): Json {
    this.#needs('(')
    const items = [this.#next('value').value]
    while (this.#takes(',')) items.push(this.#next('value').value)
    this.#needs(')')
    return items
  }

  #next(kind: Token['kind']): Token {
    const token = this.#tokens[this.#at]
    if (token?.kind !== kind) throw new UnreadCondition()
    this.#at += 1
    return token
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token === undefined || token.kind === 'value' || token.text !== text) return false
    this.#at += 1
    return true
  }

  #needs(text: string): void {
    if (!this.#takes(text)) throw new UnreadCondition()
  }
}
