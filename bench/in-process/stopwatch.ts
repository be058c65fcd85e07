import { median } from '../bench-row.ts'

/** Milliseconds that `run` takes. */
export async function timeMs(run: () => unknown): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/** The median of `rounds` runs, after one that does not count. `prepare` is not timed. */
export async function medianMs<T>(
  rounds: number,
  prepare: () => T | Promise<T>,
  run: (prepared: T) => unknown,
): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < rounds; round++) {
    const prepared = await prepare()
    const ms = await timeMs(() => run(prepared))
    if (round >= 0) times.push(ms)
  }
  return median(times)
}
