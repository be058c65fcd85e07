import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'

/** Deepest nesting of a description. The deepest real one that we know has 60 levels. */
const MAX_DEPTH = 200
/** Most values of a description, those behind YAML aliases counted at every use. 5 MB of JSON hold fewer. */
const MAX_NODES = 5_000_000
/** Most names of one object, which is copied and looked through in one piece. The largest real one that we know has some thousands. */
export const MOST_NAMES = 50_000
/** Objects and arrays that are looked at between two pauses. */
const CLOSED_AT_ONCE = 1_000
const PROTO = '__proto__'

/** What stands below it describes the API; the rest of a document is about it, or anything. */
const ROOTS = ['paths', 'components', 'webhooks', 'definitions', 'parameters', 'responses']

/** An object or an array whose inside is looked at. */
export interface OpenNode {
  readonly node: object
  readonly key: string
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined
  readonly length: number
  /** Whether it describes the API and a {@link DocumentVisitor} sees it. */
  readonly isVisited: boolean
  next: number
  size: number
  /** Notes of the visitor. */
  asks: number
}

/** Looks at what describes the API while {@link walkDocument} walks by. The last frame of a stack is the one of now. */
export interface DocumentVisitor {
  /** Whether what stands under a name describes the API too. */
  describes(name: string): boolean
  enter(frame: OpenNode, stack: readonly OpenNode[]): void
  /** An object or an array under a name. */
  inner(frame: OpenNode, name: string): void
  /** A value of another kind under a name. */
  scalar(frame: OpenNode, name: string, value: unknown, stack: readonly OpenNode[]): void
  /** Its inside has been seen. */
  leave(frame: OpenNode, stack: readonly OpenNode[]): void
}

/**
 * Walks over a whole document once, its {@link ROOTS} first. Throws `invalid_spec` where it is nested too deeply, where it holds itself,
 * where an object has too many names, and where it grows past all bounds when its YAML aliases are written out. Removes `__proto__` keys,
 * which could change the prototype of a later copy. Keeps its own stack, since a deep document would exhaust the process's. Pauses now and
 * then. Returns how many values the document holds, those behind aliases counted once.
 */
export function* walkDocument(document: JsonObject, visitor?: DocumentVisitor): Generator<undefined, number> {
  const visited = new Map<object, number>()
  // What an alias has in both places is walked over in both.
  const passed = new Map<object, number>([[document, OPEN]])
  const stack: OpenNode[] = [rootFrame(document)]
  let scalars = 0
  let closed = 0
  for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
    const { node, names, length } = frame
    let inner: OpenNode | undefined
    while (inner === undefined && frame.next < length) {
      const name = names?.[frame.next]
      const child: unknown = (node as Record<string | number, unknown>)[name ?? frame.next]
      frame.next++
      if (typeof child !== 'object' || child === null) {
        frame.size++
        scalars++
        if (frame.isVisited && name !== undefined) visitor?.scalar(frame, name, child, stack)
        continue
      }
      const isVisited = isVisitedBelow(visitor, frame, name, stack.length)
      if (isVisited && frame.isVisited && name !== undefined) visitor?.inner(frame, name)
      const known = visited.get(child) ?? (isVisited ? undefined : passed.get(child))
      if (known === undefined) inner = frameOf(child, name ?? String(frame.next - 1), isVisited)
      else if (known !== OPEN) frame.size += known
      else throw invalidSpec(`Failed to read the description: the alias at ${pointerOf(stack)} holds itself.`)
    }
    if (inner === undefined) {
      if (++closed % CLOSED_AT_ONCE === 0) yield
      if (frame.isVisited) visitor?.leave(frame, stack)
      close(frame, stack, frame.isVisited ? visited : passed)
    } else {
      if (stack.length >= MAX_DEPTH) {
        throw invalidSpec(
          `Failed to read the description: it is nested more than ${MAX_DEPTH} levels deep at ${pointerOf(stack).slice(0, 200)}.`,
        )
      }
      const sizes = inner.isVisited ? visited : passed
      sizes.set(inner.node, OPEN)
      stack.push(inner)
      checkNames(inner, stack)
      if (inner.isVisited) visitor?.enter(inner, stack)
    }
  }
  return scalars + visited.size + passed.size
}

/** In place of a size: of what is being looked at. */
const OPEN = -1

function isVisitedBelow(
  visitor: DocumentVisitor | undefined,
  frame: OpenNode,
  name: string | undefined,
  depth: number,
): boolean {
  if (visitor === undefined) return false
  if (depth === 1) return name !== undefined && ROOTS.includes(name)
  return frame.isVisited && (name === undefined || visitor.describes(name))
}

function rootFrame(document: JsonObject): OpenNode {
  const frame = frameOf(document, '', false)
  const names = frame.names ?? []
  const roots = ROOTS.filter((name) => names.includes(name))
  return { ...frame, names: [...roots, ...names.filter((name) => !ROOTS.includes(name))] }
}

function frameOf(node: object, key: string, isVisited: boolean): OpenNode {
  let names: readonly string[] | undefined
  if (!Array.isArray(node)) {
    if (Object.hasOwn(node, PROTO)) Reflect.deleteProperty(node, PROTO)
    names = Object.keys(node)
  }
  const length = names?.length ?? (node as unknown[]).length
  return { node, key, names, length, isVisited, next: 0, size: 1, asks: 0 }
}

const keyAt = ({ names }: OpenNode, at: number): string | number => names?.[at] ?? at

function checkNames({ names }: OpenNode, stack: readonly OpenNode[]): void {
  if (names === undefined || names.length <= MOST_NAMES) return
  throw invalidSpec(
    `Failed to read the description: the object at ${toPointer(placeIn(stack)).slice(0, 200)} has more than ${MOST_NAMES} names. Split it, or leave out what the tests do not call.`,
  )
}

function close(frame: OpenNode, stack: OpenNode[], sizes: Map<object, number>): void {
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

/** Where the last frame of a stack stands in its document. */
export const placeIn = (stack: readonly OpenNode[]): string[] => stack.slice(1).map(({ key }) => key)

/** The place of the child that the top frame is looking at. */
function pointerOf(stack: readonly OpenNode[]): string {
  const top = stack.at(-1)
  return toPointer([...placeIn(stack), top ? String(keyAt(top, top.next - 1)) : ''])
}
