import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from './on-loopback.ts'

/** A request as a server of a test saw it. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** A service that answers what a test says, over a real socket. */
export interface Answering extends AsyncDisposable {
  url: string
  seen: SeenRequest[]
}

/** Starts one. `answer` is called for each request, with its place in the order of arrival. */
export async function startAnswering(
  answer: (request: SeenRequest, at: number, response: ServerResponse) => void,
): Promise<Answering> {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method = '', url = '', headers } = request
    seen.push({ method, path: url, headers, body })
    answer(seen[seen.length - 1] as SeenRequest, seen.length - 1, response)
  })
  return { ...(await onLoopback(server)), seen }
}

/** Answers with JSON. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
