import type { ChangeEvent } from '../../src/protocol/event.ts'

/** The first event of a stream of server-sent events. */
export async function firstEventIn(body: ReadableStream<Uint8Array>): Promise<ChangeEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const [, data] = /^data: (.*)\n\n/m.exec(text) ?? []
    if (data !== undefined) return JSON.parse(data)
  }
  throw new Error('The stream ended without an event.')
}
