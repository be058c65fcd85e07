import type { ResponseRule } from '../../protocol/response-rule.ts'

/** Which requests a responder is asked for. */
export type ResponderScope = Pick<ResponseRule, 'method' | 'pathPattern' | 'operation' | 'when'>

/** A function of this process that answers a request; undefined lets the API answer. */
export type ResponderFunction = (request: Request) => Promise<Response | undefined>
