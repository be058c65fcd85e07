import type { ModelReply } from '../../src/handlers.ts'
import type { HostedCalls } from '../shared/hosted-calls.ts'
import { toLogprobs } from '../shared/pieces.ts'

import { type Fields, fieldsOf, type Json, listOf } from '../shared/values.ts'
import { textOf } from './chat-talk.ts'
import type { Work } from './context.ts'
import { thoughtsOf } from './models.ts'
import type { Found } from './vector-stores.ts'

/** Prefixes of ids by the type of an item. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  function_call_output: 'fco_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctco_',
  file_search_call: 'fs_',
  mcp_approval_response: 'mcpr_',
  compaction: 'cmp_',
}

/** Items of an input, in their whole form: with ids, and contents as parts. */
export function toInputItems({ id }: Pick<Work, 'id'>, input: Json | undefined): Fields[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
  return items.map((item) => {
    const { type = 'message', role = 'user', content } = item as Fields
    const own = item.id ?? id(PREFIXES[String(type)] ?? 'item_')
    if (type !== 'message') return { ...item, id: own, type }
    const kind = role === 'assistant' ? 'output_text' : 'input_text'
    const parts = typeof content === 'string' ? [{ type: kind, text: content }] : (content ?? [])
    return { ...item, id: own, type, role, status: 'completed', content: parts }
  })
}

/** What a search of files found. */
export interface Searched {
  readonly queries: readonly string[]
  readonly found: readonly Found[]
}

/** What a model answers as items: reasoning, calls of tools, a message. */
export function toOutputItems(
  { id }: Pick<Work, 'id'>,
  request: Fields,
  reply: ModelReply,
  { searched, hosted }: { searched: Searched | undefined; hosted: HostedCalls },
): Fields[] {
  const { reasoning, refusal, text } = reply
  const include = Array.isArray(request.include) ? request.include : []
  const isSealed = include.includes('reasoning.encrypted_content')
  const { summary: wish, generate_summary = wish } = fieldsOf(request.reasoning)
  const summary = generate_summary == null || reasoning === undefined ? [] : [{ type: 'summary_text', text: reasoning }]
  const logprobs = include.includes('message.output_text.logprobs') ? toLogprobs(request, reply.pieces) : []
  const items: Fields[] = []
  if (reasoning !== undefined || thoughtsOf(String(request.model ?? 'gpt-5'), request) > 0)
    items.push({ id: id('rs_'), type: 'reasoning', summary, ...(isSealed && { encrypted_content: id('sealed_') }) })
  if (searched !== undefined) {
    const results = include.includes('file_search_call.results') ? searched.found.map((one) => ({ ...one })) : null
    items.push({
      id: id('fs_'),
      type: 'file_search_call',
      status: 'completed',
      queries: [...searched.queries],
      results,
    })
  }
  items.push(...hosted.items)
  const isAsking = hosted.items.some(({ type }) => type === 'mcp_approval_request')
  if (refusal !== undefined || (text !== '' && !isAsking) || reply.calls.length === 0)
    items.push({
      id: id('msg_'),
      type: 'message',
      status: reply.finish === 'length' ? 'incomplete' : 'completed',
      role: 'assistant',
      content: [
        refusal === undefined
          ? outputText(text, { searched, cited: hosted.cited, logprobs })
          : { type: 'refusal', refusal },
      ],
    })
  const custom = listOf(request.tools).filter(({ type }) => type === 'custom')
  for (const { name, arguments: given, id: call = id('call_') } of hosted.left) {
    const called = { status: 'completed', call_id: call, name }
    if (custom.some((tool) => tool.name === name))
      items.push({ id: id('ctc_'), type: 'custom_tool_call', ...called, input: given })
    else items.push({ id: id('fc_'), type: 'function_call', ...called, arguments: given })
  }
  return items
}

/** A text, which cites the files that were found for it. */
function outputText(
  text: string,
  { searched, cited, logprobs }: { searched: Searched | undefined; cited: readonly Fields[]; logprobs: Fields[] },
): Fields {
  const names = new Map(searched?.found.map(({ file_id, filename }) => [file_id, filename]))
  const files = [...names].map(([file_id, filename]) => ({
    type: 'file_citation',
    index: text.length,
    file_id,
    filename,
  }))
  const pages = cited.map(({ url = '', title = url }) => ({
    type: 'url_citation',
    start_index: 0,
    end_index: text.length,
    url,
    title,
  }))
  const annotations = [...files, ...pages]
  return { type: 'output_text', annotations, logprobs, text }
}

/** The text that an item shows to a model. */
export function textOfItem({ content, output, summary, approve }: Fields): string {
  if (approve !== undefined) return approve === true ? 'approved' : 'refused'
  if (output !== undefined) return typeof output === 'string' ? output : textOf(output)
  return textOf(content ?? summary)
}

/** Whether a model has written an item. */
export const isAnswer = ({ type, role }: Fields): boolean =>
  role === 'assistant' || /^(?:reasoning|mcp_list_tools|mcp_approval_request|.*_call)$/.test(String(type))

export const callOf = ({
  type,
  name,
  arguments: given,
  input,
}: Fields): { name: string; arguments: string } | undefined =>
  type === 'function_call' || type === 'custom_tool_call'
    ? { name: String(name), arguments: String(given ?? input ?? '') }
    : undefined
