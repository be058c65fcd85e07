import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import { HOSTILE_SHAPES } from './hostile-descriptions.ts'
import type { ProbeReport } from './probe.ts'

/** Processor time of one answer, which nothing interrupts; that of a plain description takes a few milliseconds. */
const MOST_TURN_MS = 1_000
/** Processor time of a creation, in slices. */
const MOST_MS = 8_000
/** Old generation of the heap of the process that runs the service. */
const MOST_HEAP_MB = 200
/** After this a probe counts as hanging: other tests take the processors meanwhile. */
const HANG_MS = 60_000

/** One of each class: `npm test` takes these, `npm run hostile` all of them, which takes minutes. */
const IN_SHORT = new Set([
  'arrays that want ten arrays',
  'two required properties a level',
  'two alternatives a level, directly',
  'alternatives that are each other',
  'discriminators in circles',
  'parts that are included twice',
  'references in a chain',
  'a schema that requires itself',
  'maps of maps',
  'a huge enum',
  'patterns that go back',
  'long texts',
  'collections over a shared schema',
  'aliases of aliases',
])
const isWhole = process.env.BACKLOT_HOSTILE === 'all'
const shapes = Object.entries(HOSTILE_SHAPES).filter(([name]) => isWhole || IN_SHORT.has(name))

const rows = shapes.flatMap(([name, { sizes, write }]) =>
  (isWhole ? sizes : sizes.slice(0, 1)).map((size): [string, number, () => string] => [
    name,
    size,
    () => write(size, 1),
  ]),
)

it.each(rows)('answers in time: %s (%i)', { timeout: HANG_MS + 5_000 }, async (_name, _size, write) => {
  const { steps } = await probe(write())

  const slow = steps.filter(({ ms, turnMs }) => turnMs > MOST_TURN_MS || ms > MOST_MS)
  const failed = steps.filter(({ status }) => status >= 500)
  expect(slow).toEqual([])
  expect(failed).toEqual([])
})

it('knows the shapes that stand for all', () => {
  expect([...IN_SHORT].filter((name) => !(name in HOSTILE_SHAPES))).toEqual([])
})

it('tells what is cut in the warnings of the creation', async () => {
  const shape = HOSTILE_SHAPES['arrays that want ten arrays']

  const { warnings } = await probe(shape?.write(7, 1) ?? '')

  expect(warnings).toEqual([expect.stringMatching(/requires more than 10,000 values/)])
})

/**
 * Creates a simulation of a description in a process of its own, and calls it. A process, not a thread: what ends the service must not end the test's
 * runner. Rejects where the process hangs or ends before its report.
 */
async function probe(spec: string): Promise<ProbeReport> {
  const service = fork(new URL('./probe.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${MOST_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let step = 'the start'
  let printed = ''
  const hang = Promise.withResolvers<never>()
  const timer = setTimeout(() => hang.reject(new Error(`The service hangs in ${step}.`)), HANG_MS)
  service.stderr?.on('data', (text) => {
    printed += text
  })
  const report = new Promise<ProbeReport>((resolve, reject) => {
    service.on('message', (message: string | ProbeReport) => {
      if (typeof message === 'string') step = message
      else resolve(message)
    })
    service.on('error', reject)
    service.on('close', (code, signal) =>
      reject(new Error(`The service ended in ${step} (${signal ?? code}).\n${printed}`)),
    )
  })
  service.send(spec)
  try {
    return await Promise.race([report, hang.promise])
  } finally {
    clearTimeout(timer)
    service.kill('SIGKILL')
  }
}
