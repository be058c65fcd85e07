import type { ModelReply, StreamEvent, Talk } from '../../src/handlers.ts'
import { streamOptions } from '../openai/errors.ts'
import { PNG } from '../openai/media.ts'
import { argumentsOf } from '../shared/hosted-calls.ts'
import { merged } from '../shared/merged.ts'
import { toPieces } from '../shared/pieces.ts'
import { type Fields, fieldsOf } from '../shared/values.ts'
import { countMedia, type MediaCount } from './attachments.ts'
import { cachedFor } from './caches.ts'
import { type Context, contentsOf, type Fault, invalid, read, refuseWith, toStatus, type Work } from './context.ts'
import { searchFault, searchFiles } from './file-search.ts'
import { fileFault } from './files.ts'
import { toGrounding } from './hosted-tools.ts'
import { checkModel, idOf, LONGEST_PROMPT } from './models.ts'
import { contentsFault, faultOf } from './request-fault.ts'
import { toTalk } from './talk.ts'

/** Why an answer ended. */
const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', tools: 'STOP', filter: 'SAFETY', pause: 'STOP' } as const

const HARMS = ['HATE_SPEECH', 'DANGEROUS_CONTENT', 'HARASSMENT', 'SEXUALLY_EXPLICIT'].map(
  (name) => `HARM_CATEGORY_${name}`,
)

/** What a model answers besides texts: a picture of one pixel, and a tenth of a second of silence. */
const MEDIA: Readonly<Record<string, { mimeType: string; data: string; tokens: number }>> = {
  IMAGE: { mimeType: 'image/png', data: PNG, tokens: 1_290 },
  AUDIO: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: Buffer.alloc(4_800).toString('base64'), tokens: 3 },
}

export const content = {
  'POST /models/{model}:generateContent': (context: Context) => answerOf(context, 'generateContent').response,
  'POST /models/{model}:streamGenerateContent': (context: Context) => {
    const { response, replies } = answerOf(context, 'streamGenerateContent')
    const chunks = [...toChunks(response)]
    const options = streamOptions(replies[0] as ModelReply, (error) => ({ data: { error: toStreamError(error) } }))
    if (context.query.alt === 'sse') return context.stream(chunks, { media: 'sse', ...options })
    const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
    const list = chunks.map(({ data, token }, at) => ({
      data: `${at === 0 ? '[' : ',\r\n'}${JSON.stringify(data, null, 2)}${at === chunks.length - 1 ? '\n]\n' : '\n'}`,
      token,
    }))
    return context.stream(list, { ...options, media: 'bytes', headers })
  },
  'POST /models/{model}:countTokens': (context: Context) => {
    const { body, tokens } = context
    const model = checkModel(context, 'countTokens')
    const request = fieldsOf(read(body, 'generateContentRequest') ?? body)
    const cached = cachedFor(context, request)
    const fault = contentsFault(contentsOf(request))
    if (fault !== undefined) refuseWith(context, invalid(fault.replace('GenerateContentRequest', 'CountTokensRequest')))
    const count = tokens(toTalk(context, model, request, cached.content))
    return {
      totalTokens: count,
      promptTokensDetails: ofMedia(count, countMedia(context, model, [cached.content, request])),
      ...(cached.tokens > 0 && { cachedContentTokenCount: cached.tokens, cacheTokensDetails: ofText(cached.tokens) }),
    }
  },
}

function answerOf(context: Context, method: string): Answer {
  const answer = tryContent(context, checkModel(context, method), context.body)
  return 'fault' in answer ? refuseWith(context, answer.fault) : answer
}

interface Answer {
  readonly response: Fields
  readonly replies: readonly ModelReply[]
}

const tooLong = (count: number): string =>
  `The input token count (${count}) exceeds the maximum number of tokens allowed (${LONGEST_PROMPT}).`

/** What a model answers, in a request or for one of a batch. */
export function tryContent(work: Work, model: string, body: Fields): Answer | { fault: Fault } {
  const fault = faultOf(model, body) ?? fileFault(work, body) ?? searchFault(work, body)
  if (fault !== undefined) return { fault }
  const cached = cachedFor(work, body, model)
  if (cached.fault !== undefined) return { fault: cached.fault }
  const config = read(body, 'generationConfig')
  const talk = toTalk(work, model, body, cached.content)
  const count = work.tokens(talk)
  if (count > LONGEST_PROMPT) return { fault: invalid(tooLong(count)) }
  const replies = Array.from({ length: Number(read(config, 'candidateCount') ?? 1) }, () => replyTo(work, talk, config))
  const error = replies.find((reply) => reply.error !== undefined)?.error
  if (error !== undefined) return { fault: { ...error, rpc: error.type ?? error.code } }
  const media = countMedia(work, model, [cached.content, body])
  return { response: toResponse(work, { model, body, media }, replies, cached.tokens), replies }
}

/** An answer to a talk: without thoughts where they have no budget, without quotation marks for a value of an enum. */
function replyTo(work: Work, talk: Talk, config: unknown): ModelReply {
  const given = work.reply(talk)
  const { output, reasoning } = given.usage
  const unthought = {
    ...given,
    reasoning: undefined,
    usage: { ...given.usage, output: output - reasoning, reasoning: 0 },
  }
  const reply = read(read(config, 'thinkingConfig'), 'thinkingBudget') === 0 ? unthought : given
  if (read(config, 'responseMimeType') !== 'text/x.enum' || !/^".*"$/.test(reply.text)) return reply
  const text = String(JSON.parse(reply.text))
  return { ...reply, text, pieces: toPieces(text) }
}

function toResponse(
  work: Work,
  { model, body, media }: { model: string; body: Fields; media: MediaCount },
  replies: readonly ModelReply[],
  cachedTokens: number,
): Fields {
  const { media: pictures } = kindsOf(modalitiesOf(model, body), '')
  const made = Object.fromEntries(pictures.map(({ kind, tokens }) => [kind.toUpperCase(), tokens]))
  const response = {
    candidates: replies.map((reply, index) => toCandidate(work, { model, body }, reply, index)),
    usageMetadata: usageOf(replies, cachedTokens, media, made),
    modelVersion: idOf(model),
    responseId: work.id(),
  }
  return merged(response, replies[0]?.set)
}

function toCandidate(
  work: Work,
  { model, body }: { model: string; body: Fields },
  reply: ModelReply,
  index: number,
): Fields {
  const { reasoning, refusal, text, finish } = reply
  const { id } = work
  const grounding = toGrounding(work, body, reply, searchFiles(work, body))
  const { left: calls } = grounding
  const config = read(body, 'generationConfig')
  const isBlocked = refusal !== undefined || finish === 'filter'
  const ratings = HARMS.map((category, at) => ({
    category,
    probability: isBlocked && at === 1 ? 'HIGH' : 'NEGLIGIBLE',
    ...(isBlocked && at === 1 && { blocked: true }),
  }))
  const { media, isText } = kindsOf(modalitiesOf(model, body), text)
  const parts: Fields[] = []
  if (reasoning !== undefined && read(read(config, 'thinkingConfig'), 'includeThoughts') === true)
    parts.push({ text: reasoning, thought: true })
  parts.push(...grounding.parts)
  if (isText && (text !== '' || calls.length === 0))
    parts.push({ text, ...(reasoning !== undefined && calls.length === 0 && { thoughtSignature: signature(id) }) })
  parts.push(...media.map(({ mimeType, data }) => ({ inlineData: { mimeType, data } })))
  for (const [at, call] of calls.entries())
    parts.push({
      functionCall: { id: call.id ?? id('call_'), name: call.name, args: argumentsOf(call.arguments) },
      ...(at === 0 && { thoughtSignature: signature(id) }),
    })
  return {
    ...(refusal === undefined ? { content: { parts, role: 'model' } } : { finishMessage: refusal }),
    finishReason: refusal === undefined ? FINISH[finish] : 'SAFETY',
    index,
    ...grounding.fields,
    ...(read(config, 'responseLogprobs') === true && logprobsOf(reply, Number(read(config, 'logprobs') ?? 0))),
    ...((isBlocked || read(body, 'safetySettings') !== undefined) && { safetyRatings: ratings }),
  }
}

/** What an answer is to have; without a wish, models that make pictures make one. */
const modalitiesOf = (model: string, body: Fields): unknown[] =>
  [
    read(read(body, 'generationConfig'), 'responseModalities') ?? (/-image\b/.test(model) ? ['TEXT', 'IMAGE'] : []),
  ].flat()

/** The pictures and sounds of an answer, and whether it has a text. */
export function kindsOf(modalities: readonly unknown[], text: string) {
  const names = modalities.map((one) => String(one).toUpperCase())
  const media = names.flatMap((name) => (MEDIA[name] ? { kind: name.toLowerCase(), ...MEDIA[name] } : []))
  return { media, isText: media.length === 0 || (names.includes('TEXT') && text !== '') }
}

/** How likely each piece is, and as many others as asked for. */
function logprobsOf({ pieces }: ModelReply, most: number): Fields {
  const likely = (token: string, logProbability: number, tokenId: number): Fields => ({
    token,
    logProbability,
    tokenId,
  })
  return {
    avgLogprobs: -0.01,
    logprobsResult: {
      chosenCandidates: pieces.map((piece, at) => likely(piece, -0.01, at)),
      topCandidates: pieces.map((piece, at) => ({
        candidates: Array.from({ length: most }, (_, rank) =>
          likely(rank === 0 ? piece : `${piece}${rank}`, -0.01 - rank * 5, at),
        ),
      })),
    },
  }
}

/** What a client sends back with a thought or a call. */
export const signature = (id: Work['id']): string => Buffer.from(id()).toString('base64')

/** Tokens by what they are of: those of pictures and files apart from the texts. */
function ofMedia(count: number, media: MediaCount): Fields[] {
  const others = Object.entries(media).filter(([modality]) => modality !== 'TEXT')
  const apart = others.map(([modality, tokenCount]) => ({ modality, tokenCount }))
  return [...ofText(apart.reduce((rest, { tokenCount }) => Math.max(0, rest - tokenCount), count)), ...apart]
}

const ofText = (tokenCount: number): Fields[] => [{ modality: 'TEXT', tokenCount }]

/** @param media of the prompt @param made of the answer */
function usageOf(
  replies: readonly ModelReply[],
  cachedTokens: number,
  media: MediaCount,
  made: Readonly<Record<string, number>>,
): Fields {
  const sum = (count: (usage: ModelReply['usage']) => number): number =>
    replies.reduce((all, { usage }) => all + count(usage), 0)
  const { input = 0, cached = 0 } = replies[0]?.usage ?? {}
  const thoughts = sum(({ reasoning }) => reasoning)
  const ofMade = Object.values(made).reduce((all, count) => all + count, 0)
  const output = sum((usage) => usage.output) - thoughts + ofMade
  const fromCache = cached || cachedTokens
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output + thoughts,
    promptTokensDetails: ofMedia(input, media),
    candidatesTokensDetails: ofMedia(output, made),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    ...(fromCache > 0 && { cachedContentTokenCount: fromCache, cacheTokensDetails: ofText(fromCache) }),
  }
}

/** An answer in chunks: pieces of texts, calls as a whole, and an end with the reason and the usage. */
function* toChunks({ candidates, usageMetadata, ...base }: Fields): Generator<StreamEvent> {
  const { candidatesTokenCount: _c, candidatesTokensDetails: _d, ...usage } = fieldsOf(usageMetadata)
  const list = [candidates ?? []].flat().map(fieldsOf)
  for (const { index = 0, content: whole, ...ending } of list) {
    const { parts } = fieldsOf(whole)
    const chunk = (part: object): object => ({
      candidates: [{ content: { parts: [part], role: 'model' }, index }],
      usageMetadata: { ...usage, totalTokenCount: usage.promptTokenCount },
      ...base,
    })
    for (const { text, thoughtSignature, ...part } of [parts ?? []].flat().map(fieldsOf)) {
      for (const piece of typeof text === 'string' ? toPieces(text) : [])
        yield { token: true, data: chunk({ text: piece, ...part }) }
      const signed = thoughtSignature === undefined ? {} : { thoughtSignature }
      if (text === undefined) yield { token: true, data: chunk({ ...part, ...signed }) }
      else if (thoughtSignature !== undefined) yield { data: chunk({ text: '', ...signed }) }
    }
    const end = whole === undefined ? {} : { content: { parts: [{ text: '' }], role: 'model' } }
    yield { data: { candidates: [{ ...end, ...ending, index }], usageMetadata, ...base } }
  }
  if (list.length === 0) yield { data: { usageMetadata, ...base } }
}

/** The error that breaks a stream. */
export const toStreamError = (error: object | undefined): Fields =>
  merged(toStatus({ status: 503, message: 'The model is overloaded. Please try again later.' }), error)
