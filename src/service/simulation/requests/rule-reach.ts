import { misspeltFor } from '../../../names/nearest-name.ts'
import { badRequest } from '../../../protocol/errors.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import {
  fitsPath,
  haveCommonPath,
  type PathPart,
  type PathPattern,
  toPathPattern,
} from '../../../protocol/path-pattern.ts'
import type { ResponseRule, RuleCondition } from '../../../protocol/response-rule.ts'
import type { ApiModel, Operation, PathSegment } from '../../openapi/model.ts'
import { nearestOperations } from '../../simulated-api/compiled/router.ts'
import { allNames } from '../../simulated-api/facts/intake.ts'

/** Why a rule will never act; undefined when it can. */
export const explainIdle = (rule: ResponseRule, model: ApiModel): string | undefined =>
  explainConfig(rule) ?? explainReach(rule, model)

function explainConfig({ kind, config }: ResponseRule): string | undefined {
  if (config.probability === 0)
    return '`config.probability` is 0, so it acts on no request: give a share above 0, or leave the rule out.'
  if (config.durationMs === 0)
    return '`config.durationMs` is 0, so it ends as it begins: give a span above 0, or leave the rule out.'
  const changes = [config.status, config.headers, config.body, config.setJson, config.stream]
  if (kind === 'override' && changes.every((change) => change === undefined))
    return '`config` has none of `status`, `headers`, `body`, `setJson` and `stream`, so it changes no answer: give one of them.'
  return undefined
}

/** Why a rule can never match a request that the API answers, with the most similar operations; undefined when it can. */
export function explainReach(
  rule: Pick<ResponseRule, 'method' | 'pathPattern' | 'operation' | 'when'>,
  model: ApiModel,
): string | undefined {
  const { method, pathPattern, operation: id, when } = rule
  const { operations, basePaths } = model
  const patterns = spellings(pathPattern).map(toPathPattern)
  const reached = operations.filter((operation) => {
    if (!serves(operation, method) || (id !== undefined && id !== operation.id)) return false
    return pathsOf(operation, basePaths).some((path) => patterns.some((pattern) => haveCommonPath(pattern, path)))
  })
  if (reached.length > 0) return when && explainCondition(when, reached)
  if (operations.length === 0) return undefined
  const base = basePaths.find((path) => path !== '' && pathPattern.startsWith(path)) ?? ''
  const nearest = nearestOperations(model, method, pathPattern.slice(base.length).replaceAll('*', ''))
  const wanted = id === undefined ? '' : ` together with operation ${id}`
  return `No operation of this API matches ${method} ${pathPattern}${wanted}. Nearest are ${nearest.join(', ')}.`
}

/** The paths that match a pattern. Throws `bad_request` for one that no operation serves, with the most similar paths. */
export function servedPath(
  model: ApiModel,
  pathPattern: string,
  scope: Partial<Parameters<typeof explainReach>[0]> = {},
): (path: string) => boolean {
  const problem = explainReach({ method: '*', ...scope, pathPattern }, model)
  if (problem !== undefined) throw badRequest(problem.replace('matches * ', 'matches '))
  const pattern = toPathPattern(pathPattern)
  return (path) => fitsPath(pattern, path, model.basePaths)
}

/** A request may add a slash or `.json` to the path of an operation, or omit `.json`. */
function spellings(pathPattern: string): string[] {
  const plain = pathPattern.replace(/(?<=.)\/+$/, '').replace(/\.json$/, '')
  return [...new Set([pathPattern, plain, `${plain}.json`])]
}

/** GET operations also answer HEAD, all paths OPTIONS; a remote procedure accepts POST for GET. */
function serves({ method, path }: Operation, wanted: string): boolean {
  if (wanted === '*' || wanted === 'OPTIONS' || wanted === method) return true
  return method === 'GET' && (wanted === 'HEAD' || (wanted === 'POST' && /\.[a-z]\w*\/?$/i.test(path)))
}

/** The paths of an operation, with every base path and with none. */
function pathsOf({ segments }: Operation, basePaths: readonly string[]): PathPattern[] {
  const parts = segments.length === 0 ? [{ text: '/' }] : segments.flatMap((part) => [{ text: '/' }, ...toParts(part)])
  return [...new Set(['', ...basePaths])].map((base) => ({
    text: base,
    parts: [...toParts({ kind: 'mixed', names: [], literals: base.split(/\{[^{}]*\}/) }), ...parts],
  }))
}

function toParts(segment: PathSegment): PathPart[] {
  switch (segment.kind) {
    case 'static':
      return [{ text: segment.text }]
    case 'param':
      return [{ text: segment.prefix }, 'segment', { text: segment.suffix }]
    case 'mixed':
      return segment.literals.flatMap((text, at) => (at === 0 ? [{ text }] : ['segment' as const, { text }]))
  }
}

/**
 * Says which name of a rule's `when` none of the operations declares, where it is much like one that they do. Any other name
 * may be sent, so it stands.
 */
function explainCondition({ query = {}, body }: RuleCondition, operations: readonly Operation[]): string | undefined {
  const parameters = operations.flatMap((operation) => operation.parameters.filter((one) => one.in === 'query'))
  const bodies = operations.flatMap(({ requestBody }) => [...(requestBody?.content.values() ?? [])])
  return (
    misspelt('query', Object.keys(query), () => parameters.map(({ name }) => name)) ??
    misspelt('body', isJsonObject(body) ? Object.keys(body) : [], () =>
      bodies.flatMap((schema) => [...allNames(schema).keys()]),
    )
  )
}

function misspelt(part: 'query' | 'body', names: readonly string[], declared: () => string[]): string | undefined {
  if (names.length === 0) return undefined
  const known = [...new Set(declared().map(withoutBrackets))]
  for (const name of names.map(withoutBrackets)) {
    const nearest = misspeltFor(name, known)
    if (nearest !== undefined)
      return `No operation that it meets has "${name}" in its ${part}. Did you mean "${nearest}"?`
  }
  return undefined
}

/** `expand[]` and `card[number]` by their first name. */
const withoutBrackets = (name: string): string => name.replace(/\[.*/s, '')
