import type { ServerResponse } from 'node:http'

/**
 * Copies a stream as fast as the client reads it, until it ends or the client leaves, even before the first byte; then
 * cancels the stream. Does not end the answer.
 *
 * @param noteWritten called with each piece
 */
export async function pipe(
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  left: AbortSignal,
  noteWritten: (piece: Uint8Array) => void = () => {},
): Promise<void> {
  const reader = body.getReader()
  const cancel = () => reader.cancel().catch(() => {})
  left.addEventListener('abort', cancel, { once: true })
  while (!left.aborted) {
    const { done, value } = await reader.read()
    if (done) break
    noteWritten(value)
    if (!response.write(value)) await drained(response, left)
  }
  await cancel()
}

function drained(response: ServerResponse, left: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      response.off('drain', goOn)
      left.removeEventListener('abort', goOn)
      resolve()
    }
    response.once('drain', goOn)
    left.addEventListener('abort', goOn)
    if (left.aborted) goOn()
  })
}
