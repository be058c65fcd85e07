import type { Talk, TalkMessage } from '../../src/handlers.ts'
import { numberOf, toChoice } from './chat-talk.ts'
import { type Fields, fieldsOf, listOf } from './context.ts'
import { callOf, isAnswer, textOfItem } from './response-items.ts'

/** A response's request as a talk. @param items the input, after the items of earlier responses */
export function toTalk(model: string, request: Fields, items: readonly Fields[]): Talk {
  const { instructions, tools, tool_choice, max_output_tokens } = request
  const format = fieldsOf(fieldsOf(request.text).format)
  const system = typeof instructions === 'string' ? [{ role: 'system' as const, text: instructions }] : []
  return {
    model,
    messages: [...system, ...toMessages(items)],
    tools: listOf(tools).flatMap(({ type, name, parameters }) =>
      type === 'function' || type === 'custom' ? [{ name: String(name), schema: parameters ?? {} }] : [],
    ),
    choice: toChoice(tool_choice),
    ...(format.type === 'json_schema' && { schema: { name: String(format.name), schema: format.schema } }),
    json: format.type === 'json_object',
    limit: numberOf(max_output_tokens),
    body: request,
  }
}

/** Items as messages: what a model wrote in one answer is one message. */
function toMessages(items: readonly Fields[]): TalkMessage[] {
  const messages: TalkMessage[] = []
  let answer: { role: 'assistant'; text: string; calls: { name: string; arguments: string }[] } | undefined
  for (const item of items) {
    if (!isAnswer(item)) {
      answer = undefined
      messages.push({ role: roleOf(item), text: textOfItem(item) })
      continue
    }
    if (answer === undefined) {
      answer = { role: 'assistant', text: '', calls: [] }
      messages.push(answer)
    }
    if (item.type === 'message') answer.text += textOfItem(item)
    answer.calls.push(...[callOf(item) ?? []].flat())
  }
  return messages
}

function roleOf({ type, role }: Fields): TalkMessage['role'] {
  if (String(type).endsWith('_output')) return 'tool'
  return role === 'system' || role === 'developer' ? 'system' : 'user'
}
