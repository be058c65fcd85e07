import type { JsonObject } from '../../src/protocol/json.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { Blueprint } from '../../src/service/simulation/origin/blueprint.ts'
import { runToEnd } from '../../src/service/world/long-reads.ts'
import { atMost, atMostOfFloor, type BenchRow } from '../bench-row.ts'
import { largeDescription, parseAndResolve } from '../in-process/large-description.ts'
import { answerTo, newSimulation, readEntry, readTaskTracker, type Source } from '../in-process/new-simulation.ts'
import { medianMs } from '../in-process/stopwatch.ts'

const ROUNDS = 15
const CHANGES = 1_000
const LARGE_VOLUME = 1_000_000

/** Cost of a creation up to the first response, and of a reset. */
export async function run(): Promise<BenchRow[]> {
  const entry = await readTaskTracker()
  const provider = await readEntry('stripe')
  createCounted(provider)
  const large = JSON.parse(await largeDescription(1_000_000)) as JsonObject
  const largeBlueprint = new Blueprint(readDescription(large))
  const uploaded = await largeDescription(3_000_000)
  const small = await creationMs({ ...entry, volume: { tasks: 50 } })
  const big = await creationMs({ ...entry, volume: { tasks: LARGE_VOLUME } })
  return [
    atMost({ name: 'create from a library entry', value: await creationMs(entry), unit: 'ms', most: 2 }),
    atMost({
      name: 'create from an entry of 124 operations again',
      value: await medianMs(ROUNDS, ignore, () => createCounted(provider)),
      unit: 'ms',
      most: 2,
    }),
    atMost({
      name: 'create from 1 MB read before',
      value: await medianMs(ROUNDS, ignore, () => newSimulation({ blueprint: largeBlueprint })),
      unit: 'ms',
      most: 20,
    }),
    atMost({
      name: 'create, reading 1 MB of JSON first',
      value: await medianMs(
        ROUNDS,
        () => structuredClone(large),
        (document) => newSimulation({ blueprint: new Blueprint(readDescription(document)) }),
      ),
      unit: 'ms',
      most: 150,
    }),
    atMostOfFloor({
      name: 'first answer of an uploaded 3 MB',
      value: await medianMs(ROUNDS, ignore, () => firstAnswer(uploaded)),
      floor: await medianMs(ROUNDS, ignore, () => parseAndResolve(uploaded)),
      unit: 'ms',
      most: 1.5,
    }),
    atMost({ name: 'create 1,000,000 records instead of 50', value: Math.max(0, big - small), unit: 'ms', most: 1 }),
    atMost({ name: 'reset with 1,000 changes', value: await resetMs(entry), unit: 'ms', most: 1 }),
    atMost({ name: 'reset by restoring a snapshot', value: await restoreMs(entry), unit: 'ms', most: 1 }),
  ]
}

/** Until the first record is shown, so that deferred work counts. */
const creationMs = (source: Source): Promise<number> =>
  medianMs(ROUNDS, ignore, () => answerTo(newSimulation(source), 'GET', '/tasks?limit=1'))

/** A service's part of a creation: it counts the records. */
function createCounted(source: Source): number {
  return runToEnd(newSimulation(source).records.counting())
}

/** From the text of a description to an answer of its simulation. */
function firstAnswer(text: string): unknown {
  const simulation = newSimulation({
    blueprint: new Blueprint(readDescription(JSON.parse(text) as JsonObject, { isTree: true })),
  })
  return answerTo(simulation, 'GET', '/area1/customers?limit=1')
}

function resetMs(source: Source): Promise<number> {
  return medianMs(
    ROUNDS,
    () => changed(source),
    (simulation) => {
      simulation.reset()
      return simulation.ready()
    },
  )
}

function restoreMs(source: Source): Promise<number> {
  return medianMs(
    ROUNDS,
    async () => {
      const simulation = await changed(source)
      const id = await simulation.snapshot()
      await change(simulation)
      return { simulation, id }
    },
    ({ simulation, id }) => simulation.restore(id),
  )
}

async function changed(source: Source) {
  const simulation = newSimulation(source)
  await simulation.ready()
  await change(simulation)
  return simulation
}

async function change(simulation: ReturnType<typeof newSimulation>): Promise<void> {
  for (let made = 0; made < CHANGES; made++)
    answerTo(simulation, 'POST', '/labels', { name: `l${made}`, colour: '#aa0000' })
}

const ignore = (): void => {}
