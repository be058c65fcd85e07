import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { toPointer } from './references.ts'

/** Deepest nesting of a description. The deepest real one that we know has 60 levels. */
const MAX_DEPTH = 200
/** Most values of a description, those behind YAML aliases counted at every use. 5 MB of JSON hold fewer. */
const MAX_NODES = 5_000_000
/** Most names of one object, which is copied and looked through in one piece. The largest real one that we know has some thousands. */
export const MOST_NAMES = 50_000
/** Objects and arrays that are checked between two pauses. */
const CHECKED_AT_ONCE = 1_000
const PROTO = '__proto__'

/**
 * Throws `invalid_spec` for a document that is nested too deeply, that holds itself, that has an object of too many names, or that
 * grows past all bounds when its YAML aliases are written out. Removes `__proto__` keys, which could change the prototype of a later copy. Keeps its
 * own stack, since a deep document would exhaust the process's. Pauses now and then. Returns how many values the document
 * holds, those behind aliases counted once.
 */
export function* checkBounds(document: JsonObject): Generator<undefined, number> {
  const sizes = new Map<object, number>([[document, OPEN]])
  const stack: Frame[] = [frameOf(document, '')]
  let scalars = 0
  let closed = 0
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { node, names, length } = frame
    let inner: Frame | undefined
    while (inner === undefined && frame.next < length) {
      const key = names === undefined ? frame.next : (names[frame.next] as string)
      frame.next++
      const child: unknown = (node as Record<string | number, unknown>)[key]
      if (typeof child !== 'object' || child === null) {
        frame.size++
        scalars++
        continue
      }
      const known = sizes.get(child)
      if (known === undefined) inner = frameOf(child, String(key))
      else if (known !== OPEN) frame.size += known
      else throw invalidSpec(`Failed to read the description: the alias at ${pointerOf(stack)} holds itself.`)
    }
    if (inner === undefined) {
      if (++closed % CHECKED_AT_ONCE === 0) yield
      close(frame, stack, sizes)
    } else {
      if (stack.length >= MAX_DEPTH) {
        throw invalidSpec(
          `Failed to read the description: it is nested more than ${MAX_DEPTH} levels deep at ${pointerOf(stack).slice(0, 200)}.`,
        )
      }
      sizes.set(inner.node, OPEN)
      stack.push(inner)
      checkNames(inner, stack)
    }
  }
  return scalars + sizes.size
}

/** In place of a size: of what is being looked at. */
const OPEN = -1

interface Frame {
  readonly node: object
  readonly key: string
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  next: number
  size: number
}

function frameOf(node: object, key: string): Frame {
  if (Array.isArray(node)) return { node, key, names: undefined, length: node.length, next: 0, size: 1 }
  if (Object.hasOwn(node, PROTO)) Reflect.deleteProperty(node, PROTO)
  const names = Object.keys(node)
  return { node, key, names, length: names.length, next: 0, size: 1 }
}

const keyAt = ({ names }: Frame, at: number): string | number => names?.[at] ?? at

function checkNames({ names }: Frame, stack: readonly Frame[]): void {
  if (names === undefined || names.length <= MOST_NAMES) return
  throw invalidSpec(
    `Failed to read the description: the object at ${toPointer(stack.slice(1).map(({ key }) => key)).slice(0, 200)} has more than ${MOST_NAMES} names. Split it, or leave out what the tests do not call.`,
  )
}

function close(frame: Frame, stack: Frame[], sizes: Map<object, number>): void {
  stack.pop()
  sizes.set(frame.node, frame.size)
  if (frame.size > MAX_NODES) {
    throw invalidSpec(
      `Failed to read the description: written out, its YAML aliases hold more than ${MAX_NODES} values. Use \`$ref\` instead of aliases.`,
    )
  }
  const parent = stack.at(-1)
  if (parent) parent.size += frame.size
}

/** The place of the child that the top frame is looking at. */
function pointerOf(stack: readonly Frame[]): string {
  const top = stack.at(-1)
  return toPointer([...stack.slice(1).map((frame) => frame.key), top ? String(keyAt(top, top.next - 1)) : ''])
}
