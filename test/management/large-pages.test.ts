import { expect, it } from 'vitest'
import { answers, describeApi, object } from '../openapi/describe-api.ts'
import { startForTest } from './start-for-test.ts'

const names = Array.from({ length: 60 }, (_, at) => `text${at}`)
const long = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 60_000 }]))
const thing = object({ id: 'string', ...long }, { required: ['id', ...names] })

it('cuts a page of large records of the owner, which go on where it ends', async () => {
  const { call, create } = await startForTest()
  const spec = JSON.stringify(
    describeApi({
      '/things': { get: answers({ type: 'array', items: thing }) },
      '/things/{id}': { get: answers(thing) },
    }),
  )
  const { id } = await create({ spec, volume: { things: 100 } })
  const read = async (offset: number) => {
    const { body, text } = await call('GET', `/v1/simulations/${id}/records/things?limit=500&offset=${offset}`)
    return { ids: body.data.map((record: { id: string }) => record.id), total: body.total, length: text.length }
  }

  const first = await read(0)
  const ids = [...first.ids]
  for (let page = first; page.ids.length > 0; page = await read(ids.length)) if (page !== first) ids.push(...page.ids)

  expect(first.length).toBeLessThan(5_000_000)
  expect(new Set(ids).size).toBe(first.total)
  expect(first.total).toBe(100)
  expect(first.ids.length).toBeLessThan(100)
})
