import { expect, it } from 'vitest'
import type { Json } from '../../src/protocol/json.ts'
import { parsingJson } from '../../src/protocol/parsing-json.ts'

function parse(text: string, mostNames = 100_000): { value: Json | undefined; pauses: number } {
  const run = parsingJson(text, mostNames)
  for (let pauses = 0; ; pauses++) {
    const step = run.next()
    if (step.done) return { value: step.value, pauses }
  }
}

const wide = (count: number, of: (at: number) => Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`name ${at} "\\`, of(at)]))
const list = (count: number, of: (at: number) => Json): Json => Array.from({ length: count }, (_, at) => of(at))
const long = 'x"\\é,]}'.repeat(5_000)

const DOCUMENTS: Record<string, Json> = {
  'a number': 12.5e-7,
  'a long text': long,
  'many names': wide(5_000, (at) => at),
  'a long list': list(20_000, (at) => (at % 3 === 0 ? null : [])),
  'long objects in long lists': list(5, () => wide(900, (at) => ({ at, [long.slice(0, at)]: [true, false, null] }))),
  'long texts among short ones': { a: long, b: [long, 1, long], c: { [long]: long }, d: {} },
  'nothing inside': { a: [], b: {}, c: '' },
  'a list in lists': list(3, () => list(3, () => list(3_000, (at) => at - 7))),
}

it.each(Object.entries(DOCUMENTS))('reads %s as JSON.parse does', (_, document) => {
  for (const text of [
    JSON.stringify(document),
    JSON.stringify(document, null, '\t'),
    `\r\n ${JSON.stringify(document)} `,
  ]) {
    expect(parse(text).value).toEqual(document)
  }
})

it('keeps the last of a name that occurs twice, and the name __proto__', () => {
  const text = `{"a":1,"__proto__":{"b":2},"c":"${'x'.repeat(20_000)}","a":3}`

  const { value } = parse(text)

  expect(value).toEqual(JSON.parse(text))
  expect(Object.keys(value as object)).toContain('__proto__')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
})

it('pauses often, however the text is nested', () => {
  const { pauses } = parse(JSON.stringify(DOCUMENTS))

  expect(pauses).toBeGreaterThan(JSON.stringify(DOCUMENTS).length / 32_768)
})

it('recognises texts that are not JSON', () => {
  const text = JSON.stringify({ a: list(300, (at) => ({ at, b: [at, 'x"'] })), c: { d: long.slice(0, 9_000) }, e: [1] })
  const marks = [',', ':', '[', ']', '{', '}', '"', ' 1', '\u00a0']
  const wrong: string[] = []
  for (let at = 0; at < 60; at++) {
    const place = Math.floor((text.length * at) / 60)
    for (const mark of marks) {
      const mended = [
        text.slice(0, place) + mark + text.slice(place),
        text.slice(0, place) + mark + text.slice(place + 1),
      ]
      wrong.push(
        ...mended.filter((changed) => JSON.stringify(parse(changed).value) !== JSON.stringify(attempt(changed))),
      )
    }
  }

  expect(wrong.slice(0, 1)).toEqual([])
  expect(parse(`[${'1,'.repeat(20_000)}]`).value).toBeUndefined()
  expect(parse(`[,${'1,'.repeat(20_000)}1]`).value).toBeUndefined()
  expect(parse('['.repeat(1_000_000)).value).toBeUndefined()
  expect(parse(text.slice(0, -1)).value).toBeUndefined()
  expect(parse('').value).toBeUndefined()
  expect(parse(JSON.stringify(DOCUMENTS['many names']), 4_999).value).toBeUndefined()
})

function attempt(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
