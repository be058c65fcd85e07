/** CPU time of a page's thread, from Chromium's tracing. */
import type { Browser, Page } from '@playwright/test'

/** One task of the page's thread. Times in milliseconds; CPU time, so that other processes do not count. */
export interface PageTask {
  readonly startsAt: number
  readonly endsAt: number
  readonly computed: number
}

/** The trace of a page. */
export interface PageTrace {
  readonly tasks: readonly PageTask[]
  /** Times of the marks that the page has set with `performance.mark`, by their names. */
  readonly marks: ReadonlyMap<string, number>
}

/** An event of Chromium's tracing, as far as it is read here. Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly cat: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Traces the page while something happens. */
export async function tracePage(browser: Browser, page: Page, work: () => Promise<void>): Promise<PageTrace> {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const names = new Set(threads.map(threadOf))
  const tasks = traceEvents
    .filter((event) => event.name.endsWith('RunTask') && names.has(threadOf(event)))
    .map(({ ts, dur = 0, tdur = 0 }) => ({ startsAt: ts / 1_000, endsAt: (ts + dur) / 1_000, computed: tdur / 1_000 }))
  const marks = traceEvents.filter(({ cat }) => cat === 'blink.user_timing')
  return { tasks, marks: new Map(marks.map(({ name, ts }) => [name, ts / 1_000])) }
}

/** CPU time of the tasks that overlap the interval between two times. */
export function computedBetween({ tasks }: PageTrace, from: number, to: number): number {
  const between = tasks.filter(({ startsAt, endsAt }) => endsAt > from && startsAt < to)
  return between.reduce((sum, { computed }) => sum + computed, 0)
}
