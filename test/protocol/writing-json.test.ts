import { expect, it } from 'vitest'
import { writingJson } from '../../src/protocol/writing-json.ts'

/** The text, and how often its writing paused. */
function write(value: unknown): { text: string; pauses: number } {
  const run = writingJson(value)
  for (let pauses = 0; ; pauses++) {
    const step = run.next()
    if (step.done) return { text: step.value, pauses }
  }
}

const record = (at: number) => ({
  id: `r${at}`,
  text: 'ä"\\\u2028\ud800',
  none: null,
  gone: undefined,
  list: [undefined, at],
})
const list = (length: number) => Array.from({ length }, (_, at) => ({ position: at, record: record(at) }))

it.each([
  ['nothing', null],
  ['a text', 'a "text"'],
  ['an empty list and object', { list: [], object: {} }],
  ['names of the prototype', JSON.parse('{"__proto__":1,"constructor":{"a":[1]}}')],
  ['a field that is undefined', { a: undefined, b: [undefined, 1] }],
  ['a short list', { world: { collections: [{ positions: list(3) }] } }],
  ['a long list', { world: { collections: [{ positions: list(2_000) }, { positions: [] }] }, events: null }],
  ['lists in lists', [[[[[[[list(100)]]]]]]]],
])('writes %s as JSON.stringify does', (_, value) => {
  expect(write(value).text).toBe(JSON.stringify(value))
})

it('pauses amid a long list', () => {
  expect(write({ world: { collections: [{ positions: list(20_000) }] } }).pauses).toBeGreaterThan(20)
})
