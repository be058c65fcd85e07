import { grouped } from '../../../protocol/grouped.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { fromPointer } from '../../../protocol/json-pointer.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { depthOf, sizeOf } from '../../../protocol/size-of.ts'
import { Refusal } from '../refusal.ts'

/** Most steps of one patch: each may move all items of a list. */
const MOST_STEPS = 1_000
/** Size of a value besides its characters, so that a patch may have as many values as a body. */
const VALUE_BYTES = LIMITS.simulatedBodyBytes / LIMITS.bodyValuesOfOne
/** Deepest nesting that a patch may create, as for a body. */
const MAX_DEPTH = 200

/** An index of RFC 6901: no sign, no leading zero. */
const INDEX = /^(0|[1-9]\d*)$/
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

/** One step of RFC 6902. */
interface PatchStep {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: Json
}

/**
 * The steps of a JSON Patch body (RFC 6902), with any media type: an array, or a `patch` array next to a comment.
 * Undefined for other bodies.
 */
export function toJsonPatch(body: Json | undefined): Json[] | undefined {
  const steps = isJsonObject(body) ? (body.patch ?? body.operations) : body
  if (!Array.isArray(steps) || steps.length === 0) return undefined
  return steps.every((step) => isJsonObject(step) && typeof step.op === 'string' && typeof step.path === 'string')
    ? steps
    : undefined
}

/**
 * The document after all steps. Refuses an inapplicable step with 409, like a failed `test`, without any change. A
 * replaced field may be absent: records omit optional fields.
 */
export function applyJsonPatch(document: JsonObject, steps: readonly Json[]): JsonObject {
  if (steps.length > MOST_STEPS) {
    throw new Refusal(400, 'invalid_request', `Expected a patch of at most ${MOST_STEPS} steps, got ${steps.length}.`)
  }
  let bytes = 0
  /** Limits what all steps copy and move: 30 copies of a value into itself would fill any memory. */
  const take = (value: Json): Json => {
    bytes += sizeOf(value, VALUE_BYTES)
    if (bytes <= LIMITS.simulatedBodyBytes) return value
    const most = grouped(LIMITS.simulatedBodyBytes)
    throw new Refusal(400, 'invalid_request', `Expected a patch to copy and move at most ${most} bytes, got more.`)
  }
  let result: Json = structuredClone(document)
  for (const [at, step] of steps.entries()) result = applyStep(result, step as unknown as PatchStep, at, take)
  if (!isJsonObject(result)) throw new Refusal(422, 'invalid_request', 'Expected the patched record to be an object.')
  return result
}

function applyStep(document: Json, step: PatchStep, at: number, take: (value: Json) => Json): Json {
  const fail = (fact: string) =>
    new Refusal(409, 'conflict', `Failed to apply patch step ${at} ("${step.op} ${step.path}"): ${fact}.`)
  const path = placeOf(step.path)
  switch (step.op) {
    case 'add':
      return put(document, path, need(step.value, fail), false, fail)
    case 'replace':
      return put(document, path, need(step.value, fail), isArrayItem(document, path), fail)
    case 'remove':
      return remove(document, path, fail)
    case 'move': {
      const from = placeOf(step.from ?? '')
      const moved = take(get(document, from, fail))
      return put(remove(document, from, fail), path, moved, false, fail)
    }
    case 'copy':
      return put(document, path, structuredClone(take(get(document, placeOf(step.from ?? ''), fail))), false, fail)
    case 'test':
      if (!process.getBuiltinModule('node:util').isDeepStrictEqual(get(document, path, fail), step.value))
        throw fail('the value is another')
      return document
    default:
      throw fail('there is no such operation')
  }
}

type Fail = (fact: string) => Refusal

function need(value: Json | undefined, fail: Fail): Json {
  if (value === undefined) throw fail('it has no value')
  return value
}

/** Clients also send paths without the leading `/`. */
const placeOf = (path: string): string[] =>
  path === '' || path === '/' ? [] : fromPointer(path.startsWith('/') ? path : `/${path}`)

function get(document: Json, path: readonly string[], fail: Fail): Json {
  let value: Json | undefined = document
  for (const name of path) value = child(value, name)
  if (value === undefined) throw fail('there is nothing at that path')
  return value
}

function child(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return INDEX.test(name) ? value[Number(name)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Only items of arrays must exist to be replaced: an absent field of a record is set. */
function isArrayItem(document: Json, path: readonly string[]): boolean {
  let value: Json | undefined = document
  for (const name of path.slice(0, -1)) value = child(value, name)
  return Array.isArray(value)
}

/** The container of the last name in `path`. */
function containerOf(document: Json, path: readonly string[], fail: Fail): Json[] | JsonObject {
  const container = get(document, path.slice(0, -1), fail)
  if (typeof container !== 'object' || container === null) throw fail('there is no object or array to hold it')
  return container
}

function put(document: Json, path: readonly string[], value: Json, mustExist: boolean, fail: Fail): Json {
  const name = path.at(-1)
  if (path.length + depthOf(value) > MAX_DEPTH) throw fail(`it nests more than ${MAX_DEPTH} levels deep`)
  if (name === undefined) return value
  makeWay(document, path)
  const container = containerOf(document, path, fail)
  if (mustExist && child(container, name) === undefined) throw fail('there is nothing at that path')
  if (Array.isArray(container)) putItem(container, name, value, mustExist, fail)
  else Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true })
  return document
}

/** Creates the missing objects of a path. */
function makeWay(document: Json, path: readonly string[]): void {
  let at: Json = document
  for (const name of path.slice(0, -1)) {
    if (UNSAFE.has(name)) return
    if (isJsonObject(at) && (child(at, name) ?? null) === null) at[name] = {}
    at = child(at, name) ?? null
  }
}

function putItem(items: Json[], name: string, value: Json, isReplaced: boolean, fail: Fail): void {
  const at = name === '-' ? items.length : Number(name)
  if ((name !== '-' && !INDEX.test(name)) || at > items.length) throw fail(`there is no index ${name}`)
  items.splice(at, isReplaced ? 1 : 0, value)
}

function remove(document: Json, path: readonly string[], fail: Fail): Json {
  get(document, path, fail)
  const name = path.at(-1)
  if (name === undefined) throw fail('the whole record cannot be removed')
  const container = containerOf(document, path, fail)
  if (Array.isArray(container)) container.splice(Number(name), 1)
  else delete container[name]
  return document
}
