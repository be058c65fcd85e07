import { afterAll, beforeAll, expect, it } from 'vitest'
import { delayOthers } from './delay-others.ts'
import { HEAVY_WORKS } from './heavy-works.ts'
import { RunningService } from './running-service.ts'

/** Little of everything: `npm run neighbours` takes as much as one simulation may have, and measures how long others wait. */
const SIZES = { records: 3_000, bodyBytes: 150_000, bulk: 500, hours: 2, shapeShare: 0.03 }
/** Works that take a step, after which others may go first, for each record or change. */
const LEAST_STEPS: Readonly<Record<string, number>> = {
  'a fast-forward with many changes': SIZES.records,
  'a fast-forward that changes nothing': 7_200,
  'a catch-up': 2_400,
  'a search over many records': SIZES.records,
  'a sorted list of many records': SIZES.records,
  'a list that the rows of an entry make of many records': SIZES.records,
  'a list that a handler makes of many records': SIZES.records,
  'a page of the dashboard over many records': SIZES.records,
  'a rule run out of turn': SIZES.records,
  'a search of stale reads': SIZES.records,
  'a bulk creation': SIZES.bulk,
  'a description of YAML': 2_000,
  'collections over a shared schema': 300,
  'references that lead nowhere': 50_000,
}

let service: RunningService
beforeAll(async () => {
  service = await RunningService.start()
})
afterAll(() => service[Symbol.asyncDispose]())

it.each(Object.entries(HEAVY_WORKS))('answers another simulation during %s', async (name, heavy) => {
  const { steps, failed } = await delayOthers(service, heavy, SIZES)

  expect(failed).toEqual([])
  expect(steps).toBeGreaterThanOrEqual(LEAST_STEPS[name] ?? 1)
})

it('knows the works that are named here', () => {
  expect(Object.keys(LEAST_STEPS).filter((name) => !(name in HEAVY_WORKS))).toEqual([])
})
