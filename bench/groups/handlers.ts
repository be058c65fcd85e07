import { join } from 'node:path'
import { handlers } from '../../src/handlers.ts'
import { createSimulation, type SimulationOptions } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { answers, describeApi, inPath, list, object, takes } from '../../test/openapi/describe-api.ts'
import { atMost, atMostOfFloor, type BenchRow, median } from '../bench-row.ts'
import { busyMs } from '../in-process/stopwatch.ts'

const ROUNDS = 21
const CALLS = 400
const FOLDERS = 9

const note = object({ id: 'string', text: 'string' }, { required: ['id', 'text'] })
const NOTES = describeApi({
  '/notes': { get: answers(list(note)), post: { ...takes(object({ text: 'string' })), ...answers(note) } },
  '/notes/{id}': { ...inPath('id'), get: answers(note) },
})
const passing = handlers({ 'POST /notes': ({ next }) => next(), 'GET /notes/{id}': ({ next }) => next() })
const folder = join(import.meta.dirname, '../../test/fixture/projects/folder')

/** What handlers add to an operation, and a folder to the creation. */
export async function run(): Promise<BenchRow[]> {
  const create = await bothMs((at) => ['POST', '/notes', { text: `note ${at}` }])
  const read = await bothMs((_, id) => ['GET', `/notes/${id}`])
  const files = await folderMs({ library: folder })
  const alone = await folderMs({ spec: join(folder, 'openapi.yaml') })
  return [
    atMostOfFloor({ name: `create ${CALLS} records with a handler`, ...create, unit: 'ms', most: 1.1 }),
    atMostOfFloor({ name: `read ${CALLS} records with a handler`, ...read, unit: 'ms', most: 1.1 }),
    atMost({ name: 'a folder beside its description', value: Math.max(0, files - alone), unit: 'ms', most: 15 }),
  ]
}

type Call = (at: number, id: string) => [method: string, path: string, body?: JsonObject]

/** Processor time of the calls with handlers that only call `next`, and without, as a test makes them; in turns. */
async function bothMs(call: Call): Promise<{ value: number; floor: number }> {
  await using handled = await open({ handlers: passing })
  await using bare = await open({})
  const sides = [handled, bare].map((simulation) => ({ simulation, times: [] as number[] }))
  for (let round = -3; round < ROUNDS; round++) {
    for (const { simulation, times } of sides) {
      const [note] = await simulation.records('notes', { limit: 1 })
      const ms = await busyMs(async () => {
        for (let at = 0; at < CALLS; at++) {
          const [method, path, body] = call(at, String(note?.id))
          await (await simulation.fetch(path, { method, ...(body && { body: JSON.stringify(body) }) })).text()
        }
      })
      if (round >= 0) times.push(ms)
    }
  }
  const [value = 0, floor = 0] = sides.map(({ times }) => median(times))
  return { value, floor }
}

const open = (options: SimulationOptions) =>
  createSimulation({ spec: NOTES }, { ...options, behaviour: [], volume: { notes: 50 }, webhooks: false })

/** Processor time of a creation up to its end. */
async function folderMs(source: { library: string } | { spec: string }): Promise<number> {
  const times: number[] = []
  for (let round = -2; round < FOLDERS; round++) {
    const ms = await busyMs(async () => {
      await using _ = await createSimulation(source, { behaviour: [], webhooks: false })
    })
    if (round >= 0) times.push(ms)
  }
  return median(times)
}
