import { setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { startTimer } from '../runtime/timers.ts'
import { EXIT } from './exit.ts'

/** How long the thread may take to finish what is in flight, after the delay that it was asked for. Without one the process ends within two seconds of its signal. */
const GRACE_MS = 1_300
/** How long it takes at most to end a thread amid its work. A call that V8 cannot interrupt ends with the process. */
const END_MS = 400

/**
 * Young objects of a service live for one request. With the 16 MB that V8 takes by itself, a service under load holds a
 * third more memory than with this much, and answers no faster.
 */
export const YOUNG_GENERATION_MB = 8

/**
 * The same with a store: requests are under way while it keeps what they changed, so that with 8 MB each collection copies nearly all of
 * them, twice, and then holds them for old (`decisions/083-speed-of-a-shared-store.md`).
 */
const STORED_YOUNG_GENERATION_MB = 48

/**
 * How far the heap of the thread grows before old objects are collected: V8 by itself lets it grow to several times what is
 * held, so that 600 changes of 1 MB cost 180 MB more. It reads flags when a thread is made.
 */
export const HEAP_FLAGS: readonly string[] = ['--initial-old-space-size=24', '--heap-growing-percent=40']

/**
 * Runs the command in a thread, so that this one can end the process while that one computes. Signals reach the main
 * thread alone.
 *
 * @param program the file that this process was started with
 */
export function runInThread(program: URL): void {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag)
  const thread = new Worker(program, {
    argv: process.argv.slice(2),
    resourceLimits: { maxYoungGenerationSizeMb: hasStore() ? STORED_YOUNG_GENERATION_MB : YOUNG_GENERATION_MB },
  })
  thread.once('exit', (code) => {
    process.exitCode = code
  })
  thread.once('error', (error) => {
    process.stderr.write(`${error.stack ?? error}\n`)
  })
  let graceMs = GRACE_MS
  thread.on('message', (delayMs: unknown) => {
    if (typeof delayMs === 'number') graceMs = delayMs + GRACE_MS
  })
  let isStopping = false
  // Ctrl-C below npm comes twice: from the terminal and from npm. The second one changes nothing.
  onSignal(() => {
    if (!isStopping) stop(thread, graceMs)
    isStopping = true
  })
}

/** Whether the command is given a store: its options are read in the thread. */
function hasStore(): boolean {
  const isFlag = (argument: string) => argument === '--store' || argument.startsWith('--store=')
  return process.argv.some(isFlag) || (process.env.BACKLOT_STORE ?? '') !== ''
}

/** Lets the thread finish, and ends it where it does not. */
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
 * Resolves when the process is to stop: for the thread of {@link runInThread}, and for a main thread. Call it before
 * anything is announced, since a signal may follow at once.
 *
 * @param delayMs how long the thread goes on after the signal, before it finishes
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
