import { type ChildProcess, fork } from 'node:child_process'
import { HEAP_FLAGS, YOUNG_GENERATION_MB } from '../../../src/cli/serve-thread.ts'
import type { ProbeReport } from './probe.ts'

/** Old generation of the heap of the process that runs the service. */
const MOST_HEAP_MB = 200
/** The young one is made of three parts. */
const YOUNG_PART_MB = Math.floor(YOUNG_GENERATION_MB / 3)
/** After this a probe counts as hanging, even on a busy machine. */
const HANG_MS = 240_000

/**
 * Probes descriptions in a process that is not the test's: what ends the service must not end the runner. A probe that hangs or ends the
 * process ends no other one: the next begins a process anew.
 */
export class ProbeProcess implements Disposable {
  #child: ChildProcess | undefined

  /** Rejects where the process hangs or ends before its report. */
  async probe(spec: string): Promise<ProbeReport> {
    const child = this.#child ?? start()
    this.#child = undefined
    let step = 'the start'
    let printed = ''
    let timer: NodeJS.Timeout | undefined
    const print = (text: Buffer) => {
      printed += text
    }
    child.stderr?.on('data', print)
    const report = await new Promise<ProbeReport>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`The service hangs in ${step}.`)), HANG_MS)
      child.on('message', (message: string | ProbeReport) => {
        if (typeof message === 'string') step = message
        else resolve(message)
      })
      child.on('error', reject)
      child.on('close', (code, signal) =>
        reject(new Error(`The service ended in ${step} (${signal ?? code}).\n${printed}`)),
      )
      child.send(spec)
    })
      .catch((error: unknown) => {
        child.kill('SIGKILL')
        throw error
      })
      .finally(() => clearTimeout(timer))
    child.removeAllListeners()
    child.stderr?.off('data', print)
    this.#child = child
    return report
  }

  [Symbol.dispose](): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

function start(): ChildProcess {
  return fork(new URL('./probe.ts', import.meta.url), {
    // As in `backlot serve`: with a young generation that grows to 130 MB V8 collects a heap of 200 MB without end.
    execArgv: [`--max-old-space-size=${MOST_HEAP_MB}`, `--max-semi-space-size=${YOUNG_PART_MB}`, ...HEAP_FLAGS],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}
