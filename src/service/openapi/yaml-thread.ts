import { parentPort, workerData } from 'node:worker_threads'
import { ApiError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { walkDocument } from './document-walk.ts'
import { type ParsedText, parseText } from './parse-description.ts'

/* The thread of a {@link ThreadReader}: parses its text, and sends the document in batches on request. */

/**
 * An object or an array: the names of its fields (null for an array), its values, and pairs of places and numbers for
 * inner nodes.
 */
export type PackedNode = readonly [names: readonly string[] | null, values: unknown[], inner: number[]]

/** An answer of the thread: the next nodes, each after its inner nodes; or why the text was refused. */
export type ThreadAnswer =
  | { readonly nodes: readonly PackedNode[]; readonly isLast: boolean; readonly isTree: boolean }
  | { readonly refusal: string }

/** Approximate values of one batch: receiving it takes a few milliseconds. */
const BATCH_VALUES = 10_000

const answers = readChecked(String(workerData)).then(inBatches, (error: unknown) => {
  if (error instanceof ApiError) return [{ refusal: error.message }].values()
  throw error
})

parentPort?.on('message', async () => {
  parentPort?.postMessage((await answers).next().value)
})

/** The bounds of a tree are looked at by whoever reads on; anything else could not be packed. */
async function readChecked(source: string): Promise<ParsedText> {
  const parsed = await parseText(source)
  if (!parsed.isTree) for (const _ of walkDocument(parsed.document));
  return parsed
}

function* inBatches({ document, isTree }: ParsedText): Generator<ThreadAnswer> {
  let nodes: PackedNode[] = []
  let values = 0
  for (const node of pack(document, isTree)) {
    nodes.push(node)
    values += node[1].length + 1
    if (values < BATCH_VALUES) continue
    yield { nodes, isLast: false, isTree }
    nodes = []
    values = 0
  }
  yield { nodes, isLast: true, isTree }
}

/** A partly packed object or array. */
interface OpenValue {
  readonly value: object
  /** Its place among the values of its parent. */
  readonly place: number
  readonly node: PackedNode
  next: number
}

/** A document as nodes, the document last; it is consumed. An aliased value is one node. */
function* pack(document: JsonObject, isTree: boolean): Generator<PackedNode, void> {
  const numbers = isTree ? undefined : new Map<object, number>()
  const stack = [open(document, 0)]
  let packed = 0
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const [, values, inner] = top.node
    const child = values[top.next]
    if (top.next < values.length) {
      if (typeof child !== 'object' || child === null) top.next++
      else {
        const known = numbers?.get(child)
        if (known === undefined) stack.push(open(child, top.next))
        else inner.push(top.next, known)
        values[top.next++] = null
      }
      continue
    }
    stack.pop()
    yield top.node
    numbers?.set(top.value, packed)
    stack.at(-1)?.node[2].push(top.place, packed++)
  }
}

function open(value: object, place: number): OpenValue {
  const node: PackedNode = Array.isArray(value) ? [null, value, []] : [Object.keys(value), Object.values(value), []]
  return { value, place, node, next: 0 }
}
