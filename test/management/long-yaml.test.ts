import { dump } from 'js-yaml'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, object } from '../openapi/describe-api.ts'
import { startForTest } from './start-for-test.ts'

const OTHER_KEY = 'key-of-the-other-account'

/** A description that is read in a thread, since its YAML is long. */
function longDescription(): JsonObject {
  const thing = object({
    id: 'string',
    name: 'string',
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'é'] } },
  })
  const paths = Object.fromEntries(
    Array.from({ length: 800 }, (_, at) => [`/things${at}`, { get: answers({ type: 'array', items: thing }) }]),
  )
  return describeApi({ ...paths, '/last/{id}': { get: answers(thing) } }) as JsonObject
}

it('reads long YAML as it reads JSON, several at once', async () => {
  const { create } = await startForTest()
  const description = longDescription()
  const texts = [dump(description), dump(description, { noRefs: true }), JSON.stringify(description)]
  expect(Math.min(...texts.map(({ length }) => length))).toBeGreaterThan(128 * 1_024)

  const made = await Promise.all(texts.map((spec) => create({ spec, seed: 'same' })))
  const lists = await Promise.all(
    made.map(async ({ url, apiKey }) =>
      (await fetch(`${url}/things599`, { headers: { authorization: `Bearer ${apiKey}` } })).text(),
    ),
  )

  expect(lists[0]).toContain('"tags"')
  expect(new Set(lists).size).toBe(1)
})

it('reads the long YAML of one account while another has much to be read', async () => {
  const { service } = await startForTest({ accounts: [{}, { keys: [{ key: OTHER_KEY }] }] })
  const description = longDescription()
  const done: string[] = []
  const create = async (of: string, key: string, title: string) => {
    const spec = dump({ ...description, info: { title, version: '1' } })
    const response = await fetch(`${service.url}/v1/simulations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ spec }),
    })
    expect(response.status).toBe(201)
    done.push(of)
  }
  await Promise.all([
    ...['a', 'b', 'c', 'd', 'e'].map((title) => create('busy', service.accountKey, title)),
    create('other', OTHER_KEY, 'f'),
  ])

  expect(done.indexOf('other')).toBeLessThan(3)
})

it.each([
  [
    'with an object of too many names',
    (text: string) => `${text}\nx-wide:\n${Array.from({ length: 50_001 }, (_, at) => `  n${at}: 1\n`).join('')}`,
    /the object at \/x-wide has more than 50000 names/,
  ],
  [
    'that is broken',
    (text: string) => `${text}\n  }: [`,
    /Failed to read the description as YAML at line \d+, column \d+/,
  ],
  ['that holds itself', (text: string) => `${text}\nx-a: &a { b: *a }`, /the alias at \/x-a\/b holds itself/],
  ['that is no object', (text: string) => `- ${JSON.stringify(text)}`, /it is an array, not an object/],
])('refuses long YAML %s, with the reason', async (_, change, reason) => {
  const { call } = await startForTest()

  const { status, text } = await call('POST', '/v1/simulations', { spec: change(dump(longDescription())) })

  expect(status).toBe(422)
  expect(text).toMatch(reason)
})
