import type { ModelReply, StreamEvent } from '../../src/handlers.ts'
import { pagesOf, splitCalls } from '../shared/hosted-calls.ts'
import { merged } from '../shared/merged.ts'
import { toLogprobs } from '../shared/pieces.ts'
import { toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, listOf } from '../shared/values.ts'
import { countSounds } from './attachments.ts'
import { asFiltered } from './azure.ts'
import { textOf, toTalk } from './chat-talk.ts'
import { type Context, find, type Work } from './context.ts'
import { refuseScripted, streamOptions, toFailure, toStreamError } from './errors.ts'
import { missingField } from './faults.ts'
import { hasMetadata, oldestFirst, plainOperations, toPage } from './lists.ts'
import { soundOf } from './media.ts'
import { CONTINUING, checkLength, checkModel, isAzure, snapshotOf, tierOf } from './models.ts'
import { asRouted } from './openrouter.ts'
import { withCached } from './prompt-cache.ts'
import { faultOfChat, faultOfParameters, isSound } from './request-fault.ts'

/** Why an answer ended, in the words of chat completions. */
const FINISH = { stop: 'stop', length: 'length', tools: 'tool_calls', filter: 'content_filter', pause: 'stop' } as const
/** An answer with the pages that it cites. */
type Answer = ModelReply & { readonly pages: ReturnType<typeof pagesOf> }
const FINGERPRINT = 'fp_backlot'
/** Seconds that later turns may refer to a sound. */
const SOUND_S = 3_600

const shown = ({ messages: _, ...completion }: Fields): Fields => completion

export const chat = {
  ...plainOperations('chat_completions', {
    path: '/chat/completions',
    name: 'completion_id',
    show: shown,
    deleted: 'chat.completion.deleted',
  }),
  'POST /chat/completions': (context: Context) => {
    const { body } = context
    const model = checkModel(context, body.model ?? [body.models ?? []].flat()[0], 'sample from')
    if (CONTINUING.test(model) && !isAzure(context) && context.path.openrouter === undefined)
      context.refuse(404, {
        code: 'not_found',
        field: 'model',
        message:
          'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      })
    const fault = faultOfParameters(context, 'chat') ?? faultOfChat(context, body)
    if (fault !== undefined) context.refuse(400, { ...fault })
    const talk = toTalk(context, model, body)
    checkLength(context, talk, 'messages')
    const replies = repliesTo(body, () => withCached(context, talk, context.reply(talk)))
    return answerChat(context, body, model, replies)
  },
  'GET /chat/completions': (context: Context) => {
    const { model } = context.query
    const stored = oldestFirst(context.records.chat_completions).filter(
      (one) => (model === undefined || one.model === snapshotOf(String(model))) && hasMetadata(context, one),
    )
    return toPage({ ...context, query: { order: 'asc', ...context.query } }, stored.map(shown))
  },
  'POST /chat/completions/{completion_id}': (context: Context) => {
    const { id } = find(context, 'chat_completions', 'completion_id')
    return shown(context.records.chat_completions.update(String(id), { metadata: context.body.metadata }))
  },
  'GET /chat/completions/{completion_id}/messages': (context: Context) => {
    const { id, messages } = find(context, 'chat_completions', 'completion_id')
    const listed = (messages as Fields[]).map((message, at) => ({
      id: `${id}-${at}`,
      content_parts: Array.isArray(message.content) ? message.content : null,
      ...message,
      content: textOf(message.content),
    }))
    return toPage({ ...context, query: { order: 'asc', ...context.query } }, listed)
  },
}

/** The answers to a chat. A search of the web is the model's own: they cite what a script finds by it. */
export function repliesTo({ n = 1, model, web_search_options }: Fields, ask: () => ModelReply): Answer[] {
  const searches = web_search_options !== undefined || /-search-/.test(String(model))
  return Array.from({ length: Number(n) }, () => {
    const reply = ask()
    const { hosted, left } = splitCalls(reply, searches ? ['web_search'] : [], true)
    const finish = left.length === 0 && reply.finish === 'tools' ? 'stop' : reply.finish
    return { ...reply, finish, calls: left, pages: hosted.flatMap(pagesOf) }
  })
}

/** The answer to a chat: a completion, kept where asked for, or its chunks. */
export function answerChat(context: Context, body: Fields, model: string, replies: readonly Answer[]): unknown {
  for (const { error } of replies) refuseScripted(context, error)
  const made = toCompletion(context, body, model, replies)
  const stored = body.store === true && context.records.chat_completions.create({ ...made, ...storedPart(body) })
  const answered = asRouted(context, { id: stored ? (stored.id ?? null) : context.id('chatcmpl-'), ...made })
  const completion = asFiltered(context, answered)
  if (body.stream !== true) return completion
  const [first] = replies as [Answer]
  const options = streamOptions(first, (error) => ({ data: { error: toStreamError(error) } }))
  return context.stream(toChunks(context, body, completion, replies), options)
}

/** What a stored completion keeps of its request. */
const storedPart = ({ metadata = null, messages = [], temperature = 1, top_p = 1, ...body }: Fields): Fields => {
  const { frequency_penalty = 0, presence_penalty = 0 } = body
  return { metadata, messages, temperature, top_p, frequency_penalty, presence_penalty }
}

function toCompletion(work: Work, body: Fields, model: string, replies: readonly Answer[]): Fields {
  const completion = {
    object: 'chat.completion',
    created: toUnix(work.now),
    model: snapshotOf(model),
    choices: replies.map((reply, index) => ({
      index,
      message: toMessage(work, body, reply),
      logprobs: body.logprobs === true ? { content: toLogprobs(body, reply.pieces), refusal: null } : null,
      finish_reason: finishOf(body, reply),
    })),
    usage: usageOf(replies, body),
    service_tier: tierOf(body),
    system_fingerprint: FINGERPRINT,
  }
  return merged(completion, replies[0]?.set)
}

/** Why an answer ended: a call of the one tool that must be called is its natural end. */
function finishOf({ functions, tool_choice }: Fields, { finish }: ModelReply): string {
  if (finish !== 'tools') return FINISH[finish]
  return functions === undefined ? (fieldsOf(tool_choice).type === 'function' ? 'stop' : 'tool_calls') : 'function_call'
}

function toMessage(
  { id, now }: Work,
  { functions, tools, modalities, audio }: Fields,
  { text, calls, refusal, reasoning, pages }: Answer,
): Fields {
  const custom = listOf(tools).map((tool) => fieldsOf(tool.custom).name)
  const [first] = calls
  const hasText = refusal === undefined && (text !== '' || calls.length === 0)
  const isSpoken = hasText && isSound({ modalities: modalities ?? null })
  return {
    role: 'assistant',
    content: hasText && !isSpoken ? text : null,
    refusal: refusal ?? null,
    ...(isSpoken && {
      audio: {
        id: id('audio_'),
        expires_at: toUnix(now) + SOUND_S,
        data: soundOf(fieldsOf(audio).format) ?? '',
        transcript: text,
      },
    }),
    annotations: pages.map((page) => ({
      type: 'url_citation',
      url_citation: { start_index: 0, end_index: text.length, ...page },
    })),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(first && functions && { function_call: { name: first.name, arguments: first.arguments } }),
    ...(first &&
      !functions && {
        tool_calls: calls.map(({ id: own = id('call_'), name, arguments: given }) =>
          custom.includes(name)
            ? { id: own, type: 'custom', custom: { name, input: given } }
            : { id: own, type: 'function', function: { name, arguments: given } },
        ),
      }),
  }
}

function usageOf(replies: readonly ModelReply[], body: Fields): Fields {
  const sum = (count: (reply: ModelReply) => number): number => replies.reduce((all, reply) => all + count(reply), 0)
  const prompt = replies[0]?.usage.input ?? 0
  const completion = sum(({ usage }) => usage.output)
  const audio_tokens = listOf(body.messages).reduce((all, { content }) => all + countSounds(content), 0)
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: replies[0]?.usage.cached ?? 0, audio_tokens },
    completion_tokens_details: {
      reasoning_tokens: sum(({ usage }) => usage.reasoning),
      audio_tokens: isSound(body) ? completion : 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

/** A completion in chunks: the role, pieces of texts and of calls, the reason of the end, the usage if asked for. */
function* toChunks(
  { path }: Context,
  body: Fields,
  { usage, choices, object: _, prompt_filter_results, ...base }: Fields,
  replies: readonly Answer[],
): Generator<StreamEvent> {
  const includesUsage = fieldsOf(body.stream_options).include_usage === true || path.openrouter !== undefined
  const chunk = (list: readonly object[], counted: unknown = null): object => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: list,
    ...(includesUsage && { usage: counted }),
  })
  if (prompt_filter_results !== undefined)
    yield { data: { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results } }
  for (const [index, reply] of replies.entries()) {
    const {
      message,
      finish_reason,
      logprobs: _,
      ...filtered
    } = (choices as Fields[])[index] as Fields & { message: Fields }
    const send = (delta: object, more: object = {}): object =>
      chunk([{ ...filtered, index, delta, logprobs: null, finish_reason: null, ...more }])
    const isWithout = reply.calls.length > 0 || reply.refusal !== undefined
    yield { data: send({ role: 'assistant', content: isWithout ? null : '', refusal: null }) }
    for (const reasoning_content of reply.reasoning === undefined ? [] : [reply.reasoning])
      yield { token: true, data: send({ reasoning_content }) }
    if (reply.refusal !== undefined) yield { token: true, data: send({ refusal: reply.refusal }) }
    const { audio } = message
    if (audio !== undefined) {
      const { id, data, expires_at } = fieldsOf(audio)
      for (const transcript of reply.pieces) yield { token: true, data: send({ audio: { id, transcript } }) }
      yield { data: send({ audio: { id, data } }) }
      yield { data: send({ audio: { id, expires_at } }) }
    }
    for (const content of reply.refusal === undefined && audio === undefined ? reply.pieces : [])
      yield {
        token: true,
        data: send(
          { content },
          body.logprobs === true ? { logprobs: { content: toLogprobs(body, [content]), refusal: null } } : {},
        ),
      }
    if (reply.pages.length > 0) yield { data: send({ annotations: message.annotations }) }
    for (const [at, call] of ((message.tool_calls ?? []) as Fields[]).entries()) {
      const [kind, field] = call.type === 'custom' ? ['custom', 'input'] : ['function', 'arguments']
      const { name } = fieldsOf(call[kind])
      yield { token: true, data: send({ tool_calls: [{ index: at, ...call, [kind]: { name, [field]: '' } }] }) }
      for (const piece of reply.calls[at]?.pieces ?? [])
        yield { token: true, data: send({ tool_calls: [{ index: at, [kind]: { [field]: piece } }] }) }
    }
    if (message.function_call !== undefined) {
      yield { token: true, data: send({ function_call: { ...fieldsOf(message.function_call), arguments: '' } }) }
      for (const piece of reply.calls[0]?.pieces ?? [])
        yield { token: true, data: send({ function_call: { arguments: piece } }) }
    }
    yield { data: send({}, { finish_reason }) }
  }
  if (includesUsage) yield { data: chunk([], usage) }
  yield { data: '[DONE]' }
}

/** A completion outside of a request: a line of a batch. */
export function completeChat(work: Work, body: Fields): Fields {
  const fault = Array.isArray(body.messages) ? faultOfChat(work, body) : missingField('messages')
  if (fault !== undefined)
    return { failure: toFailure({ status: 400, code: undefined, type: undefined, ...fault }, fault.field) }
  const talk = toTalk(work, String(body.model), body)
  const replies = repliesTo(body, () => work.reply(talk))
  const error = replies.find((reply) => reply.error !== undefined)?.error
  if (error !== undefined) return { failure: toFailure(error) }
  return { id: work.id('chatcmpl-'), ...toCompletion(work, body, talk.model, replies) }
}
