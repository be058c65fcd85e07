/**
 * Measures the dashboard against its goals: sizes, first paint, lists of 10,000 rows, a stream of 1,000 activities a second, and
 * what an open page costs the service. Prints a table. Times are good on a machine that does nothing else.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'
import { ServiceThread, type Target, type ThreadedService } from './service-thread.ts'

interface Figure {
  readonly what: string
  readonly is: number
  readonly goal: number
  readonly unit: string
}

const ROWS = 10_000
const RATE = 1_000
const SECONDS = 10
/** Connections that requests are sent on. */
const CLIENTS = 8
/** Pairs of measurements with a page and without. */
const TURNS = 9

/** Sends requests for two seconds, as fast as they are answered, after as long as it takes to go on evenly; says how many were. */
const SENDER = `
const { parentPort, workerData: { url, apiKey, clients } } = require('node:worker_threads')
const headers = { authorization: 'Bearer ' + apiKey }
let answered = 0
let end = performance.now() + 1500
const ask = async () => {
  for (; performance.now() < end; answered++) await (await fetch(url, { headers })).arrayBuffer()
}
const askAll = () => Promise.all(Array.from({ length: clients }, ask))
askAll().then(() => parentPort.postMessage('warm'))
parentPort.once('message', async () => {
  answered = 0
  end = performance.now() + 2000
  await askAll()
  parentPort.postMessage(answered)
})
`

const thread = new ServiceThread()
const living = await thread.ask('service')
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--enable-precise-memory-info'] })
try {
  const figures = [
    ...sizes(),
    await firstPaint(browser, living, 1, 200),
    await firstPaint(browser, living, 4, 600),
    await deepLink(browser, living),
    ...(await stream(browser, living)),
    await costOfPage(browser, living),
  ]
  print(figures)
} finally {
  await browser.close()
  await thread.close()
}

function sizes(): Figure[] {
  const folder = join(import.meta.dirname, '../../dist/ui')
  const sizeOf = (path: string): number =>
    gzipSync(brotliDecompressSync(readFileSync(join(folder, path)))).length / 1_000
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const first = new Set(
    [...page.matchAll(/(?:src|href)="\/ui\/(assets\/[^"]+)"/g)].map(([, path = '']) => `${path}.br`),
  )
  const all = readdirSync(join(folder, 'assets')).map((name) => join('assets', name))
  return [
    { what: 'first page, gzip', is: sum([...first].map(sizeOf)), goal: 45, unit: 'kB' },
    { what: 'all files, gzip', is: sum(all.map(sizeOf)), goal: 150, unit: 'kB' },
  ]
}

/** A page that is signed in, in a context of its own. */
async function signedIn(from: Browser): Promise<Page> {
  const page = await (await from.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(await thread.ask('dashboardUrl'))
  await page.getByRole('heading', { name: 'Simulations' }).waitFor()
  return page
}

/** The median of five loads, with the files in the browser's cache. */
async function firstPaint(from: Browser, to: ThreadedService, slower: number, goal: number): Promise<Figure> {
  const page = await signedIn(from)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const paints: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await page.goto(`${to.serviceUrl}/ui/s/${to.slug}`)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    )
  }
  await page.context().close()
  const how = slower === 1 ? 'full speed' : `${slower} times slower`
  return { what: `first paint, ${how}`, is: median(paints), goal, unit: 'ms' }
}

async function deepLink(from: Browser, to: ThreadedService): Promise<Figure> {
  const page = await signedIn(from)
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const startedAt = performance.now()
    await page.goto(`${to.serviceUrl}/ui/s/${to.slug}/data/tasks`, { waitUntil: 'commit' })
    await page.locator('.rows-records [data-open]').first().waitFor()
    times.push(performance.now() - startedAt)
  }
  await page.context().close()
  return { what: 'address to rows of a deep link', is: median(times), goal: 300, unit: 'ms' }
}

/** A page that follows a stream of 1,000 activities a second, then scrolls and filters its 10,000 rows. */
async function stream(from: Browser, to: ThreadedService): Promise<Figure[]> {
  const page = await signedIn(from)
  await page.goto(`${to.serviceUrl}/ui/s/${to.slug}`)
  await page.getByText('Nothing has happened yet').waitFor()
  const tasks = await tasksDuring(page, () => sendRequests(to, RATE, SECONDS))
  const drawn = await page.locator('.rows-timeline .rows-body .row').count()
  // At 400 a second each is told, so that the page fills up.
  for (let count = await countRows(page); count < ROWS; count = await countRows(page)) {
    await sendRequests(to, 400, Math.min(10, Math.ceil((ROWS - count) / 400)))
    await page.waitForTimeout(300)
  }
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1_000_000,
  )
  let frames: number[] = []
  const scrolling = await tasksDuring(page, async () => {
    frames = await page.evaluate(scrollThrough)
  })
  const filter = await page.evaluate(filterRows)
  await page.context().close()
  return [
    { what: `longest task at ${RATE} activities a second`, is: Math.max(...tasks), goal: 50, unit: 'ms' },
    { what: 'rows that are drawn', is: drawn, goal: 60, unit: '' },
    { what: `heap after ${ROWS.toLocaleString('en')} rows`, is: heap, goal: 60, unit: 'MB' },
    { what: 'a frame of scrolling, 95 of 100', is: percentile(frames, 0.95), goal: 20, unit: 'ms' },
    { what: 'computed for a frame of scrolling', is: sum(scrolling) / frames.length, goal: 1_000 / 60, unit: 'ms' },
    { what: `filtering ${ROWS.toLocaleString('en')} rows`, is: filter, goal: 10, unit: 'ms' },
  ]
}

/** What each task of the page's thread computes while something happens, in milliseconds of processor time: what other processes do does not count. */
async function tasksDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const names = new Set(threads.map(threadOf))
  const tasks = traceEvents.filter((event) => event.name.endsWith('RunTask') && names.has(threadOf(event)))
  return tasks.map(({ tdur = 0 }) => tdur / 1_000)
}

/** An event of Chromium's tracing, as far as it is read here. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

async function countRows(page: Page): Promise<number> {
  const shown = await page.locator('.filter-count').textContent()
  return Number((shown ?? '').split(' of ')[0]?.replaceAll(',', ''))
}

/** Runs in the page: the lengths of the frames while the list is scrolled. */
async function scrollThrough(): Promise<number[]> {
  const body = document.querySelector('.rows-timeline .rows-body') as HTMLElement
  const frames: number[] = []
  let last = await new Promise<number>(requestAnimationFrame)
  for (let turn = 0; turn < 300; turn++) {
    body.scrollTop += 240
    const now = await new Promise<number>(requestAnimationFrame)
    frames.push(now - last)
    last = now
  }
  return frames
}

/** Runs in the page: how long the page computes for one letter that is typed into the filter. */
async function filterRows(): Promise<number> {
  const input = document.querySelector('[data-filter]') as HTMLInputElement
  const startedAt = performance.now()
  input.value = 'path:*7*'
  input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  await new Promise<void>((resolve) => setTimeout(resolve))
  return performance.now() - startedAt
}

/** Sends so many requests a second, as far as the machine keeps up. */
async function sendRequests({ url, apiKey }: Target, perSecond: number, seconds: number): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const startedAt = performance.now()
  const total = perSecond * seconds
  let sent = 0
  const send = async () => {
    while (sent < total) {
      const dueAt = startedAt + (sent++ / perSecond) * 1_000
      const early = dueAt - performance.now()
      if (early > 1) await new Promise((resolve) => setTimeout(resolve, early))
      await (await fetch(`${url}/v1/tasks?limit=1`, { headers })).arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, send))
}

/**
 * How much more the service computes for a request while a page is open: the median of interleaved pairs, against a simulation
 * that no page has ever shown.
 */
async function costOfPage(from: Browser, to: ThreadedService): Promise<Figure> {
  const unseen = await thread.ask('another')
  const more: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const page = await signedIn(from)
    await page.goto(`${to.serviceUrl}/ui/s/${to.slug}`)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    const withPage = await computedForRequest(to)
    await page.context().close()
    more.push((withPage / (await computedForRequest(unseen)) - 1) * 100)
  }
  return { what: 'cost of an open page to the service', is: median(more), goal: 3, unit: '%' }
}

/** Microseconds that the service's thread computes for a request. Another thread sends them. */
async function computedForRequest({ url, apiKey }: Target): Promise<number> {
  const sender = new Worker(SENDER, {
    eval: true,
    workerData: { url: `${url}/v1/tasks?limit=1`, apiKey, clients: CLIENTS },
  })
  await once(sender, 'message')
  const before = await thread.ask('computed')
  sender.postMessage('begin')
  const [answered] = await once(sender, 'message')
  const computed = (await thread.ask('computed')) - before
  await sender.terminate()
  return computed / answered
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function print(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length))
  for (const { what, is, goal, unit } of figures) {
    const shown = `${is.toFixed(1)} ${unit}`.trim().padStart(10)
    process.stdout.write(`${what.padEnd(width)}  ${shown}  goal ${goal} ${unit} ${is <= goal ? '' : ' MISSED'}\n`)
  }
}
