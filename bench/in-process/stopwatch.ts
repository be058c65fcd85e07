import { median } from '../bench-row.ts'

/** Milliseconds that `run` takes. */
export async function timeMs(run: () => unknown): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/**
 * Milliseconds that `run` keeps this thread busy: what it takes on a core of its own, however many share the machine
 * meanwhile. For what computes long and waits for nothing: the system counts in steps of some milliseconds.
 */
export async function busyMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The median of `rounds` runs, after one that does not count. `prepare` is not timed. */
export async function medianMs<T>(
  rounds: number,
  prepare: () => T | Promise<T>,
  run: (prepared: T) => unknown,
  watch: (run: () => unknown) => Promise<number> = timeMs,
): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < rounds; round++) {
    const prepared = await prepare()
    const ms = await watch(() => run(prepared))
    if (round >= 0) times.push(ms)
  }
  return median(times)
}
