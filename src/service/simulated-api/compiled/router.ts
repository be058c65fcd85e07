import { editDistance } from '../../../names/nearest-name.ts'
import { setOwn } from '../../../protocol/json.ts'
import { percentDecoded } from '../../../protocol/json-pointer.ts'
import { belowBase } from '../../../protocol/path-pattern.ts'
import type { ApiModel, HttpMethod, Operation, PathSegment } from '../../openapi/model.ts'
import { withoutPrefix } from '../body/parameter-styles.ts'
import type { CompiledOperation } from './compiled-operation.ts'
import { type Leaf, SegmentTrie } from './segment-trie.ts'

/** An operation and its path parameters, decoded. */
export interface FoundOperation {
  readonly compiled: CompiledOperation
  readonly params: Readonly<Record<string, string>>
}

/** Finds the operation for a method and a path. */
export class Router {
  readonly #trie = new SegmentTrie()
  readonly #basePaths: readonly string[]
  readonly #compile: (operation: Operation) => CompiledOperation

  constructor(model: ApiModel, compile: (operation: Operation) => CompiledOperation) {
    this.#compile = compile
    const all = [...new Set([model.basePath, ...model.basePaths])].filter((path) => path !== '')
    // Variables fit any text: they are tried last.
    const [plain, varying] = [false, true].map((isVarying) => all.filter((path) => path.includes('{') === isVarying))
    this.#basePaths = [...(plain ?? []), '', ...(varying ?? [])]
    for (const operation of model.operations) {
      this.#trie.add(operation, operation.segments)
      for (const other of [withJsonSuffix(operation), withoutJsonSuffix(operation)]) {
        if (other) this.#trie.add(operation, other)
      }
    }
  }

  /** The operation, or the methods of the path (none: no such path). */
  find(method: HttpMethod, path: string): FoundOperation | { readonly allowed: ReadonlySet<HttpMethod> } {
    const found = this.#find(method, path)
    if (found !== undefined) return found
    const allowed = new Set<HttpMethod>()
    this.#find(method, path, allowed)
    return { allowed }
  }

  /** @param allowed collects the methods of the path, where this one is missing */
  #find(method: HttpMethod, path: string, allowed?: Set<HttpMethod>): FoundOperation | undefined {
    for (const basePath of this.#basePaths) {
      const inside = belowBase(path, basePath)
      const found = inside && findRelative(this.#trie, method, inside.path, allowed)
      if (!found) continue
      const compiled = this.#compile(found.operation)
      return { compiled, params: addParams(inside.values, compiled, found.values) }
    }
    return undefined
  }
}

/** A path below a base path, with or without a final `.json`. */
function findRelative(
  trie: SegmentTrie,
  method: HttpMethod,
  path: string,
  allowed?: Set<HttpMethod>,
): Leaf | undefined {
  const parts = toParts(path)
  const found = trie.find(parts, method, allowed)
  const last = parts.at(-1)
  if (found !== undefined || !last?.endsWith('.json')) return found
  return trie.find([...parts.slice(0, -1), last.slice(0, -'.json'.length)], method, allowed)
}

/** Adds the parameters of the path to those of its base path. */
function addParams(
  params: Record<string, string>,
  { pathNames, prefixed }: CompiledOperation,
  values: readonly string[],
): FoundOperation['params'] {
  for (let at = 0; at < pathNames.length; at++) setOwn(params, pathNames[at] as string, values[at] ?? '')
  for (const parameter of prefixed) params[parameter.name] = withoutPrefix(parameter, params[parameter.name] ?? '')
  return params
}

/** `/a/b%20c/` as `['a', 'b c']`. */
function toParts(path: string): string[] {
  const inner = path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined)
  if (inner === '') return []
  const parts = inner.split('/')
  return path.includes('%') ? parts.map(percentDecoded) : parts
}

/** The path without a final `.json`: clients write either form. */
function withoutJsonSuffix({ segments }: Operation): PathSegment[] | undefined {
  const last = segments.at(-1)
  if (last?.kind === 'param' && last.suffix.endsWith('.json')) {
    return [...segments.slice(0, -1), { ...last, suffix: last.suffix.slice(0, -'.json'.length) }]
  }
  if (last?.kind !== 'static' || !last.text.endsWith('.json')) return undefined
  return [...segments.slice(0, -1), { kind: 'static', text: last.text.slice(0, -'.json'.length) }]
}

/** The path with its `.json` as literal text, so that the parameter does not include it. */
function withJsonSuffix({ path, segments }: Operation): PathSegment[] | undefined {
  const last = segments.at(-1)
  if (last?.kind !== 'param' || last.suffix.endsWith('.json') || !/^[^?#]*\.json([?#]|$)/.test(path)) return undefined
  return [...segments.slice(0, -1), { ...last, suffix: `${last.suffix}.json` }]
}

/** The operations with the most similar paths, nearest first: for the message of a 404. */
export function nearestOperations(model: ApiModel, method: string, path: string): string[] {
  const wanted = path.split('/').filter((part) => part !== '')
  return candidatesFor(model, method, wanted)
    .map((operation) => ({ operation, distance: distanceTo(operation, method, wanted) }))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ operation }) => `${operation.method} ${operation.path}`)
}

/** Most operations compared letter by letter: those with most common segments. */
const MOST_COMPARED = 500

function candidatesFor({ operations }: ApiModel, method: string, wanted: readonly string[]): readonly Operation[] {
  if (operations.length <= MOST_COMPARED) return operations
  const unlike = ({ segments, method: own }: Operation): number => {
    let different = Math.abs(segments.length - wanted.length) + (own === method ? 0 : 0.5)
    for (const [at, segment] of segments.entries()) {
      if (at < wanted.length && segment.kind === 'static' && segment.text !== wanted[at]) different++
    }
    return different
  }
  return operations
    .map((operation) => ({ operation, different: unlike(operation) }))
    .sort((left, right) => left.different - right.different)
    .slice(0, MOST_COMPARED)
    .map(({ operation }) => operation)
}

/** A path may also begin with what the API does not have, such as another base path. */
function distanceTo({ segments, method: own }: Operation, method: string, wanted: readonly string[]): number {
  const more = wanted.length - segments.length
  const unlike = unlikenessOf(segments, wanted)
  const least = more > 0 ? Math.min(unlike, unlikenessOf(segments, wanted.slice(more))) : unlike
  return Math.abs(more) + (own === method ? 0 : 0.5) + least
}

function unlikenessOf(segments: Operation['segments'], wanted: readonly string[]): number {
  let distance = 0
  for (const [at, segment] of segments.entries()) {
    const part = wanted[at]
    if (part === undefined) break
    if (segment.kind !== 'static') distance += 0.25
    else if (at < MOST_SEGMENTS) distance += 2 * unlikeness(segment.text, part)
    else distance += segment.text === part ? 0 : 2
  }
  return distance
}

/** 0 for equal texts, 1 for texts without common letters. Of long texts only the start counts. */
function unlikeness(left: string, right: string): number {
  if (left === right) return 0
  const [one, other] = [left, right].map((text) => text.slice(0, COMPARED).toLowerCase()) as [string, string]
  return editDistance(one, other) / Math.max(1, one.length, other.length)
}

const COMPARED = 40
/** Most segments of a path compared letter by letter. */
const MOST_SEGMENTS = 8
