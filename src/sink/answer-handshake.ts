import type { ServerResponse } from 'node:http'

/**
 * Repeats the challenge of a handshake where the sender wants it.
 *
 * @param wanted the header of the sender: `<challenge>` for the body, `<challenge>;header=X-Hook-Secret` for a header
 */
export function answerHandshake(response: ServerResponse, wanted: string): void {
  const [challenge = '', place] = wanted.split(';header=')
  const text = JSON.stringify({ challenge })
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(place !== undefined && { [place]: challenge }),
  })
  response.end(text)
}
