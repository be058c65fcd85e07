import type { ModelReply, StreamEvent } from '../../src/handlers.ts'
import { merged } from '../shared/merged.ts'
import { toLogprobs } from '../shared/pieces.ts'
import { toUnix } from '../shared/times.ts'
import type { Fields, Json } from '../shared/values.ts'
import { numberOf } from './chat-talk.ts'
import type { Context, Work } from './context.ts'
import { refuseScripted, streamOptions, toFailure, toStreamError } from './errors.ts'
import { CONTINUING, checkModel, isAzure } from './models.ts'

/** Tokens of an answer without a wish. */
const USUAL_TOKENS = 16

const FINISH = { stop: 'stop', length: 'length', tools: 'stop', filter: 'content_filter', pause: 'stop' } as const

export const completions = {
  'POST /completions': (context: Context) => {
    const { body, path, refuse, stream, id } = context
    const model = checkModel(context, body.model, 'sample from')
    if (!CONTINUING.test(model) && !model.startsWith('ft:') && !isAzure(context) && path.openrouter === undefined)
      refuse(404, {
        code: 'not_found',
        field: 'model',
        message:
          'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?',
      })
    const replies = askAll(context, body, model)
    for (const { error } of replies) refuseScripted(context, error)
    const completion = { id: id('cmpl-'), ...toCompletion(context, body, model, replies) }
    if (body.stream !== true) return completion
    const options = streamOptions(replies[0] as ModelReply, (error) => ({ data: { error: toStreamError(error) } }))
    return stream(toChunks(body, completion, replies), options)
  },
}

function textsOf(prompt: Json): string[] {
  const isTokens = Array.isArray(prompt) && prompt.every((one) => typeof one === 'number')
  return isTokens ? ['<tokens>'] : [prompt ?? ''].flat().map(String)
}

/** An answer to each prompt, `n` times. */
function askAll(work: Work, { prompt = '', n, max_tokens, stop }: Fields, model: string): ModelReply[] {
  const limit = numberOf(max_tokens) ?? USUAL_TOKENS
  const stops = [stop ?? []].flat().map(String)
  return textsOf(prompt).flatMap((text) =>
    Array.from({ length: Number(n ?? 1) }, () =>
      work.reply({ model, messages: [{ role: 'user', text }], limit, stop: stops }),
    ),
  )
}

function toCompletion({ now }: Work, body: Fields, model: string, replies: readonly ModelReply[]): Fields {
  const sum = (part: 'input' | 'output'): number => replies.reduce((all, { usage }) => all + usage[part], 0)
  const times = Math.max(1, Number(body.n ?? 1))
  const [input, output] = [sum('input') / times, sum('output')]
  const prompts = body.echo === true ? textsOf(body.prompt ?? '') : []
  const completion = {
    object: 'text_completion',
    created: toUnix(now),
    model,
    choices: replies.map((reply, index) => ({
      text: (prompts[Math.floor(index / times)] ?? '') + reply.text,
      index,
      logprobs: logprobsOf(body.logprobs, reply.pieces),
      finish_reason: FINISH[reply.finish],
    })),
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
  return merged(completion, replies[0]?.set)
}

function logprobsOf(most: Json | undefined, pieces: readonly string[]): Fields | null {
  if (typeof most !== 'number') return null
  const likely = toLogprobs({ top_logprobs: most }, pieces)
  return {
    tokens: [...pieces],
    token_logprobs: likely.map(({ logprob = 0 }) => logprob),
    top_logprobs: likely.map(({ top_logprobs }) =>
      Object.fromEntries((top_logprobs as Fields[]).map(({ token, logprob = 0 }) => [String(token), logprob])),
    ),
    text_offset: pieces.map((_, at) => pieces.slice(0, at).join('').length),
  }
}

function* toChunks(
  body: Fields,
  { choices: _, usage, ...base }: Fields,
  replies: readonly ModelReply[],
): Generator<StreamEvent> {
  for (const [index, reply] of replies.entries()) {
    const chunk = (text: string, finish_reason: Json = null): StreamEvent => ({
      token: text !== '',
      data: { ...base, choices: [{ text, index, logprobs: null, finish_reason }] },
    })
    for (const piece of reply.pieces) yield chunk(piece)
    yield chunk('', FINISH[reply.finish])
  }
  const { include_usage } = (body.stream_options ?? {}) as Fields
  if (include_usage === true) yield { data: { ...base, choices: [], usage: usage ?? null } }
  yield { data: '[DONE]' }
}

/** A completion outside of a request: a line of a batch. */
export function completeText(work: Work, body: Fields): Fields {
  const replies = askAll(work, body, String(body.model))
  const error = replies.find((reply) => reply.error !== undefined)?.error
  if (error !== undefined) return { failure: toFailure(error) }
  return { id: work.id('cmpl-'), ...toCompletion(work, body, String(body.model), replies) }
}
