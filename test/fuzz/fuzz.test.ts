import { expect, it } from 'vitest'
import { startService } from '../../src/service.ts'
import { fuzzManagement, fuzzSimulated } from './fuzz-service.ts'

const SLICE = { runs: 2_500, seed: 20_261_121, startService }

it('answers requests to the management API as documented, whatever they hold', async () => {
  const { requests, statuses } = await fuzzManagement(SLICE)

  expect(requests).toBe(SLICE.runs)
  expect(Object.keys(statuses).map(Number)).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 405, 415]))
})

it('answers requests to a simulated API as documented, whatever they hold', async () => {
  const { requests, statuses } = await fuzzSimulated(SLICE)

  expect(requests).toBe(SLICE.runs)
  expect(Object.keys(statuses).map(Number)).toEqual(expect.arrayContaining([200, 201, 401, 404, 405]))
})
