import { setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker, type WorkerOptions } from 'node:worker_threads'
import { startTimer } from '../runtime/timers.ts'
import { EXIT } from './exit.ts'
import type { Kept } from './serve-watch.ts'

/**
 * Time for the thread to end, after the requested delay. It gives open requests one second; on a busy machine, answering
 * and undoing them takes longer.
 */
const GRACE_MS = 4_000
/** Longest time to end a busy thread. A call that V8 cannot interrupt ends with the process. */
const END_MS = 400

/**
 * Young objects of a service live for one request. With 8 MB they are collected twice as often, which takes an eighth of the processor time of a
 * request; with more than this much memory grows and time does not fall (`decisions/serve-process.md`).
 */
export const YOUNG_GENERATION_MB = 16

/**
 * The same with a store: requests are under way while it keeps what they changed, so that with as little each collection copies nearly all of
 * them, twice, and then holds them for old (`decisions/serve-process.md`).
 */
const STORED_YOUNG_GENERATION_MB = 48

/**
 * How far the thread's heap grows before a full garbage collection: by default V8 lets it grow to several times the
 * live objects, so that 600 changes of 1 MB cost 180 MB more. V8 reads these flags when a thread is made.
 */
export const HEAP_FLAGS: readonly string[] = ['--initial-old-space-size=24', '--heap-growing-percent=40']

/**
 * Runs the command in a thread, so that the main thread can end the process while the other is busy. Only the main
 * thread receives signals.
 *
 * @param program the main file of this process
 */
export function runInThread(program: URL): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag)
  const start = (kept?: Kept, trial: WorkerOptions = {}) =>
    new Worker(program, {
      argv: process.argv.slice(2),
      resourceLimits: { maxYoungGenerationSizeMb: hasStore() ? STORED_YOUNG_GENERATION_MB : YOUNG_GENERATION_MB },
      workerData: { kept },
      ...trial,
    })
  let thread: Worker
  let graceMs = GRACE_MS
  let isStopping = false
  let next: Kept | undefined
  let trying: Promise<void> | undefined
  const run = (kept?: Kept) => {
    thread = start(kept)
    thread.once('exit', (code) => {
      process.exitCode = code
      const started = next
      next = undefined
      if (started !== undefined && !isStopping) run(started)
    })
    thread.once('error', (error) => {
      process.stderr.write(`${error.stack ?? error}\n`)
    })
    thread.on('message', async (message: number | Kept | { readonly copies: readonly string[] }) => {
      if (typeof message === 'number') graceMs = message + GRACE_MS
      else if ('copies' in message) (await import('./copy-keys.ts')).copyByKeys(message.copies)
      else trying = reload(message, trying)
    })
  }
  /** Replaces the service by the next one if that would start. */
  const reload = async (kept: Kept, earlier: Promise<void> | undefined) => {
    await earlier
    const argv = [...process.argv.slice(2), '--check']
    const fault = await tryReload((given) => start(given, { argv, stdout: true, stderr: true }), kept)
    if (isStopping || next !== undefined) return
    if (fault !== undefined) return void process.stderr.write(`Not reloaded, ${kept.changed.join(', ')}: ${fault}\n`)
    next = kept
    thread.postMessage('stop')
  }
  run()
  // Below npm, Ctrl-C arrives twice: from the terminal and from npm. The second one changes nothing.
  onSignal(() => {
    if (!isStopping) stop(thread, graceMs)
    isStopping = true
  })
}

/**
 * Starts the next service for trial, without its ports. Resolves with what is wrong; undefined if it would start.
 *
 * @param start starts the command in a thread
 */
async function tryReload(start: (kept: Kept) => Worker, kept: Kept): Promise<string | undefined> {
  const simulations = kept.simulations.map(({ slug, key }) => ({ slug, key }))
  const trial = start({ ...kept, port: 0, simulations })
  let output = ''
  for (const stream of [trial.stdout, trial.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve) => trial.once('exit', resolve))
  if (code === 0) return undefined
  return output
    .split('\n')
    .flatMap((line) => /^(?!ok|warning)(?:wrong )?\s*(.+)/.exec(line)?.[1] ?? [])
    .join('\n')
}

/** Whether the command has a store: the thread parses its options. */
function hasStore(): boolean {
  const isFlag = (argument: string) => argument === '--store' || argument.startsWith('--store=')
  return process.argv.some(isFlag) || (process.env.BACKLOT_STORE ?? '') !== ''
}

/** Lets the thread finish, and terminates it after the grace period. */
function stop(thread: Worker, graceMs: number): void {
  thread.postMessage('stop')
  startTimer(graceMs, () => {
    process.stderr.write('Stopped amid work that would not end.\n')
    startTimer(END_MS, () => process.kill(process.pid, 'SIGKILL'), { keepAlive: true })
    thread.once('exit', () => process.exit(EXIT.done))
    void thread.terminate()
  })
}

/**
 * Resolves when the process must stop: for the thread of {@link runInThread}, and for a main thread. Call it before the
 * service is announced, since a signal may follow at once.
 *
 * @param delayMs how long the thread continues after the signal, before it finishes
 */
export function untilStopped(delayMs = 0): Promise<void> {
  parentPort?.postMessage(delayMs)
  return new Promise((resolve) => {
    parentPort?.once('message', () => resolve()).unref()
    if (isMainThread) onSignal(resolve)
  })
}

function onSignal(run: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, run)
}
