import type { StreamEvent } from '../../src/handlers.ts'
import { type Fields, listOf } from './context.ts'
import { toPieces } from './pieces.ts'

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
  yield event('response.created', { response: open })
  yield event('response.in_progress', { response: open })
  for (const [output_index, item] of listOf(output).entries()) {
    yield event('response.output_item.added', { output_index, item: { ...item, ...emptied(item) } })
    for (const { type, token, ...fields } of partsOf(item))
      yield event(String(type), { item_id: item.id, output_index, ...fields }, token === true)
    yield event('response.output_item.done', { output_index, item })
  }
  yield event(`response.${response.status}`, { response })
}

/** What an item lacks as it is added. */
function emptied({ type }: Fields): Fields {
  switch (type) {
    case 'message':
      return { status: 'in_progress', content: [] }
    case 'reasoning':
      return { summary: [] }
    case 'function_call':
      return { status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { status: 'in_progress', input: '' }
    default:
      return { status: 'in_progress' }
  }
}

/** The events between an item's beginning and its end. */
function* partsOf(item: Fields): Generator<Fields> {
  const { type, name, arguments: given, input, content, summary } = item
  if (type === 'function_call') {
    for (const delta of toPieces(String(given)))
      yield { type: 'response.function_call_arguments.delta', token: true, delta }
    yield { type: 'response.function_call_arguments.done', name: name ?? '', arguments: given ?? '' }
  }
  if (type === 'custom_tool_call') {
    for (const delta of toPieces(String(input)))
      yield { type: 'response.custom_tool_call_input.delta', token: true, delta }
    yield { type: 'response.custom_tool_call_input.done', input: input ?? '' }
  }
  if (type === 'file_search_call')
    for (const step of ['in_progress', 'searching', 'completed']) yield { type: `response.file_search_call.${step}` }
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
      type: `${kind}.delta`,
      token: true,
      content_index,
      delta,
      ...(!isRefusal && { logprobs: logprobs.slice(at, at + 1) }),
    }
  for (const [annotation_index, annotation] of listOf(part.annotations).entries())
    yield { type: 'response.output_text.annotation.added', content_index, annotation_index, annotation }
  yield { type: `${kind}.done`, content_index, ...(isRefusal ? { refusal: text } : { text, logprobs }) }
  yield { type: 'response.content_part.done', content_index, part }
}
