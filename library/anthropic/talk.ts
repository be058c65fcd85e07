import type { Talk, TalkMessage } from '../../src/handlers.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { countAttachments } from './attachments.ts'
import type { Fields, Work } from './context.ts'

/** Tools that Anthropic defines, and an application runs. */
const RUN_BY_CLIENT = /^(?:bash|computer|memory|text_editor)_/

/** Tokens of the instructions about tools, by whether one must be called. */
const OF_TOOLS = [346, 313] as const

/** A request for a message as a talk. */
export function toTalk(work: Pick<Work, 'records' | 'tokens'>, body: Fields): Talk {
  const { model, system, messages, tools, tool_choice, max_tokens, stop_sequences } = body
  const format = fieldsOf(fieldsOf(body.output_config).format ?? body.output_format)
  const instructions = textOf(system)
  const choice = toChoice(fieldsOf(tool_choice))
  // Other tools are run by the provider.
  const own = listOf(tools).flatMap(({ type, name, input_schema }) =>
    input_schema === undefined && !RUN_BY_CLIENT.test(String(type))
      ? []
      : [{ name: String(name), schema: input_schema ?? { type: 'object' } }],
  )
  return {
    model: String(model),
    messages: [
      ...(instructions === '' ? [] : [{ role: 'system' as const, text: instructions }]),
      ...listOf(messages).flatMap((message, at) => {
        const [first, ...others] = toMessages(message)
        if (first === undefined) return []
        const added = at === 0 && own.length > 0 ? OF_TOOLS[choice === 'auto' || choice === 'none' ? 0 : 1] : 0
        return [{ ...first, tokens: countAttachments(work, message.content) + added }, ...others]
      }),
    ],
    tools: own,
    choice,
    ...(format.type === 'json_schema' && { schema: { schema: format.schema } }),
    thinks: fieldsOf(body.thinking).type === 'enabled',
    limit: typeof max_tokens === 'number' ? max_tokens : undefined,
    stop: Array.isArray(stop_sequences) ? stop_sequences.map(String) : [],
    body,
  }
}

/** The text of a content: of all its blocks that have one. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .flatMap(({ text, type, content: found }) =>
      type === 'search_result' ? textOf(found) : typeof text === 'string' ? text : [],
    )
    .join('\n')
}

/** A message; one with results of tools is one for each of them, and one for its text. */
function toMessages({ role, content }: Fields): TalkMessage[] {
  const blocks = listOf(content)
  if (role === 'assistant') {
    const called = blocks.filter(({ type }) => type === 'tool_use')
    const calls = called.map(({ name, input = {} }) => ({ name: String(name), arguments: JSON.stringify(input) }))
    return [{ role, text: textOf(content), calls }]
  }
  if (role === 'system') return [{ role, text: textOf(content) }]
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const text = textOf(content)
  const own = results.length === 0 || text !== '' ? [{ role: 'user' as const, text }] : []
  return [...results.map((result) => ({ role: 'tool' as const, text: textOf(result.content) })), ...own]
}

function toChoice({ type, name }: Fields): Talk['choice'] {
  if (type === 'tool') return { name: String(name) }
  if (type === 'any') return 'required'
  return type === 'none' ? 'none' : 'auto'
}
