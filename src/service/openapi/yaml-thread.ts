import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { parseDescription } from './parse-description.ts'

/*
 * The thread of a {@link ThreadReader}: reads the text that it was started with, and gives the document in batches as it is asked for them.
 */

/** An object or an array: the names of its fields (null for an array), its values, and in pairs the places of those that are nodes, with their numbers. */
export type PackedNode = readonly [names: readonly string[] | null, values: unknown[], inner: readonly number[]]

/** What the thread gives: the next nodes, each after those that it holds; or why the text was refused. */
export type ThreadAnswer =
  | { readonly nodes: readonly PackedNode[]; readonly isLast: boolean }
  | { readonly refusal: string }

/** Values of one batch, roughly: what takes a few milliseconds to receive. */
const BATCH_VALUES = 10_000

const answers = parseDescription(String(workerData)).then(inBatches, (error: unknown) => {
  if (error instanceof ApiError) return [{ refusal: error.message }].values()
  throw error
})

parentPort?.on('message', async () => {
  parentPort?.postMessage((await answers).next().value)
})

function* inBatches(document: JsonObject): Generator<ThreadAnswer> {
  let nodes: PackedNode[] = []
  let values = 0
  for (const node of pack(document)) {
    nodes.push(node)
    values += node[1].length + 1
    if (values < BATCH_VALUES) continue
    yield { nodes, isLast: false }
    nodes = []
    values = 0
  }
  yield { nodes, isLast: true }
}

/** A document as nodes, itself the last. What an alias names is one node. Its bounds were checked: it is not deep and holds no circle. */
function pack(document: JsonObject): PackedNode[] {
  const nodes: PackedNode[] = []
  const numbers = new Map<object, number>()
  const add = (value: object): number => {
    const known = numbers.get(value)
    if (known !== undefined) return known
    const values: unknown[] = Object.values(value)
    const inner: number[] = []
    for (const [place, one] of values.entries()) {
      if (typeof one !== 'object' || one === null) continue
      inner.push(place, add(one))
      values[place] = null
    }
    nodes.push([Array.isArray(value) ? null : Object.keys(value), values, inner])
    numbers.set(value, nodes.length - 1)
    return nodes.length - 1
  }
  add(document)
  return nodes
}
