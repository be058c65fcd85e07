import { Worker } from 'node:worker_threads'
import { invalidSpec } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { startTimer } from '../../runtime/timers.ts'
import { parseText } from '../openapi/parse-description.ts'
import type { PackedNode, ThreadAnswer } from '../openapi/yaml-thread.ts'
import type { Slices } from '../simulation/slices.ts'

/** Characters from which a text that is not JSON is read in a thread: YAML is read at 1.5 MB a second, in one piece. */
const LONG = 128 * 1_024
const LONGEST_MS = 30_000
const MOST_MB = 512
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? '../openapi/yaml-thread.ts' : './yaml-thread.js',
  import.meta.url,
)

/** Reads the texts of descriptions: JSON and short YAML here, long YAML in a thread, one after the other. */
export class ThreadReader {
  #last: Promise<unknown> = Promise.resolve()

  /** Rejects with {@link ApiError} `invalid_spec`. */
  read(text: string, slices: Slices): Promise<JsonObject> {
    const json = text.length < LONG ? undefined : asJson(text)
    if (json !== undefined || text.length < LONG) return json === undefined ? parseText(text) : Promise.resolve(json)
    const reading = this.#last.then(() => readInThread(text, slices))
    this.#last = reading.catch(() => {})
    return reading
  }
}

/** Undefined for what is not JSON, for which the thread knows the reason. */
function asJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : undefined
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function readInThread(text: string, slices: Slices): Promise<JsonObject> {
  const thread = new Worker(THREAD, { workerData: text, resourceLimits: { maxOldGenerationSizeMb: MOST_MB } })
  const failed = Promise.withResolvers<never>()
  // It is awaited beside each batch; after the last one nothing awaits it.
  failed.promise.catch(() => {})
  thread.on('error', (error: NodeJS.ErrnoException) => {
    failed.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(`${MOST_MB} MB of memory`) : error)
  })
  const cancel = startTimer(LONGEST_MS, () => failed.reject(tooMuch(`${LONGEST_MS / 1_000} s`)))
  const nodes: unknown[] = []
  try {
    for (;;) {
      const answer = await Promise.race([nextOf(thread), failed.promise])
      if ('refusal' in answer) throw invalidSpec(answer.refusal)
      await slices.finish(unpacking(answer.nodes, nodes))
      if (answer.isLast) return nodes.at(-1) as JsonObject
      await slices.next()
    }
  } finally {
    cancel()
    await thread.terminate()
  }
}

function nextOf(thread: Worker): Promise<ThreadAnswer> {
  const answer = new Promise<ThreadAnswer>((resolve) => thread.once('message', resolve))
  thread.postMessage('next')
  return answer
}

/** Adds the objects and arrays of a batch to those before. */
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
