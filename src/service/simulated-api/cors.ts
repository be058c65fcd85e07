import { type ApiRequest, type ApiResponse, withHeaders } from './exchange.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, QUERY'

export const isPreflight = (request: ApiRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.origin !== undefined &&
  request.headers['access-control-request-method'] !== undefined

/** Answers a browser's preflight. Remote pages get no permission for a browser's local network. */
export function answerPreflight({ headers, isTrustedPage }: ApiRequest): ApiResponse {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? '*',
      'Access-Control-Max-Age': '600',
      ...(isTrustedPage && {
        'Access-Control-Allow-Private-Network': 'true',
        'Access-Control-Allow-Local-Network': 'true',
      }),
    },
    body: null,
  }
}

/**
 * Lets pages read the answer: those of this machine and of named origins with credentials, others without. Answers to
 * other clients stay unchanged.
 */
export function withCors(response: ApiResponse, { headers: { origin }, isTrustedPage }: ApiRequest): ApiResponse {
  if (origin === undefined) return response
  const exposed = Object.keys(response.headers).filter((name) => !name.toLowerCase().startsWith('access-control-'))
  return withHeaders(response, {
    ...(isTrustedPage
      ? { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
      : { 'Access-Control-Allow-Origin': '*' }),
    ...(exposed.length > 0 && { 'Access-Control-Expose-Headers': exposed.join(', ') }),
    Vary: 'Origin',
  })
}
