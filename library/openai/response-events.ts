import type { StreamEvent } from '../../src/handlers.ts'
import { toPieces } from '../shared/pieces.ts'
import { type Fields, listOf } from '../shared/values.ts'

/** The events of a response, from its end form: each added item is done, and `item_id` names it in all events between. */
export function* toEvents(response: Fields): Generator<StreamEvent> {
  let sequence = 0
  const event = (type: string, fields: object, token = false): StreamEvent => ({
    event: type,
    token,
    data: { type, sequence_number: sequence++, ...fields },
  })
  const { output, usage: _, ...rest } = response
  const open = { ...rest, status: 'in_progress', output: [], usage: null, completed_at: null, incomplete_details: null }
  const isQueued = response.background === true
  const first = { response: { ...open, ...(isQueued && { status: 'queued' }) } }
  yield event('response.created', first)
  if (isQueued) yield event('response.queued', first)
  yield event('response.in_progress', { response: open })
  for (const [output_index, item] of listOf(output).entries()) {
    const isBegun = item.status !== undefined && { status: 'in_progress' }
    yield event('response.output_item.added', {
      output_index,
      item: { ...item, ...isBegun, ...EMPTIED[String(item.type)] },
    })
    for (const { type, token, ...fields } of partsOf(item, listOf(response.tools)))
      yield event(String(type), { item_id: item.id, output_index, ...fields }, token === true)
    yield event('response.output_item.done', { output_index, item })
  }
  yield event(`response.${response.status}`, { response })
}

/** What an item lacks as it is added. */
const EMPTIED: Readonly<Record<string, Fields>> = {
  message: { content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
  image_generation_call: { result: null },
  code_interpreter_call: { code: '', outputs: null },
  mcp_call: { arguments: '', output: null },
}

/** The field of an item that is sent in pieces, as the events name it. */
const WRITTEN: Readonly<Record<string, readonly [events: string, field: string]>> = {
  function_call: ['function_call_arguments', 'arguments'],
  custom_tool_call: ['custom_tool_call_input', 'input'],
  code_interpreter_call: ['code_interpreter_call_code', 'code'],
  mcp_call: ['mcp_call_arguments', 'arguments'],
}

/** What the call of a tool that OpenAI runs goes through. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  file_search_call: ['in_progress', 'searching', 'completed'],
  web_search_call: ['in_progress', 'searching', 'completed'],
  code_interpreter_call: ['in_progress', 'interpreting', 'completed'],
  image_generation_call: ['in_progress', 'generating', 'completed'],
  mcp_list_tools: ['in_progress', 'completed'],
  mcp_call: ['in_progress', 'completed'],
}

/** The events between an item's beginning and its end. */
function* partsOf(item: Fields, tools: readonly Fields[]): Generator<Fields> {
  const { type, name, content, summary } = item
  const [first, ...steps] = STEPS[String(type)] ?? []
  if (first !== undefined) yield { type: `response.${type}.${first}` }
  const [events, field = ''] = WRITTEN[String(type)] ?? []
  if (events !== undefined) {
    const whole = item[field] ?? ''
    for (const delta of type === 'mcp_call' ? [whole] : toPieces(String(whole)))
      yield { type: `response.${events}.delta`, token: true, delta }
    yield { type: `response.${events}.done`, ...(type === 'function_call' && { name: name ?? '' }), [field]: whole }
  }
  for (const step of steps) {
    if (type === 'image_generation_call' && step === 'completed') {
      const { partial_images = 0 } = tools.find((tool) => tool.type === 'image_generation') ?? {}
      for (let partial_image_index = 0; partial_image_index < Number(partial_images); partial_image_index++)
        yield { type: `response.${type}.partial_image`, partial_image_index, partial_image_b64: item.result ?? '' }
    }
    yield { type: `response.${type}.${step}` }
  }
  for (const [summary_index, part] of listOf(summary).entries()) {
    const text = String(part.text)
    yield { type: 'response.reasoning_summary_part.added', summary_index, part: { ...part, text: '' } }
    for (const delta of toPieces(text))
      yield { type: 'response.reasoning_summary_text.delta', token: true, summary_index, delta }
    yield { type: 'response.reasoning_summary_text.done', summary_index, text }
    yield { type: 'response.reasoning_summary_part.done', summary_index, part }
  }
  for (const [content_index, part] of (type === 'message' ? listOf(content) : []).entries())
    yield* textEvents(content_index, part)
}

function* textEvents(content_index: number, part: Fields): Generator<Fields> {
  const isRefusal = part.type === 'refusal'
  const text = String(isRefusal ? part.refusal : part.text)
  const empty = isRefusal ? { refusal: '' } : { text: '', annotations: [], logprobs: [] }
  const kind = isRefusal ? 'response.refusal' : 'response.output_text'
  yield { type: 'response.content_part.added', content_index, part: { ...part, ...empty } }
  const logprobs = listOf(part.logprobs)
  for (const [at, delta] of toPieces(text).entries())
    yield {
      ...{ type: `${kind}.delta`, token: true, content_index, delta },
      ...(!isRefusal && { logprobs: logprobs.slice(at, at + 1) }),
    }
  for (const [annotation_index, annotation] of listOf(part.annotations).entries())
    yield { type: 'response.output_text.annotation.added', content_index, annotation_index, annotation }
  yield { type: `${kind}.done`, content_index, ...(isRefusal ? { refusal: text } : { text, logprobs }) }
  yield { type: 'response.content_part.done', content_index, part }
}
