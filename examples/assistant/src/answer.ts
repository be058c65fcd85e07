import type OpenAI from 'openai'

type Tools = NonNullable<OpenAI.Responses.ResponseCreateParams['tools']>

const ORDERS: Record<string, string> = { '17': 'shipped on Monday', '18': 'waiting for payment' }

const ORDER_STATUS = {
  type: 'function',
  name: 'order_status',
  description: 'Where an order is',
  parameters: {
    type: 'object',
    properties: { order: { type: 'string' } },
    required: ['order'],
    additionalProperties: false,
  },
  strict: true,
} as const

export interface Question {
  /** The id of the conversation, whose messages OpenAI keeps. */
  conversation: string
  text: string
}

/** The pieces of an answer as they come, from the shop's files and orders. Throws if it breaks off. */
export async function* answer(
  openai: OpenAI,
  store: string,
  { conversation, text }: Question,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const tools: Tools = [ORDER_STATUS, { type: 'file_search', vector_store_ids: [store], max_num_results: 1 }]
  let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: text }]
  while (input.length > 0) {
    const request = { model: 'gpt-5', instructions: 'You help the customers of a shop.', conversation, input, tools }
    const stream = openai.responses.stream(request, { signal })
    for await (const event of stream) {
      if (event.type === 'response.output_text.delta') yield event.delta
      if (event.type === 'response.output_item.done') yield sourcesOf(event.item)
    }
    const { status, output } = await stream.finalResponse()
    // A clean end in the middle, as of a proxy that restarts, is no error for the SDK.
    if (status !== 'completed') throw new Error('The answer broke off.')
    input = output.flatMap((item) => (item.type === 'function_call' ? [runTool(item)] : []))
  }
}

/** The files that a text cites. */
function sourcesOf(item: OpenAI.Responses.ResponseOutputItem): string {
  const parts = item.type === 'message' ? item.content : []
  const cited = parts.flatMap((part) => (part.type === 'output_text' ? part.annotations : []))
  return cited.map((one) => (one.type === 'file_citation' ? ` [${one.filename}]` : '')).join('')
}

function runTool({ call_id, arguments: given }: OpenAI.Responses.ResponseFunctionToolCall) {
  const { order } = JSON.parse(given) as { order: string }
  return { type: 'function_call_output' as const, call_id, output: ORDERS[order] ?? 'There is no such order.' }
}
