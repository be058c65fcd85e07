import type { DocumentOrigin } from '../../description/read-text.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { toPointer } from '../../protocol/json-pointer.ts'

/** Deepest nesting of a description. The deepest known real one has 60 levels. */
const MAX_DEPTH = 200
/** Most values of a description, counting values behind YAML aliases at every use. 5 MB of JSON hold fewer. */
const MAX_NODES = 5_000_000
/** Most names of one object, which is copied and searched in one step. The largest known real one has some thousands. */
export const MOST_NAMES = 50_000
/** Objects and arrays visited between two pauses. */
const CLOSED_AT_ONCE = 1_000
const PROTO = '__proto__'

/** Root names that describe the API; other roots are metadata or extensions. */
const ROOTS = ['paths', 'components', 'webhooks', 'definitions', 'parameters', 'responses']

/** An object or an array whose inside is looked at. */
export interface OpenNode {
  readonly node: object
  readonly key: string
  /** Undefined for an array. */
  names: readonly string[] | undefined
  readonly length: number
  /** Whether it describes the API, so that a {@link DocumentVisitor} sees it. */
  readonly isVisited: boolean
  next: number
  size: number
  /** Notes of the visitor. */
  asks: number
}

/** Visits the description of the API during {@link walkDocument}. The last frame of a stack is the current one. */
export interface DocumentVisitor {
  /** Whether the value of a name also describes the API. */
  describes(name: string): boolean
  enter(frame: OpenNode, stack: readonly OpenNode[]): void
  /** Visits an object or an array under a name. */
  inner(frame: OpenNode, name: string): void
  /** Visits another value under a name. */
  scalar(frame: OpenNode, name: string, value: unknown, stack: readonly OpenNode[]): void
  /** Called after its contents. */
  leave(frame: OpenNode): void
}

/**
 * Walks over a whole document once, its {@link ROOTS} first. Throws `invalid_spec` for a document that is nested too
 * deeply, contains itself, has an object with too many names, or grows beyond the limit when its YAML aliases are
 * expanded. Removes `__proto__` keys, which could change the prototype of a later copy. Keeps its own stack, since a
 * deep document would exhaust the process's. Pauses at intervals. Returns the number of values in the document; values
 * behind aliases count once.
 */
export function* walkDocument(
  document: JsonObject,
  visitor?: DocumentVisitor,
  origin: DocumentOrigin = {},
): Generator<undefined, number> {
  const walk = new Walk(document, visitor, origin)
  while (!walk.goOn()) yield
  return walk.count
}

/** Stands for the size of a value being visited. */
const OPEN = -1

class Walk {
  readonly #visitor: DocumentVisitor | undefined
  readonly #stack: OpenNode[] = []
  /** Sizes of what was seen, for the sake of aliases. What an alias has in a visited place and in another one is walked over in both. */
  readonly #seen: { readonly visited: Map<object, number>; readonly passed: Map<object, number> } | undefined
  #nodes = 0
  #scalars = 0

  constructor(document: JsonObject, visitor: DocumentVisitor | undefined, { isTree = false }: DocumentOrigin) {
    this.#visitor = visitor
    this.#seen = isTree ? undefined : { visited: new Map(), passed: new Map() }
    const root = this.#open(document, '', false)
    const names = root.names ?? []
    const roots = ROOTS.filter((name) => names.includes(name))
    root.names = [...roots, ...names.filter((name) => !ROOTS.includes(name))]
  }

  /** How many values were seen. */
  get count(): number {
    return this.#scalars + this.#nodes
  }

  /** Goes on for a while. Whether it has come to the end. */
  goOn(): boolean {
    const stack = this.#stack
    for (let closed = 0; closed < CLOSED_AT_ONCE; ) {
      const frame = stack[stack.length - 1]
      if (frame === undefined) return true
      if (this.#enterNext(frame)) continue
      closed++
      if (frame.isVisited) this.#visitor?.leave(frame)
      this.#close(frame)
    }
    return false
  }

  /** Goes past scalars, and into the next object or array. False at the end of the frame. */
  #enterNext(frame: OpenNode): boolean {
    const { node, names, length, isVisited } = frame
    const visitor = isVisited ? this.#visitor : undefined
    for (let at = frame.next; at < length; at++) {
      const name = names?.[at]
      const child: unknown = (node as Record<string | number, unknown>)[name ?? at]
      frame.next = at + 1
      if (typeof child !== 'object' || child === null) {
        frame.size++
        this.#scalars++
        if (visitor !== undefined && name !== undefined) visitor.scalar(frame, name, child, this.#stack)
      } else {
        const isInside = this.#isVisitedBelow(frame, name)
        if (isInside && visitor !== undefined && name !== undefined) visitor.inner(frame, name)
        if (this.#isNew(frame, child, isInside)) {
          this.#enter(child, name ?? String(at), isInside)
          return true
        }
      }
    }
    return false
  }

  #isVisitedBelow(frame: OpenNode, name: string | undefined): boolean {
    if (this.#visitor === undefined) return false
    if (this.#stack.length === 1) return name !== undefined && ROOTS.includes(name)
    return frame.isVisited && (name === undefined || this.#visitor.describes(name))
  }

  #isNew(frame: OpenNode, child: object, isVisited: boolean): boolean {
    if (this.#seen === undefined) return true
    const { visited, passed } = this.#seen
    const known = visited.get(child) ?? (isVisited ? undefined : passed.get(child))
    if (known === OPEN) {
      throw invalidSpec(`Failed to read the description: the alias at ${pointerOf(this.#stack)} holds itself.`)
    }
    frame.size += known ?? 0
    return known === undefined
  }

  #enter(node: object, key: string, isVisited: boolean): void {
    const stack = this.#stack
    if (stack.length >= MAX_DEPTH) {
      throw invalidSpec(
        `Failed to read the description: it is nested more than ${MAX_DEPTH} levels deep at ${pointerOf(stack).slice(0, 200)}.`,
      )
    }
    const frame = this.#open(node, key, isVisited)
    checkNames(frame, stack)
    if (isVisited) this.#visitor?.enter(frame, stack)
  }

  #open(node: object, key: string, isVisited: boolean): OpenNode {
    let names: readonly string[] | undefined
    if (!Array.isArray(node)) {
      names = Object.keys(node)
      if (names.includes(PROTO)) {
        Reflect.deleteProperty(node, PROTO)
        names = Object.keys(node)
      }
    }
    const length = names === undefined ? (node as unknown[]).length : names.length
    this.#setSize(node, OPEN, isVisited)
    this.#nodes++
    const opened: OpenNode = { node, key, names, length, isVisited, next: 0, size: 1, asks: 0 }
    this.#stack.push(opened)
    return opened
  }

  #close(frame: OpenNode): void {
    const stack = this.#stack
    stack.pop()
    this.#setSize(frame.node, frame.size, frame.isVisited)
    if (frame.size > MAX_NODES) {
      throw invalidSpec(
        `Failed to read the description: written out, its YAML aliases hold more than ${MAX_NODES} values. Use \`$ref\` instead of aliases.`,
      )
    }
    const parent = stack[stack.length - 1]
    if (parent !== undefined) parent.size += frame.size
  }

  #setSize(node: object, size: number, isVisited: boolean): void {
    if (this.#seen === undefined) return
    const sizes = isVisited ? this.#seen.visited : this.#seen.passed
    sizes.set(node, size)
  }
}

const keyAt = ({ names }: OpenNode, at: number): string | number => names?.[at] ?? at

function checkNames({ names }: OpenNode, stack: readonly OpenNode[]): void {
  if (names === undefined || names.length <= MOST_NAMES) return
  throw invalidSpec(
    `Failed to read the description: the object at ${toPointer(placeIn(stack)).slice(0, 200)} has more than ${MOST_NAMES} names. Split it, or leave out what the tests do not call.`,
  )
}

/** The place of a stack's last frame in the document. */
export const placeIn = (stack: readonly OpenNode[]): string[] => stack.slice(1).map(({ key }) => key)

/** The place of the child that the top frame is visiting. */
function pointerOf(stack: readonly OpenNode[]): string {
  const top = stack.at(-1)
  return toPointer([...placeIn(stack), top ? String(keyAt(top, top.next - 1)) : ''])
}
