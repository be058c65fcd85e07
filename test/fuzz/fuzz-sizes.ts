import { hashText, Random } from '../../src/runtime/random.ts'
import { type Delay, delayOthers } from '../neighbours/delay-others.ts'
import { HEAVY_WORKS, type HeavyWork } from '../neighbours/heavy-works.ts'
import { RunningService } from '../neighbours/running-service.ts'
import { HOSTILE_SHAPES } from '../openapi/hostile/hostile-descriptions.ts'

/** Processor time that one turn may take at any size. */
const MOST_TURN_MS = 500

/** What one draw came to: the work with its sizes, and what is wrong. */
export interface DrawnSize {
  readonly what: string
  readonly delay: Delay | undefined
  readonly problem: string | undefined
}

/**
 * Draws works of one simulation, and the sizes of all that they handle, from one to the most that there may be: as many draws between 10 and
 * 100 as between 10,000 and 100,000. Another simulation has to be answered meanwhile.
 */
export async function* fuzzSizes({ runs, seed }: { runs: number; seed: number }): AsyncGenerator<DrawnSize> {
  let service = await RunningService.start()
  try {
    for (let run = 0; run < runs; run++) {
      const random = new Random(hashText(`sizes ${seed} ${run}`))
      const upTo = (most: number) => Math.max(1, Math.round(most ** random.next()))
      const sizes = {
        records: upTo(100_000),
        bodyBytes: upTo(9_900_000),
        bulk: upTo(10_000),
        hours: Math.max(0.25, upTo(720)),
        shapeShare: 1,
      }
      const [name, heavy] = drawWork(random, upTo)
      const what = `${name} ${JSON.stringify(sizes)}`
      try {
        const delay = await delayOthers(service, heavy, sizes)
        yield { what, delay, problem: problemOf(delay) }
      } catch (error) {
        yield { what, delay: undefined, problem: (error as Error).message }
        await service[Symbol.asyncDispose]()
        service = await RunningService.start()
      }
    }
  } finally {
    await service[Symbol.asyncDispose]()
  }
}

/** One of the heavy works, or as often the creation of a hostile description of a drawn size. */
function drawWork(random: Random, upTo: (most: number) => number): [name: string, heavy: HeavyWork] {
  if (random.next() < 0.5) return pick(Object.entries(HEAVY_WORKS), random)
  const [name, { sizes, write }] = pick(Object.entries(HOSTILE_SHAPES), random)
  const size = upTo(Math.max(...sizes))
  return [
    `${name} (${size})`,
    { body: () => write(size, 1), work: (_, spec, service) => service.manage('POST', '/simulations', { spec }) },
  ]
}

const pick = <T>(items: readonly T[], random: Random): T => items[random.integer(0, items.length - 1)] as T

function problemOf({ turnMs, failed }: Delay): string | undefined {
  if (failed.length > 0) return `another simulation answered ${failed.join(', ')}`
  return turnMs > MOST_TURN_MS ? `a turn of ${turnMs.toFixed(0)} ms` : undefined
}
