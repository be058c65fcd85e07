import type { ModelReply, StreamEvent } from '../../src/handlers.ts'
import { streamOptions } from '../openai/errors.ts'
import { argumentsOf } from '../shared/hosted-calls.ts'
import { merged } from '../shared/merged.ts'
import { toPieces } from '../shared/pieces.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { citedBlocks } from './citations.ts'
import { type Context, type Fields, refuseCoded, type Work } from './context.ts'
import { checkFiles } from './files.ts'
import { toHostedCalls } from './hosted-tools.ts'
import { checkModel, lengthFault, snapshotOf } from './models.ts'
import { useCache } from './prompt-cache.ts'
import { faultOf, signatureOf } from './request-fault.ts'
import { toTalk } from './talk.ts'

/** Why an answer ended, in the words of messages. */
const STOP = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  filter: 'refusal',
  pause: 'pause_turn',
} as const

/** The type of an error by its status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

export const typeOf = ({ status, type }: NonNullable<ModelReply['error']>): string =>
  type ?? TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

export const messages = {
  'POST /v1/messages': (context: Context) => {
    const { body, records, reply, refuse, stream } = context
    if (context.headers['anthropic-version'] === undefined)
      refuse(400, { message: 'anthropic-version: header is required' })
    checkModel(context, body.model)
    let request = withThread(context)
    const { 'anthropic-beta': betas = '' } = context.headers
    const fault = faultOf(request, betas)
    if (fault !== undefined) refuse(400, { message: fault })
    checkFiles(context, request)
    const talk = toTalk(context, request)
    const tooLong = lengthFault(talk, body.max_tokens, betas, context.tokens(talk))
    if (tooLong !== undefined) refuse(400, { message: tooLong })
    let answer = body.max_tokens === 0 ? unanswered(context.tokens(talk)) : reply(talk)
    const hops: Fields[] = []
    for (const { model = '' } of listOf(body.fallbacks)) {
      if (answer.refusal === undefined) break
      const trigger = { type: 'refusal', category: null }
      hops.push({ type: 'fallback', from: { model: request.model ?? '' }, to: { model }, trigger })
      request = { ...request, model }
      answer = reply(toTalk(context, request))
    }
    const { error } = answer
    if (error !== undefined)
      refuse(error.status, { code: 'scripted', message: error.message, ...{ type: typeOf(error) } })
    const message = withIterations(context, toMessage(context, request, answer), hops)
    if (typeof fieldsOf(body.thread).type === 'string') {
      const { system = null, tools = null, messages: before } = request
      const all = [...listOf(before), { role: 'assistant', content: message.content ?? [] }]
      records.threads.create({ id: String(message.id), system, tools, messages: all, is_continued: false })
    }
    return body.stream === true ? stream(toEvents(message), streamOptions(answer, toErrorEvent)) : message
  },
  'POST /v1/messages/count_tokens': (context: Context) => {
    const { body, headers, refuse } = context
    checkModel(context, body.model)
    const { 'anthropic-beta': betas = '' } = headers
    // A count has no answer, and takes none of its options.
    const unknown = OF_ANSWERS.find((name) => name in body)
    const fault =
      unknown === undefined
        ? faultOf({ ...body, max_tokens: Number.MAX_SAFE_INTEGER }, betas)
        : `${unknown}: Extra inputs are not permitted`
    if (fault !== undefined) refuse(400, { message: fault })
    const input_tokens = context.tokens(toTalk(context, body))
    const managed = body.context_management != null && {
      context_management: { original_input_tokens: input_tokens },
    }
    return { input_tokens, ...managed }
  },
}

/** Options of an answer. */
const OF_ANSWERS = 'max_tokens stream stop_sequences temperature top_p top_k metadata service_tier'.split(' ')

/** What a model answers that may not write. */
const unanswered = (input: number): ModelReply => ({
  text: '',
  pieces: [],
  calls: [],
  reasoning: undefined,
  refusal: undefined,
  finish: 'length',
  stoppedAt: undefined,
  usage: { input, output: 0, cached: 0, reasoning: 0 },
  embedding: undefined,
  error: undefined,
  stream: {},
  set: undefined,
})

/** An answer after models that have declined, and of a beta, which has the tokens of each iteration. */
function withIterations({ headers }: Context, message: Fields, hops: readonly Fields[]): Fields {
  if (hops.length === 0 && headers['anthropic-beta'] === undefined) return message
  const { model = '', content, usage } = message
  const { service_tier: _, server_tool_use: _s, speed: _p, inference_geo: _g, ...tokens } = fieldsOf(usage)
  const iterations = [{ type: hops.length === 0 ? 'message' : 'fallback_message', model, ...tokens }]
  return { ...message, content: [...hops, ...listOf(content)], usage: { ...fieldsOf(usage), iterations } }
}

/** A request with what its thread keeps: a continued one sends only new messages. */
function withThread(context: Context): Fields {
  const { body, records } = context
  const { type, previous_message_id: previous } = fieldsOf(body.thread)
  if (type !== 'continue') return body
  const kept =
    records.threads.get(String(previous)) ??
    refuseCoded(context, 404, 'thread_not_found', `No thread was found for ${previous}.`)
  if (kept.is_continued === true)
    refuseCoded(context, 400, 'thread_already_continued', `${previous} has already been continued.`)
  records.threads.update(kept.id, { is_continued: true })
  const { system = null, tools = null, messages: before } = kept
  return { ...body, system, tools, messages: [...listOf(before), ...listOf(body.messages)] }
}

/** Models that think where they are asked to; newer ones are asked not to. */
const THOUGHTFUL = /^claude-(?:[23]|instant|haiku-4|(?:sonnet|opus)-4)/

const isThinking = ({ thinking, model }: Fields): boolean =>
  fieldsOf(thinking).type === undefined ? !THOUGHTFUL.test(String(model)) : fieldsOf(thinking).type !== 'disabled'

/** An answer as a message. */
export function toMessage(work: Work, request: Fields, reply: ModelReply, service_tier = 'standard'): Fields {
  const { id } = work
  const { text, reasoning, refusal, usage, stoppedAt = null } = reply
  const { blocks, citations, left: calls, container, usage: server_tool_use } = toHostedCalls(work, request, reply)
  const finish = reply.finish === 'tools' && calls.length === 0 ? 'stop' : reply.finish
  const content: Fields[] = []
  if (reasoning !== undefined && isThinking(request))
    content.push({
      type: 'thinking',
      thinking: fieldsOf(request.thinking).display === 'omitted' ? '' : reasoning,
      signature: signatureOf(reasoning),
    })
  content.push(...blocks)
  const shown = refusal ?? text
  if (shown !== '' || reply.calls.length === 0)
    content.push(
      ...(citations.length > 0 ? [{ type: 'text', text: shown, citations }] : citedBlocks(work, shown, request)),
    )
  for (const call of calls)
    content.push({
      type: 'tool_use',
      id: call.id ?? id('toolu_01'),
      name: call.name,
      input: argumentsOf(call.arguments),
      caller: { type: 'direct' },
    })
  const cached = usage.cached > 0 ? { read: usage.cached, written: 0, isLong: false } : useCache(work, request)
  const message = {
    id: id('msg_01'),
    type: 'message',
    role: 'assistant',
    model: snapshotOf(String(request.model)),
    // Nothing is asked for: the request only fills the cache.
    content: request.max_tokens === 0 ? [] : content,
    stop_reason: refusal === undefined ? (stoppedAt === null ? STOP[finish] : 'stop_sequence') : 'refusal',
    stop_sequence: stoppedAt,
    stop_details: refusal === undefined ? null : { type: 'refusal', category: null, explanation: refusal },
    container,
    diagnostics: null,
    ...(request.context_management != null && { context_management: { applied_edits: [] } }),
    usage: {
      input_tokens: Math.max(0, usage.input - cached.read - cached.written),
      cache_creation_input_tokens: cached.written,
      cache_read_input_tokens: cached.read,
      cache_creation: {
        ephemeral_5m_input_tokens: cached.isLong ? 0 : cached.written,
        ephemeral_1h_input_tokens: cached.isLong ? cached.written : 0,
      },
      output_tokens: usage.output,
      output_tokens_details: { thinking_tokens: usage.reasoning },
      service_tier,
      server_tool_use,
      speed: request.speed ?? 'standard',
      inference_geo: request.inference_geo ?? 'global',
    },
  }
  return merged(message, reply.set)
}

/** A message in events: its blocks, each begun, filled and stopped. */
function* toEvents(message: Fields): Generator<StreamEvent> {
  const event = (type: string, fields: object = {}, token = false): StreamEvent => ({
    event: type,
    token,
    data: { type, ...fields },
  })
  const { content, stop_reason, stop_sequence, stop_details } = message
  const usage = fieldsOf(message.usage)
  const { cache_creation: _, service_tier: _t, speed: _s, inference_geo: _g, ...used } = usage
  const begun = { ...message, container: null, content: [], stop_reason: null, stop_sequence: null, stop_details: null }
  yield event('message_start', { message: { ...begun, usage: { ...usage, output_tokens: 1 } } })
  yield event('ping')
  for (const [index, block] of listOf(content).entries()) {
    yield event('content_block_start', { index, content_block: { ...block, ...EMPTY[String(block.type)] } })
    for (const delta of deltasOf(block)) yield event('content_block_delta', { index, delta }, true)
    yield event('content_block_stop', { index })
  }
  yield event('message_delta', {
    delta: { stop_reason, stop_sequence, stop_details, container: message.container ?? null },
    usage: used,
  })
  yield event('message_stop')
}

/** What a block lacks as it begins. */
const EMPTY: Readonly<Record<string, object>> = {
  text: { text: '', citations: null },
  thinking: { thinking: '', signature: '' },
  tool_use: { input: {} },
  server_tool_use: { input: {} },
  mcp_tool_use: { input: {} },
}

function deltasOf({ type, text, citations, thinking, signature, input }: Fields): object[] {
  if (type === 'text')
    return [
      ...listOf(citations).map((citation) => ({ type: 'citations_delta', citation })),
      ...toPieces(String(text)).map((piece) => ({ type: 'text_delta', text: piece })),
    ]
  if (type === 'thinking')
    return [
      ...toPieces(String(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ]
  if (input === undefined) return []
  return ['', ...toPieces(JSON.stringify(input))].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
}

const toErrorEvent = (error: object | undefined): StreamEvent => ({
  event: 'error',
  data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded', ...error } },
})
