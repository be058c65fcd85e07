import type { ApiRequest, ApiResponse } from './exchange.ts'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, QUERY'

/** Whether a request asks, for a browser, what another would be allowed to do. */
export const isPreflight = (request: ApiRequest): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.origin !== undefined &&
  request.headers['access-control-request-method'] !== undefined

/** Answers a browser's preflight: every page may call a simulation, also one on this machine. */
export function answerPreflight(request: ApiRequest): ApiResponse {
  const asked = request.headers
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': asked['access-control-request-headers'] ?? '*',
      'Access-Control-Max-Age': '600',
      ...(asked['access-control-request-private-network'] && { 'Access-Control-Allow-Private-Network': 'true' }),
      ...(asked['access-control-request-local-network'] && { 'Access-Control-Allow-Local-Network': 'true' }),
    },
    body: null,
  }
}

/** Lets a page of any origin read the answer, with credentials. Answers to others than browsers stay as they are. */
export function withCors(response: ApiResponse, request: ApiRequest): ApiResponse {
  const { origin } = request.headers
  if (origin === undefined) return response
  const exposed = Object.keys(response.headers).filter((name) => !name.toLowerCase().startsWith('access-control-'))
  return {
    ...response,
    headers: {
      ...response.headers,
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      ...(exposed.length > 0 && { 'Access-Control-Expose-Headers': exposed.join(', ') }),
      Vary: 'Origin',
    },
  }
}
