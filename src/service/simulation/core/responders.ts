import { type PathPattern, toPathPattern } from '../../../protocol/path-pattern.ts'
import type { ResponseRule } from '../../../protocol/response-rule.ts'
import type { GivenAnswer } from '../../simulated-api/answer-request.ts'
import type { ApiRequest, ApiResponse } from '../../simulated-api/exchange.ts'
import type { RuleSubject } from '../../simulated-api/rules/rule-subject.ts'

interface Responder {
  readonly id: string
  readonly scope: ResponderScope
  readonly pattern: PathPattern
  readonly answer: ResponderFunction
}

/** Functions that answer requests to one simulation in place of its API. They are not part of its state. */
export class Responders {
  #all: readonly Responder[] = []

  get isEmpty(): boolean {
    return this.#all.length === 0
  }

  /** Adds a responder; the latest is asked first. Call the returned function to remove it. */
  add(id: string, scope: ResponderScope, answer: ResponderFunction): () => void {
    const responder: Responder = { id, scope, pattern: toPathPattern(scope.pathPattern), answer }
    this.#all = [responder, ...this.#all]
    return () => {
      this.#all = this.#all.filter((other) => other !== responder)
    }
  }

  /** The first answer of a matching responder. Never rejects. */
  async ask(subject: RuleSubject, request: ApiRequest): Promise<GivenAnswer | undefined> {
    for (const { id, scope, pattern, answer } of this.#all) {
      if (!subject.fits(scope, pattern)) continue
      try {
        const response = await answer(toRequest(request))
        if (response !== undefined) return { id, response: await toApiResponse(response) }
      } catch (error) {
        return { id, response: error instanceof Error ? error.message : String(error) }
      }
    }
    return undefined
  }
}

function toRequest({ method, path, query, headers, body, origin }: ApiRequest): Request {
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD'
  return new Request(`${origin}${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: { ...headers },
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  })
}

async function toApiResponse(response: Response): Promise<ApiResponse> {
  const kept = [...response.headers].filter(([name]) => name !== 'set-cookie')
  const entries = kept.map(([name, value]) => [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), value])
  const cookies = response.headers.getSetCookie()
  const body = response.body === null ? null : new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    headers: { ...Object.fromEntries(entries), ...(cookies.length === 0 ? {} : { 'Set-Cookie': cookies }) },
    body,
  }
}

/** The requests for a responder. */
export type ResponderScope = Pick<ResponseRule, 'method' | 'pathPattern' | 'operation' | 'when'>

/** A function of this process that answers a request; undefined lets the API answer. */
export type ResponderFunction = (request: Request) => Promise<Response | undefined>
