import { afterAll, beforeAll, expect, it } from 'vitest'
import { delayOthers } from './delay-others.ts'
import { HEAVY_WORKS } from './heavy-works.ts'
import { RunningService } from './running-service.ts'

/** Little of everything: `npm run neighbours` takes as much as one simulation may have. */
const SIZES = { records: 3_000, bodyBytes: 150_000, bulk: 500, hours: 2, shapeShare: 0.03 }
/** Processor time that others may have to wait for. */
const MOST_TURN_MS = 100

let service: RunningService
beforeAll(async () => {
  service = await RunningService.start()
})
afterAll(() => service[Symbol.asyncDispose]())

it.each(Object.entries(HEAVY_WORKS))('answers another simulation during %s', async (_, heavy) => {
  const { turnMs, failed } = await delayOthers(service, heavy, SIZES)

  expect(failed).toEqual([])
  expect(turnMs).toBeLessThan(MOST_TURN_MS)
})
