import { onceFor } from '../../../runtime/once.ts'
import type { HttpMethod, Operation, PathSegment } from '../../openapi/model.ts'

/** An operation and the texts of its path parameters, in the order of the path. */
export interface Leaf {
  readonly operation: Operation
  readonly values: readonly string[]
}

/** A path of an operation. */
interface Route {
  readonly operation: Operation
  readonly segments: readonly PathSegment[]
}

/** One node of the paths. */
interface Node {
  readonly depth: number
  /** Paths that go through it, placed when it is first visited: of a large API, few are. */
  waiting: Route[]
  readonly statics: Map<string, Node>
  /** `{id}`, `{id}:cancel`; those with more literal text first. */
  readonly params: { prefix: string; suffix: string; node: Node }[]
  /** By their literals. */
  readonly mixed: Map<string, { pattern: readonly string[]; node: Node }>
  readonly operations: Map<HttpMethod, Operation>
  /** Operations whose last parameter may have slashes: file paths. */
  readonly tails: Map<HttpMethod, Operation>
}

/** Names of last parameters that may have slashes, since SDKs send paths and refs. */
const TAIL_NAME = /(^|_)(path|file|filepath|filename|ref|dir|proxy)$/i

/** A tree of paths by segments. A static segment is preferred to a templated one. */
export class SegmentTrie {
  readonly #root = createNode(0)

  add(operation: Operation, segments: readonly PathSegment[]): void {
    this.#root.waiting.push({ operation, segments })
  }

  /** The operation for a path and a method; `allowed` collects the methods of the path. */
  find(parts: readonly string[], method: HttpMethod, allowed?: Set<HttpMethod>): Leaf | undefined {
    const path = { parts, method, allowed }
    return find(this.#root, path, 0, []) ?? findTail(this.#root, path, 0, [])
  }
}

/** The path to find. */
interface WantedPath {
  readonly parts: readonly string[]
  readonly method: HttpMethod
  readonly allowed: Set<HttpMethod> | undefined
}

function createNode(depth: number): Node {
  return {
    depth,
    waiting: [],
    statics: new Map(),
    params: [],
    mixed: new Map(),
    operations: new Map(),
    tails: new Map(),
  }
}

function place(node: Node, route: Route): void {
  const { operation, segments } = route
  const segment = segments[node.depth]
  if (segment === undefined) {
    setIfAbsent(node.operations, operation)
    return
  }
  const isLast = node.depth === segments.length - 1
  if (isLast && segment.kind === 'param' && TAIL_NAME.test(segment.name) && segment.suffix === '') {
    setIfAbsent(node.tails, operation)
  }
  descend(node, segment).waiting.push(route)
}

function setIfAbsent(operations: Map<HttpMethod, Operation>, operation: Operation): void {
  if (!operations.has(operation.method)) operations.set(operation.method, operation)
}

function descend(node: Node, segment: PathSegment): Node {
  if (segment.kind === 'static') {
    return onceFor(node.statics, segment.text, () => createNode(node.depth + 1))
  }
  if (segment.kind === 'mixed') {
    const { literals: pattern } = segment
    return onceFor(node.mixed, pattern.join('\0'), () => ({ pattern, node: createNode(node.depth + 1) })).node
  }
  const { prefix, suffix } = segment
  const known = node.params.find((entry) => entry.prefix === prefix && entry.suffix === suffix)
  if (known) return known.node
  const entry = { prefix, suffix, node: createNode(node.depth + 1) }
  node.params.push(entry)
  return entry.node
}

/** Places the paths that wait at a node. */
function placeWaiting(node: Node): void {
  for (const route of node.waiting.splice(0)) place(node, route)
  node.params.sort((left, right) => right.prefix.length + right.suffix.length - left.prefix.length - left.suffix.length)
}

/** @param values texts of the parameters so far: a failed branch removes its own */
function find(node: Node, path: WantedPath, at: number, values: string[]): Leaf | undefined {
  if (node.waiting.length > 0) placeWaiting(node)
  const part = path.parts[at]
  if (part === undefined) return leafOf(node.operations, path, values)
  const exact = node.statics.get(part)
  const found = exact && find(exact, path, at + 1, values)
  if (found) return found
  const { length } = values
  for (const { pattern, node: below } of node.mixed.values()) {
    const texts = matchMixed(part, pattern)
    if (texts === undefined) continue
    values.push(...texts)
    const inner = find(below, path, at + 1, values)
    if (inner) return inner
    values.length = length
  }
  for (const { prefix, suffix, node: below } of node.params) {
    const text = matchParam(part, prefix, suffix)
    if (text === undefined) continue
    values.push(text)
    const inner = find(below, path, at + 1, values)
    if (inner) return inner
    values.length = length
  }
  return undefined
}

/** After {@link find}, which has visited the same nodes. */
function findTail(node: Node, path: WantedPath, at: number, values: string[]): Leaf | undefined {
  const part = path.parts[at]
  if (part === undefined) return undefined
  const exact = node.statics.get(part)
  const found = exact && findTail(exact, path, at + 1, values)
  if (found) return found
  const { length } = values
  for (const { prefix, suffix, node: below } of node.params) {
    const text = matchParam(part, prefix, suffix)
    if (text === undefined) continue
    values.push(text)
    const inner = findTail(below, path, at + 1, values)
    if (inner) return inner
    values.length = length
  }
  if (node.tails.size === 0) return undefined
  return leafOf(node.tails, path, [...values, path.parts.slice(at).join('/')])
}

function leafOf(
  operations: Node['operations'],
  { method, allowed }: WantedPath,
  values: readonly string[],
): Leaf | undefined {
  const operation = operations.get(method)
  if (operation) return { operation, values }
  if (allowed) for (const other of operations.keys()) allowed.add(other)
  return undefined
}

function matchParam(part: string, prefix: string, suffix: string): string | undefined {
  if (prefix === '' && suffix === '') return part === '' ? undefined : part
  if (part.length <= prefix.length + suffix.length || !part.startsWith(prefix) || !part.endsWith(suffix))
    return undefined
  return part.slice(prefix.length, part.length - suffix.length)
}

/** `{base}...{head}`: the texts between the literals. */
function matchMixed(part: string, literals: readonly string[]): string[] | undefined {
  const texts: string[] = []
  let from = 0
  for (const [at, literal] of literals.entries()) {
    const isLast = at === literals.length - 1
    const found = isLast
      ? part.endsWith(literal)
        ? part.length - literal.length
        : -1
      : part.indexOf(literal, from + (at === 0 ? 0 : 1))
    if (found < from || (at === 0 && found !== 0)) return undefined
    if (at > 0) texts.push(part.slice(from, found))
    from = found + literal.length
  }
  return texts.every((text) => text !== '') ? texts : undefined
}
