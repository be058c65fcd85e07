import { afterAll, expect, it } from 'vitest'
import { HOSTILE_SHAPES } from './hostile-descriptions.ts'
import { ProbeProcess } from './probe-process.ts'

/** One of each class. `npm run hostile` takes all of them, and measures their processor time. */
const IN_SHORT = new Set([
  'arrays that want ten arrays',
  'two required properties a level',
  'two alternatives a level, directly',
  'alternatives that are each other',
  'discriminators in circles',
  'parts that are included twice',
  'references in a chain',
  'a schema that requires itself',
  'maps of maps',
  'a huge enum',
  'patterns that go back',
  'long texts',
  'collections over a shared schema',
  'aliases of aliases',
  'alternatives in a grid',
  'a record that embeds all others',
])
const shapes = Object.entries(HOSTILE_SHAPES).filter(([name]) => IN_SHORT.has(name))
const rows = shapes.map(([name, { sizes, write }]): [string, number, () => string] => {
  const [size = 1] = sizes
  return [name, size, () => write(size, 1)]
})

const probes = new ProbeProcess()
afterAll(() => probes[Symbol.dispose]())

it.each(rows)('answers: %s (%i)', async (_name, _size, write) => {
  const { steps } = await probes.probe(write())

  expect(steps.filter(({ status }) => status >= 500)).toEqual([])
})

it('knows the shapes that stand for all', () => {
  expect([...IN_SHORT].filter((name) => !(name in HOSTILE_SHAPES))).toEqual([])
})
