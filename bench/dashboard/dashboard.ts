/**
 * Measures the dashboard against its goals: sizes, first paint, lists of 10,000 rows, a stream of 1,000 activities a second, and
 * what an open page costs the service. Prints a table. Times are good on a machine that does nothing else.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'
import { costOfPage } from './cost-of-page.ts'
import { tracePage } from './page-tasks.ts'
import { ServiceProcess, type Target } from './service-process.ts'
import { typeLetters } from './typed-letters.ts'

interface Figure {
  readonly what: string
  readonly is: number
  readonly goal: number
  readonly unit: string
  /** Minimum and maximum of the values behind `is`. */
  readonly spread?: readonly [least: number, most: number]
}

const ROWS = 10_000
const RATE = 1_000
const SECONDS = 10
/** Connections that requests are sent on. */
const CLIENTS = 8
/** Loads of a page. */
const LOADS = 15
const FRAME_MS = 1_000 / 60

const living = new ServiceProcess()
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--enable-precise-memory-info'] })
const MEASURES: Readonly<Record<string, () => Promise<Figure[]>>> = {
  sizes: async () => sizes(),
  paint: async () => [await firstPaint(1, 200), await firstPaint(4, 600)],
  link: async () => [await deepLink()],
  stream,
  cost: async () => {
    const open = async (service: ServiceProcess, slug: string) => openPage(await signedIn(service), service, slug)
    const more = await costOfPage(open)
    return [{ what: 'cost of an open page to the service', ...summed(more), goal: 3, unit: '%' }]
  },
}
try {
  const asked = process.argv.slice(2)
  const figures: Figure[] = []
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (asked.length === 0 || asked.includes(name)) figures.push(...(await measure()))
  }
  print(figures)
} finally {
  await browser.close()
  await living.close()
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

/** A signed-in page, in a separate context. */
async function signedIn(service = living): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.goto(await service.ask('dashboardUrl'))
  await page.getByRole('heading', { name: 'Simulations' }).waitFor()
  return page
}

/** Opens a simulation, or a place below it. */
async function openPage(page: Page, service: ServiceProcess, path: string): Promise<Page> {
  await page.goto(`${await service.ask('serviceUrl')}/ui/s/${path}`)
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return page
}

/** Loads with the files in the browser's cache. */
async function firstPaint(slower: number, goal: number): Promise<Figure> {
  const page = await signedIn()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const { slug } = await living.ask('first')
  const paints: number[] = []
  for (let turn = 0; turn < LOADS; turn++) {
    await openPage(page, living, slug)
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    )
  }
  await page.context().close()
  const how = slower === 1 ? 'full speed' : `${slower} times slower`
  return { what: `first paint, ${how}`, ...summed(paints), goal, unit: 'ms' }
}

/** From the moment at which an address is given to the browser, to the frame in which its rows are painted. */
async function deepLink(): Promise<Figure> {
  const page = await signedIn()
  await page.addInitScript(noteRows)
  const { slug } = await living.ask('first')
  const address = `${await living.ask('serviceUrl')}/ui/s/${slug}/data/tasks`
  const times: number[] = []
  for (let turn = 0; turn < LOADS; turn++) {
    const startedAt = Date.now()
    await page.goto(address, { waitUntil: 'commit' })
    times.push(
      (await page.evaluate(() => (window as unknown as { rowsPainted: Promise<number> }).rowsPainted)) - startedAt,
    )
  }
  await page.context().close()
  return { what: 'address to rows of a deep link', ...summed(times), goal: 300, unit: 'ms' }
}

/** Runs in the page before its own scripts: notes when the frame with its first rows was painted. */
function noteRows(): void {
  const painted = new Promise<number>((resolve) => {
    const look = () => {
      if (document.querySelector('.rows-records [data-open]') === null) requestAnimationFrame(look)
      else setTimeout(() => resolve(Date.now()))
    }
    requestAnimationFrame(look)
  })
  Object.assign(window, { rowsPainted: painted })
}

/** A page that follows a stream of 1,000 activities a second, then scrolls and filters its 10,000 rows. */
async function stream(): Promise<Figure[]> {
  const to = await living.ask('first')
  const page = await openPage(await signedIn(), living, to.slug)
  await page.getByText('Nothing has happened yet').waitFor()
  const tasks = (await tracePage(browser, page, () => sendRequests(to, RATE, SECONDS))).tasks
  const drawn = await page.locator('.rows-timeline .rows-body .row').count()
  // At 400 a second each activity is sent, so that the page fills up.
  for (let count = await countRows(page); count < ROWS; count = await countRows(page)) {
    await sendRequests(to, 400, Math.min(10, Math.ceil((ROWS - count) / 400)))
    await page.waitForTimeout(300)
  }
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1_000_000,
  )
  let frames: number[] = []
  const scrolling = await tracePage(browser, page, async () => {
    frames = await page.evaluate(scrollThrough)
  })
  const computed = sum(scrolling.tasks.map((task) => task.computed)) / frames.length
  const letters = await typeLetters(browser, page)
  await page.context().close()
  const rows = ROWS.toLocaleString('en')
  const longest = Math.max(...tasks.map((task) => task.computed))
  return [
    { what: `longest task at ${RATE} activities a second`, is: longest, goal: 50, unit: 'ms' },
    { what: 'rows that are drawn', is: drawn, goal: 60, unit: '' },
    { what: `heap after ${rows} rows`, is: heap, goal: 60, unit: 'MB' },
    { what: 'a frame of scrolling, 95 of 100', is: percentile(frames, 0.95), goal: 20, unit: 'ms' },
    { what: 'computed for a frame of scrolling', is: computed, goal: FRAME_MS, unit: 'ms' },
    {
      what: `a letter that filters ${rows} rows, computed until painted`,
      ...summed(letters.map((letter) => letter.computed)),
      goal: 10,
      unit: 'ms',
    },
    {
      what: 'the same by the clock, with the wait for a frame',
      ...summed(letters.map(({ waited }) => waited)),
      goal: 10 + FRAME_MS,
      unit: 'ms',
    },
  ]
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The median, with minimum and maximum. */
function summed(values: readonly number[]): Pick<Figure, 'is' | 'spread'> {
  return { is: percentile(values, 0.5), spread: [Math.min(...values), Math.max(...values)] }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function print(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length))
  for (const { what, is, goal, unit, spread } of figures) {
    const shown = `${is.toFixed(1)} ${unit}`.trim().padStart(10)
    const range = spread === undefined ? '' : `${spread.map((value) => value.toFixed(1)).join(' to ')} ${unit}`
    const isMet = is <= goal ? '' : ' MISSED'
    process.stdout.write(
      `${what.padEnd(width)}  ${shown}  goal ${`${Number(goal.toFixed(1))} ${unit}`.padEnd(7)} ${range}${isMet}\n`,
    )
  }
}
