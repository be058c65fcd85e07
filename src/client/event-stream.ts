import type { ChangeEvent } from '../protocol/event.ts'

/** Reads server-sent events (WHATWG HTML, Server-sent events) that each carry one change event as JSON. */
export async function* readEventStream(body: ReadableStream<Uint8Array>): AsyncGenerator<ChangeEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = dataOf(block)
      if (data !== '') yield JSON.parse(data) as ChangeEvent
    }
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n')
}
