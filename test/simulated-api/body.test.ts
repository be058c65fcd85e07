import { expect, it } from 'vitest'
import { nestPairs } from '../../src/protocol/form.ts'
import { parseMultipart, parsePairs } from '../../src/service/simulated-api/body/form.ts'
import { applyJsonPatch } from '../../src/service/simulated-api/body/json-patch.ts'
import { parseJson } from '../../src/service/simulated-api/body/json-text.ts'

const parseForm = (text: string) => nestPairs(parsePairs(text))

it('nests the brackets of a form', () => {
  const form = parseForm('name=a+b&metadata[order]=6735&items[0][price]=p_1&items[1][price]=p_2&tags[]=x&tags[]=y')

  expect(form).toEqual({
    name: 'a b',
    metadata: { order: '6735' },
    items: [{ price: 'p_1' }, { price: 'p_2' }],
    tags: ['x', 'y'],
  })
})

it('nests the fields of a form that stand behind a dot', () => {
  const form = parseForm(
    'dictionaries[0].source_lang=en&dictionaries[0].entries=a&dictionaries[1].source_lang=de&v[1].=x&w.x=1',
  )

  expect(form).toEqual({
    dictionaries: [{ source_lang: 'en', entries: 'a' }, { source_lang: 'de' }],
    'v[1].': 'x',
    'w.x': '1',
  })
})

it('collects repeated names of a form into an array', () => {
  expect(parseForm('a=1&a=2&a=3')).toEqual({ a: ['1', '2', '3'] })
})

it('leaves prototypes alone', () => {
  parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1')

  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

it('shows where a JSON text is malformed', () => {
  expect(() => parseJson('{"title": "x",\n "priority": }')).toThrow(
    'Failed to parse the body as JSON: Unexpected token \'}\', ..."riority": }" is not valid JSON.',
  )
  expect(() => parseJson('{"title" 1}')).toThrow(/ at position 9 \(line 1 column 10\)\.$/)
})

it('refuses JSON that is nested too deep', () => {
  expect(() => parseJson('['.repeat(20_000))).toThrow('Expected the body to be nested at most 200 deep, got more.')
})

it('refuses JSON of more names and values than one turn can take, before it is parsed', () => {
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => at))
  const object = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, ':,['])))

  expect(() => parseJson(`{"a":${object(5_001)}}`)).toThrow(
    'Expected each object of the body to have at most 5,000 names, got more.',
  )
  expect(() => parseJson(`{"a":${list(100_001)}}`)).toThrow(
    'Expected the body to have at most 100,000 values, got more. Send it in several requests.',
  )
  expect(() => parseJson(list(250_001))).toThrow('Expected the body to have at most 250,000 values, got more.')
  expect(() => parseJson(`${list(250_001)}`.replace(',', ' , '))).toThrow('at most 250,000 values')
  expect(Object.keys(Object(parseJson(object(5_000))))).toHaveLength(5_000)
  expect(parseJson(list(249_000))).toHaveLength(249_000)
})

it('reads the parts of a multipart body', () => {
  const text = [
    '--x',
    'Content-Disposition: form-data; name="title"',
    '',
    'Grüße',
    '--x',
    'Content-Disposition: form-data; name="meta"',
    'Content-Type: application/json',
    '',
    '{"a":1}',
    '--x',
    'Content-Disposition: form-data; name="file"; filename="a.pdf"',
    'Content-Type: application/pdf',
    '',
    '%PDF',
    '--x--',
    '',
  ].join('\r\n')

  expect(parseMultipart(new TextEncoder().encode(text), 'multipart/form-data; boundary=x')).toEqual([
    ['title', 'Grüße'],
    ['meta', { a: 1 }],
    ['file', 'a.pdf'],
  ])
})

it('applies every step of a JSON patch', () => {
  const patched = applyJsonPatch({ title: 'a', tags: ['x'], meta: { 'a/b': 1 } }, [
    { op: 'test', path: '/title', value: 'a' },
    { op: 'replace', path: '/title', value: 'b' },
    { op: 'add', path: '/tags/-', value: 'y' },
    { op: 'add', path: '/tags/0', value: 'w' },
    { op: 'remove', path: '/meta/a~1b' },
    { op: 'copy', from: '/title', path: '/copy' },
    { op: 'move', from: '/copy', path: '/moved' },
  ])

  expect(patched).toEqual({ title: 'b', tags: ['w', 'x', 'y'], meta: {}, moved: 'b' })
})

it('changes nothing when a step of a JSON patch fails', () => {
  const record = { title: 'a' }

  expect(() =>
    applyJsonPatch(record, [
      { op: 'replace', path: '/title', value: 'b' },
      { op: 'test', path: '/title', value: 'c' },
    ]),
  ).toThrow('Failed to apply patch step 1 ("test /title"): the value is another.')
  expect(record).toEqual({ title: 'a' })
})

it('keeps ten thousand fields of one name', () => {
  const count = 10_000

  expect(parseForm('a[]=x&'.repeat(count)).a).toHaveLength(count)
  expect(parseForm('a=x&'.repeat(count)).a).toHaveLength(count)
})

it('refuses more fields than it reads', () => {
  const part = '--x\r\nContent-Disposition: form-data; name="a[]"\r\n\r\n1\r\n'
  const multipart = new TextEncoder().encode(`${part.repeat(200_000)}--x--\r\n`)

  expect(() => parseForm('a=x&'.repeat(10_001))).toThrow(
    'Expected at most 10000 fields in a form or a query, got 10001.',
  )
  expect(() => parseMultipart(multipart, 'multipart/form-data; boundary=x')).toThrow(
    'Expected at most 10000 fields in a form or a query, got 200000.',
  )
})

it('says which boundary a multipart body lacks', () => {
  expect(() => parseMultipart(new Uint8Array(), 'multipart/form-data')).toThrow(
    'Expected `content-type` to name a boundary, got "multipart/form-data".',
  )
})
