import { isJsonObject, type Json } from '../../../protocol/json.ts'
import { fitsPath, type PathPattern } from '../../../protocol/path-pattern.ts'
import type { ResponseRule, RuleCondition } from '../../../protocol/response-rule.ts'
import { parsePairs } from '../body/form.ts'
import { type Body, readBody } from '../body/read-body.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import type { ApiRequest } from '../exchange.ts'
import { Refusal } from '../refusal.ts'

/** A request for rules. Query and body are parsed when the first rule needs them. */
export class RuleSubject {
  readonly #request: ApiRequest
  readonly #compiled: CompiledOperation | undefined
  readonly #basePaths: readonly string[]
  #query: readonly (readonly [name: string, value: string])[] | undefined
  #body: { readonly read: Body | undefined } | undefined

  /**
   * @param compiled the operation of the request; undefined without one
   * @param basePaths the base paths of the API
   */
  constructor(request: ApiRequest, compiled: CompiledOperation | undefined, basePaths: readonly string[]) {
    this.#request = request
    this.#compiled = compiled
    this.#basePaths = basePaths
  }

  /** Whether a rule matches this request. @param pattern its parsed `pathPattern` */
  fits(
    { method, operation, when }: Pick<ResponseRule, 'method' | 'operation' | 'when'>,
    pattern: PathPattern,
  ): boolean {
    return (
      (method === '*' || method === this.#request.method) &&
      (operation === undefined || operation === this.#compiled?.operation.id) &&
      fitsPath(pattern, this.#request.path, this.#basePaths) &&
      (when === undefined || this.#holds(when))
    )
  }

  #holds({ query = {}, headers = {}, body }: RuleCondition): boolean {
    return (
      Object.entries(headers).every(([name, wanted]) => {
        const sent = name.toLowerCase()
        return isSent(wanted, Object.hasOwn(this.#request.headers, sent) ? [this.#request.headers[sent] ?? ''] : [])
      }) &&
      Object.entries(query).every(([name, wanted]) => isSent(wanted, this.#queryValues(name))) &&
      (body === undefined || this.#hasBody(body))
    )
  }

  #queryValues(name: string): string[] {
    this.#query ??= readOrNone(() => parsePairs(this.#request.query)) ?? []
    return this.#query.flatMap(([sent, value]) => (sent === name ? value : []))
  }

  #hasBody(wanted: Json): boolean {
    const compiled = this.#compiled
    this.#body ??= { read: compiled && readOrNone(() => readBody(compiled.operation, this.#request, false)) }
    const { value, mediaType = '' } = this.#body.read ?? {}
    return isPartOf(wanted, value, /form/.test(mediaType))
  }
}

const isSent = (wanted: string | number | boolean | null, values: readonly string[]): boolean =>
  wanted === null ? values.length === 0 : values.includes(String(wanted))

/** Content of a request that the API will refuse counts as absent. */
function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** @param isText whether numbers and booleans may have arrived as texts, as in a form */
function isPartOf(wanted: Json, value: Json | undefined, isText: boolean): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return false
    return wanted.every((item, at) => isPartOf(item, value[at], isText))
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(value)) return false
    return Object.entries(wanted).every(
      ([name, item]) => Object.hasOwn(value, name) && isPartOf(item, value[name], isText),
    )
  }
  return wanted === value || (isText && typeof value === 'string' && wanted !== null && String(wanted) === value)
}
