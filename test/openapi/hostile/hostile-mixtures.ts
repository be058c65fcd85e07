import { answers, describeApi, object } from '../describe-api.ts'
import { about, type HostileShapes, named, ref, thing, times, towerOf } from './hostile-shape.ts'

/** A list, a read and what `get` answers. */
const showing = (get: object): string =>
  JSON.stringify(
    describeApi(
      {
        ...JSON.parse(about({ X: thing({ name: 'string' }) })).paths,
        '/shown': { get: { responses: { 200: { description: 'ok', content: { 'application/json': get } } } } },
        '/shown/{id}': { get: { responses: { 200: { description: 'ok' } } } },
      },
      { components: { schemas: { X: thing({ name: 'string' }) } } },
    ),
  )

/** Shapes that were drawn without knowing the budgets, and that broke one. */
export const HOSTILE_MIXTURES: HostileShapes = {
  'choices in the parts of choices': {
    sizes: [80],
    write: towerOf((next, at) => ({
      allOf: [{ oneOf: [next, object({ [`a${at}`]: next })] }, { oneOf: [next, object({ [`b${at}`]: next })] }],
    })),
  },
  'alternatives in a grid': {
    sizes: [30],
    write: (size) =>
      about({
        X: thing({ value: ref('G0x0') }),
        ...Object.fromEntries(
          times(size * size, (at) => {
            const [row, column] = [Math.floor(at / size), at % size]
            const below = (other: number) => ref(`G${(row + 1) % size}x${other}`)
            const own = { [`p${column}`]: ref(`G${(row + 2) % size}x${column}`) }
            return [`G${row}x${column}`, { anyOf: times(size, below), properties: own }]
          }),
        ),
      }),
  },
  'webhooks of bodies in bodies': {
    sizes: [1_000],
    write: (size) => {
      const kinds = times(size, (at) => `thing.created${'-'.repeat(at)}`)
      const below = Object.fromEntries(times(200, (at) => [`data${at}`, ref('Body')] as const))
      const Body = object({ ...below, type: { enum: kinds.slice(0, 500) }, data: ref('Body') })
      const post = { requestBody: { content: { 'application/json': { schema: ref('Body') } } } }
      const webhooks = Object.fromEntries(kinds.map((kind) => [kind, { post }]))
      return JSON.stringify({ ...JSON.parse(about({ X: thing({ name: 'string' }), Body })), webhooks })
    },
  },
  'patterns of many kinds of letters': {
    sizes: [900],
    write: (size) =>
      about({
        X: thing({
          letters: { type: 'string', pattern: `\\p{L}{${size}}\\P{N}*` },
          groups: { type: 'string', pattern: `${'('.repeat(size)}a${')'.repeat(size)}` },
          set: { type: 'string', pattern: `[${'a-zA-Z'.repeat(size * 100)}]` },
          behind: { type: 'string', pattern: `(?<=a{1,${size}})b(?!c{${size}})` },
        }),
      }),
  },
  'a list of examples without a schema': {
    sizes: [50_000],
    write: (size) =>
      showing({
        example: { data: times(size, (at) => ({ id: `${at}`, [`n${at % 3_000}`]: 'some name', inner: { at } })) },
      }),
  },
  'a schema of its own for each operation': {
    sizes: [2_500],
    write: (size) => {
      const own = (at: number) => object(named(25, `f${at}_`, () => ({ type: 'string', maxLength: 40 })))
      const paths = Object.fromEntries(
        times(size, (at) => [`/own${at}`, { get: answers({ type: 'array', items: own(at) }) }]),
      )
      const plain = JSON.parse(about({ X: thing({ name: 'string' }) })).paths
      return JSON.stringify(
        describeApi({ ...plain, ...paths }, { components: { schemas: { X: thing({ name: 'string' }) } } }),
      )
    },
  },
  'a hundred thousand anchors of YAML': {
    sizes: [100_000],
    write: (size) =>
      [
        'openapi: 3.1.0',
        'info: { title: Anchors, version: "1" }',
        'x-anchors:',
        ...times(size, (at) => `  - &a${at} { v: ${at} }`),
        'paths:',
        '  /things: { get: { responses: { "200": { description: ok } } } }',
      ].join('\n'),
  },
}
