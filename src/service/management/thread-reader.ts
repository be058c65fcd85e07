import type { Worker } from 'node:worker_threads'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { parsingJson } from '../../protocol/parsing-json.ts'
import { sleep } from '../../runtime/timers.ts'
import type { Account } from '../account/account.ts'
import { MOST_NAMES } from '../openapi/document-walk.ts'
import { type ParsedText, parseText } from '../openapi/parse-description.ts'
import type { PackedNode, ThreadAnswer } from '../openapi/yaml-thread.ts'
import type { Slices } from '../simulation/slices.ts'

/** Length from which a text that is not JSON is parsed in a thread: YAML is parsed at 1.5 MB a second, in one step. */
const LONG = 128 * 1_024
/** Most processor time for one text. 5 MB take 3 s. */
const LONGEST_MS = 10_000
/** Interval of reading a thread's processor time. */
const ASKED_EVERY_MS = 250
const MOST_MB = 512
/** Most texts parsed at the same time. */
const MOST_THREADS = 2
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../openapi/yaml-thread.ts' : './yaml-thread.js',
  import.meta.url,
)

/** Parses descriptions: JSON and short YAML here, long YAML in threads, one per account at a time. */
export class ThreadReader {
  readonly #reading = new Set<Account>()
  /** Waiting texts of accounts; the account served last comes last. */
  readonly #waiting = new Map<Account, (() => void)[]>()

  /** Rejects with {@link ApiError} `invalid_spec`. */
  async read(text: string, account: Account, slices: Slices): Promise<ParsedText> {
    if (text.length < LONG) return parseText(text)
    // The thread knows why a text is refused.
    const json = text.trimStart().startsWith('{') ? await slices.finish(parsingJson(text, MOST_NAMES)) : undefined
    if (isJsonObject(json)) return { document: json, isTree: true }
    await this.#turnOf(account)
    try {
      return await readInThread(text, slices)
    } finally {
      this.#reading.delete(account)
      this.#giveTurns()
    }
  }

  #turnOf(account: Account): Promise<void> {
    return new Promise((begin) => {
      const waiting = this.#waiting.get(account) ?? []
      waiting.push(begin)
      this.#waiting.set(account, waiting)
      this.#giveTurns()
    })
  }

  #giveTurns(): void {
    for (const [account, [begin, ...later]] of this.#waiting) {
      if (this.#reading.size === MOST_THREADS) return
      if (this.#reading.has(account)) continue
      this.#waiting.delete(account)
      if (later.length > 0) this.#waiting.set(account, later)
      this.#reading.add(account)
      begin?.()
    }
  }
}

async function readInThread(text: string, slices: Slices): Promise<ParsedText> {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const thread = new Worker(THREAD, { workerData: text, resourceLimits: { maxOldGenerationSizeMb: MOST_MB } })
  const failed = Promise.withResolvers<never>()
  // Each batch also waits for it; after the last one nothing does.
  failed.promise.catch(() => {})
  thread.on('error', (error: NodeJS.ErrnoException) => {
    failed.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(`${MOST_MB} MB of memory`) : error)
  })
  const stop = new AbortController()
  // Rejects when it is stopped.
  watchTime(thread, stop.signal).then(
    () => failed.reject(tooMuch(`${LONGEST_MS / 1_000} s`)),
    () => {},
  )
  const nodes: unknown[] = []
  try {
    for (;;) {
      const answer = await Promise.race([nextOf(thread), failed.promise])
      if ('refusal' in answer) throw invalidSpec(answer.refusal)
      await slices.finish(unpacking(answer.nodes, nodes))
      if (answer.isLast) return { document: nodes.at(-1) as JsonObject, isTree: answer.isTree }
      await slices.next()
    }
  } finally {
    stop.abort()
    await thread.terminate()
  }
}

/** Resolves when the thread has used {@link LONGEST_MS} of processor time; before Node 24.6, of real time. */
async function watchTime(thread: Worker, stopped: AbortSignal): Promise<void> {
  for (let ranMs = ASKED_EVERY_MS; ; ranMs += ASKED_EVERY_MS) {
    await sleep(ASKED_EVERY_MS, stopped)
    const { user, system } = await usageOf(thread, ranMs)
    if (user + system > LONGEST_MS * 1_000) return
  }
}

/** Microseconds of processor time; `ranMs` where Node cannot measure it. */
async function usageOf(thread: Worker, ranMs: number): Promise<{ user: number; system: number }> {
  const ran = { user: ranMs * 1_000, system: 0 }
  if (!('cpuUsage' in thread)) return ran
  // It has ended already.
  return thread.cpuUsage().catch(() => ({ user: 0, system: 0 }))
}

function nextOf(thread: Worker): Promise<ThreadAnswer> {
  const answer = new Promise<ThreadAnswer>((resolve) => thread.once('message', resolve))
  thread.postMessage('next')
  return answer
}

/** Adds the objects and arrays of a batch to the earlier ones. */
function* unpacking(batch: readonly PackedNode[], nodes: unknown[]): Generator<undefined, void> {
  for (const [names, values, inner] of batch) {
    for (let at = 0; at < inner.length; at += 2) values[inner[at] as number] = nodes[inner[at + 1] as number]
    nodes.push(names === null ? values : Object.fromEntries(names.map((name, at) => [name, values[at]])))
    yield
  }
}

function tooMuch(what: string): Error {
  return invalidSpec(
    `Failed to read the description: reading its YAML takes more than ${what}. Send it as JSON, or leave out what the tests do not call.`,
  )
}
