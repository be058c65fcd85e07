import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listEntries, loadEntry } from '../../src/library/built-in-entries.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'
import { atMost, atMostOfFloor, type BenchRow, median } from '../bench-row.ts'
import { runProject } from '../fixtures/runner-project.ts'
import { largeDescription } from '../in-process/large-description.ts'

const PROCESSES = 10

interface Measured {
  firstMs: number
  secondMs: number
  waits: number[]
}

/**
 * What a suite pays, in processes of its own and in workers of the real runner: from the import of `backlot/vitest` to the first
 * answered request, a second simulation in the same process, and a change until `expectWebhook` resolves. Processes find the
 * compiled code that earlier ones have kept, as all but the first of a run do, except where the row says otherwise.
 */
export async function run(): Promise<BenchRow[]> {
  const measured = runProject<Measured>({
    template: 'cold-start',
    tests: processes().map((number) => ({ file: `${number}.test.ts`, from: 'first-answer.ts' })),
    command: ['vitest/vitest.mjs', 'run'],
  })
  return [
    atMost({
      name: 'cold start to first answer',
      value: median(processes().map(() => runProcess().firstMs)),
      unit: 'ms',
      most: 150,
    }),
    atMost({
      name: 'cold start, nothing compiled before',
      value: median(processes().map(() => runProcess([], { NODE_DISABLE_COMPILE_CACHE: '1' }).firstMs)),
      unit: 'ms',
      most: 150,
    }),
    atMost({
      name: 'cold start, within a Vitest run',
      value: median(measured.map(({ firstMs }) => firstMs)),
      unit: 'ms',
      most: 150,
    }),
    atMost({
      name: 'second simulation',
      value: median(measured.map(({ secondMs }) => secondMs)),
      unit: 'ms',
      most: 10,
    }),
    atMost({
      name: 'change to expectWebhook p50',
      value: median(measured.flatMap(({ waits }) => waits)),
      unit: 'ms',
      most: 3,
    }),
    ...(await entryRows()),
    ...(await ownRows()),
  ]
}

const ROUNDS = 5
/** The entry that others are compared with. */
const SMALL = 'task-tracker'
/** A server of `node:http` alone. */
const BARE = 'bare'

/** The processor time until a process has its first answer: a small entry beside a bare server, and each other entry beside the small one. */
async function entryRows(): Promise<BenchRow[]> {
  const found = await Promise.all(
    (await listEntries()).map(async ({ slug }) => [slug, await listPathOf(slug)] as const),
  )
  const paths = found.flatMap(([slug, path]) => (path === undefined ? [] : [[slug, path] as const]))
  const rounds = Array.from({ length: ROUNDS }, () => [
    [BARE, runProcess([], {}, 'bare.ts').processorMs] as const,
    ...paths.map(([slug, path]) => [slug, runProcess([slug, path]).processorMs] as const),
  ]).flat()
  const medianOf = (slug: string) => median(rounds.filter(([other]) => other === slug).map(([, ms]) => ms))
  const rowOf = (slug: string, floor: number, most: number) =>
    atMostOfFloor({ name: `processor to first answer, ${slug}`, value: medianOf(slug), unit: 'ms', floor, most })
  const others = paths.map(([slug]) => slug).filter((slug) => slug !== SMALL)
  return [rowOf(SMALL, medianOf(BARE), 1.6), ...others.map((slug) => rowOf(slug, medianOf(SMALL), 1.15))]
}

/**
 * The reading of a description of one's own, in the first process and in the second, which finds its model in a file: the processor time
 * of the creation, less that of a description without operations.
 */
async function ownRows(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const create = (spec: string, cache: string) =>
    runProcess([spec], { BACKLOT_CACHE: cache }, 'creation.ts').processorMs
  const smallest = join(folder, 'smallest.json')
  writeFileSync(smallest, JSON.stringify({ openapi: '3.1.0', info: { title: 'Smallest', version: '1' }, paths: {} }))
  const start = median(Array.from({ length: ROUNDS }, () => create(smallest, 'off')))
  const rows: BenchRow[] = []
  for (const [size, bytes] of SIZES) {
    const spec = join(folder, `${bytes}.json`)
    writeFileSync(spec, await largeDescription(bytes))
    const pairs = Array.from({ length: ROUNDS }, (_, round) => {
      const cache = join(folder, `${bytes}-${round}`)
      return [create(spec, cache) - start, create(spec, cache) - start] as const
    })
    const [floor, value] = [0, 1].map((at) => median(pairs.map((pair) => pair[at] ?? 0))) as [number, number]
    rows.push(atMostOfFloor({ name: `reading in the second process, ${size}`, value, unit: 'ms', floor, most: 0.3 }))
  }
  rmSync(folder, { recursive: true })
  return rows
}

const SIZES = [
  ['100 kB', 100_000],
  ['1 MB', 1_000_000],
  ['5 MB', 4_900_000],
] as const

/** The path of the entry's first list that needs no parameter; undefined without one. */
async function listPathOf(slug: string): Promise<string | undefined> {
  const entry = await loadEntry(slug)
  const lists = entry === undefined ? [] : readDescription(entry.openapi).operations
  const found = lists.find(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && !parameters.some(({ required }) => required),
  )
  return found?.path
}

const processes = (): number[] => Array.from({ length: PROCESSES }, (_, number) => number)

function runProcess(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  file = 'first-answer.ts',
): Measured & { processorMs: number } {
  const script = new URL(`../cold-start/${file}`, import.meta.url).pathname
  const run = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, ...env } })
  if (run.status !== 0) throw new Error(`Failed to run the cold start:\n${run.stderr}`)
  return JSON.parse(run.stdout)
}
