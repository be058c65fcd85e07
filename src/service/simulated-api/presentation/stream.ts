import { grouped } from '../../../protocol/grouped.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import { hasLinesOfJson } from '../../../protocol/media-type.ts'
import { parseRequest } from '../../../protocol/parse-request.ts'
import {
  type StreamEvent,
  type StreamFaults,
  type StreamMedia,
  type StreamOptions,
  type StreamPace,
  streamOptions,
} from '../../../protocol/stream.ts'
import { once } from '../../../runtime/once.ts'
import { Random } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ResponseModel } from '../../openapi/model.ts'
import { type ApiResponse, type StreamPlan, toText } from '../exchange.ts'

const optionsSchema = once(streamOptions)

const MEDIA_TYPES: Readonly<Record<StreamMedia, string>> = {
  sse: 'text/event-stream',
  jsonl: 'application/jsonl',
  'json-seq': 'application/json-seq',
  bytes: 'application/octet-stream',
}

/** How a media type carries events; undefined for one that carries no stream. */
function streamMediaOf(mediaType: string): StreamMedia | undefined {
  if (mediaType === MEDIA_TYPES.sse) return 'sse'
  if (/\bjson-seq$/.test(mediaType)) return 'json-seq'
  return hasLinesOfJson(mediaType) ? 'jsonl' : undefined
}

/** A streamed answer. Throws where an option is invalid, and beyond 100,000 events or 16 MB. */
export function answerStream(
  events: Iterable<StreamEvent>,
  given: StreamOptions,
  {
    success,
    seed,
    errorEvent,
  }: { readonly success: ResponseModel; readonly seed: string } & Pick<StreamManner, 'errorEvent'>,
): ApiResponse {
  const {
    status,
    headers,
    pace,
    media: asked,
    ...faults
  } = parseRequest(optionsSchema(), given, 'the options of `stream`')
  const declared = [...success.content.keys()].find((type) => streamMediaOf(type) !== undefined) ?? ''
  const media = asked ?? streamMediaOf(declared) ?? 'sse'
  const mediaType = streamMediaOf(declared) === media ? declared : MEDIA_TYPES[media]
  const written = new EventWriter()
  for (const event of events) {
    written.add(writeEvent(event, media), event.token === true)
    if (written.tokens.length > LIMITS.streamEvents || written.bytes > LIMITS.streamBytes) throw tooLong()
  }
  const whole = written.finish()
  if (whole.body.length > LIMITS.streamBytes) throw tooLong()
  const assembled = assemble(whole, { media, pace, seed, errorEvent }, faults)
  return { status: status ?? success.status, headers: headersOf(mediaType, headers), ...assembled }
}

const tooLong = (): Error =>
  new Error(
    `Failed to stream: there are more than ${grouped(LIMITS.streamEvents)} events or ${grouped(LIMITS.streamBytes)} bytes. Stream fewer.`,
  )

const headersOf = (mediaType: string, headers: ApiResponse['headers'] = {}): ApiResponse['headers'] => ({
  'Content-Type': mediaType,
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
  ...headers,
})

/** How values of a media type are sent one by one; undefined for a type of one value. */
export function sequenceOf(mediaType: string): StreamMedia | 'parts' | undefined {
  return mediaType === 'multipart/mixed' ? 'parts' : streamMediaOf(mediaType)
}

/** Boundary of the parts of `multipart/mixed`. */
const BOUNDARY = 'backlot-part'

/** An answer that streams values as the description has them: an event may be an object of an event's own fields. */
export function answerValues(
  values: readonly Json[],
  {
    mediaType,
    status,
    headers,
    errorEvent,
  }: { mediaType: string; status: number; headers: ApiResponse['headers'] } & Pick<StreamManner, 'errorEvent'>,
): ApiResponse {
  const media = streamMediaOf(mediaType)
  const write = (value: Json): string => {
    if (media === 'sse') return isEvent(value) ? eventText(value) : eventText({ data: value })
    if (media !== undefined) return String(writeEvent({ data: JSON.stringify(value) }, media))
    return `--${BOUNDARY}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`
  }
  const written = wholeText(values, media)?.split(media === 'sse' ? /(?<=\n\r?\n)/ : /(?<=\n)/)
  const texts = written ?? [...values.map(write), ...(media === undefined ? [`--${BOUNDARY}--\r\n`] : [])]
  const boundary = written?.[0]?.slice(2).trim() ?? BOUNDARY
  const type = media === undefined ? `${mediaType}; boundary=${boundary}` : mediaType
  const events = new EventWriter()
  for (const text of texts) events.add(text, false)
  const manner = { media: media ?? ('bytes' as const), errorEvent }
  return { status, headers: headersOf(type, headers), ...assemble(events.finish(), manner, {}) }
}

/** The text of a whole stream, such as an example; undefined for values. */
function wholeText(values: readonly Json[], media: StreamMedia | undefined): string | undefined {
  const [text] = values
  if (values.length > 1 || typeof text !== 'string') return undefined
  const isWhole = media === 'sse' ? EVENT_LINE.test(text) : media !== undefined || text.startsWith('--')
  return isWhole ? text : undefined
}

const EVENT_LINE = /^(data|event|id|retry)?:/

const EVENT_FIELDS = new Set(['event', 'id', 'retry', 'data'])

const isEvent = (item: Json): item is JsonObject =>
  isJsonObject(item) && Object.hasOwn(item, 'data') && Object.keys(item).every((name) => EVENT_FIELDS.has(name))

function eventText({ data = null, ...others }: JsonObject): string {
  const lines = Object.entries(others).filter(([, value]) => typeof value !== 'object')
  const text = typeof data === 'string' && !/[\r\n]/.test(data) ? data : JSON.stringify(data)
  return `${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}data: ${text}\n\n`
}

/** Most kinds of events of one generated stream. */
const MOST_KINDS = 50
/** Kinds of events that say what went wrong, and those that end a stream. */
const TROUBLE = /(error|failed|cancell?ed)$/i
const LAST = /(done|completed?|stop|finish(ed)?|end)\]?$/i

/**
 * The schemas of the events of a stream whose schema has alternatives that are named by a discriminator or a constant:
 * one of each, errors left out, ends last. Undefined for any other.
 */
export function eventKindsOf({
  variants = [],
  discriminator,
}: Schema): { schema: Schema; tag: JsonObject }[] | undefined {
  const kinds = variants.flatMap((schema) => {
    const mapped = [...(discriminator?.mapping ?? [])].find(([, one]) => one === schema)?.[0]
    const names = ['type', 'event', ...(discriminator ? [discriminator.property] : [])]
    const constant = [schema, ...names.flatMap((name) => schema.properties.get(name) ?? [])].find(
      ({ enum: values }) => values?.length === 1,
    )
    const name = mapped ?? constant?.enum?.[0]
    if (typeof name !== 'string') return []
    return [{ schema, name, tag: discriminator && mapped !== undefined ? { [discriminator.property]: mapped } : {} }]
  })
  if (kinds.length === 0 || kinds.length < variants.length) return undefined
  const fine = kinds.filter(({ name }) => !TROUBLE.test(name))
  const kept = (fine.length > 0 ? fine : kinds).slice(0, MOST_KINDS)
  return [...kept.filter(({ name }) => !LAST.test(name)), ...kept.filter(({ name }) => LAST.test(name))]
}

/** The bytes of events, where each ends, and which are tokens. */
interface EventBytes extends Pick<StreamPlan, 'ends' | 'tokens'> {
  readonly body: Uint8Array
}

/** Characters that become bytes together: event by event they cost twice the time. */
const JOINED = 64 * 1024

/** Collects events as bytes. */
class EventWriter {
  readonly tokens: number[] = []
  readonly #ends: number[] = []
  readonly #parts: Uint8Array[] = []
  #texts: string[] = []
  #length = 0
  /** Bytes so far, without the latest texts. */
  bytes = 0

  add(content: string | Uint8Array, isToken: boolean): void {
    this.tokens.push(isToken ? 1 : 0)
    if (typeof content === 'string') {
      this.#texts.push(content)
      this.#length += content.length
      if (this.#length > JOINED) this.#flush()
      return
    }
    this.#flush()
    this.#parts.push(content)
    this.bytes += content.length
    this.#ends.push(this.bytes)
  }

  finish(): EventBytes {
    this.#flush()
    return { body: Buffer.concat(this.#parts), ends: new Uint32Array(this.#ends), tokens: new Uint8Array(this.tokens) }
  }

  #flush(): void {
    const text = this.#texts.join('')
    const part = Buffer.from(text)
    // As many bytes as characters: each is of ASCII.
    const isPlain = part.length === text.length
    for (const one of this.#texts) {
      this.bytes += isPlain ? one.length : Buffer.byteLength(one)
      this.#ends.push(this.bytes)
    }
    this.#parts.push(part)
    this.#texts = []
    this.#length = 0
  }
}

function writeEvent({ event, id, data }: StreamEvent, media: StreamMedia): string | Uint8Array {
  if (media === 'bytes' && data instanceof Uint8Array) return data
  const text = typeof data === 'string' ? data : data === undefined && media === 'sse' ? undefined : toJson(data)
  if (media === 'bytes') return text ?? ''
  if (media !== 'sse') return `${media === 'json-seq' ? '\u001e' : ''}${text}\n`
  const front = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`
  if (text === undefined) return `${front}\n`
  const lines = typeof data === 'string' ? text.replace(/\r\n|\r|\n/g, '\ndata: ') : text
  return `${front}data: ${lines}\n\n`
}

const toJson = (data: unknown): string => JSON.stringify(data) ?? 'null'

/** How events are written and when they leave. `errorEvent`: the provider's, for `errorAfter`. */
interface StreamManner {
  readonly media: StreamMedia
  readonly pace?: StreamPace | undefined
  /** From which the jitter of the pace follows. */
  readonly seed?: string
  readonly errorEvent?: StreamEvent | undefined
}

/** The body of events, with how it leaves. */
function assemble(
  given: EventBytes,
  manner: StreamManner,
  faults: StreamFaults,
): Pick<ApiResponse, 'body' | 'delivery'> {
  const { media, pace, seed = '', errorEvent = DEFAULT_ERROR } = manner
  const total = given.ends.length
  const hasTokens = given.tokens.includes(1)
  const isCounted = (at: number) => !hasTokens || given.tokens[at] === 1
  const counted: number[] = []
  const isPlain = pace === undefined && Object.keys(faults).length === 0
  for (let at = 0; at < total && !isPlain; at++) if (isCounted(at)) counted.push(at)
  /** The place after so many tokens; undefined where there are fewer. */
  const after = (tokens = Number.NaN): number | undefined => {
    const last = tokens === 0 ? (counted[0] ?? 0) - 1 : counted[tokens - 1]
    return last === undefined ? undefined : last + 1
  }
  const places = [
    { ended: 'cut' as const, at: after(faults.cutAfter) },
    { ended: 'error event' as const, at: after(faults.errorAfter) },
    { ended: 'ended' as const, at: after(faults.endAfter) },
    { ended: 'ended' as const, at: total },
  ]
  const { ended, at: length = total } = places.reduce((one, other) =>
    (other.at ?? Infinity) < (one.at ?? Infinity) ? other : one,
  )
  const misspelt = faults.malformed === undefined ? undefined : counted[faults.malformed - 1]
  const broke = misspelt === undefined || misspelt >= length ? given : withoutLastCharacter(given, misspelt)
  const kept = {
    body: broke.body.subarray(0, broke.ends[length - 1] ?? 0),
    ends: broke.ends.subarray(0, length),
    tokens: broke.tokens.subarray(0, length),
  }
  const { body, ends, tokens } =
    ended === 'error event' ? withEvent(kept, writeEvent(faults.error ?? errorEvent, media)) : kept
  const stops: StreamPlan['stops'][number][] = []
  const stall = after(faults.stallAfter)
  const waits = pace && waitsOf(pace, seed)
  if (stall !== undefined || waits) {
    for (let at = 0; at <= ends.length; at++) {
      const start = ends[at - 1] ?? 0
      if (at === stall) stops.push({ at: start, ms: faults.stallMs ?? Number.POSITIVE_INFINITY, isStall: true })
      const ms = waits && at < length && isCounted(at) ? waits() : 0
      if (ms > 0) stops.push({ at: start, ms, isStall: false })
    }
  }
  const unmet = (['cutAfter', 'endAfter', 'errorAfter', 'stallAfter', 'malformed'] as const).flatMap((name) =>
    (faults[name] ?? 0) > counted.length ? [`\`${name}: ${faults[name]}\``] : [],
  )
  const warning =
    unmet.length === 0
      ? undefined
      : `The stream has ${grouped(counted.length)} ${hasTokens ? 'tokens' : 'events'}, so that ${unmet.join(' and ')} did not act.`
  const broken = (more: StreamFaults) => assemble(given, manner, { ...faults, ...more })
  return { body, delivery: { delayMs: 0, fault: undefined, stream: { ends, tokens, stops, ended, warning, broken } } }
}

const DEFAULT_ERROR: StreamEvent = {
  event: 'error',
  data: { error: { code: 'server_error', message: 'The stream was interrupted.' } },
}

function withEvent({ body, ends, tokens }: EventBytes, content: string | Uint8Array): EventBytes {
  const longer = Buffer.concat([body, Buffer.from(content)])
  return { body: longer, ends: new Uint32Array([...ends, longer.length]), tokens: new Uint8Array([...tokens, 0]) }
}

/** Cuts the last character of an event, before its line's end. */
function withoutLastCharacter({ body, ends, tokens }: EventBytes, number: number): EventBytes {
  const [start, end] = [ends[number - 1] ?? 0, ends[number] ?? 0]
  const text = toText(body.subarray(start, end))
  const line = text.trimEnd()
  const event = Buffer.from(line.slice(0, -1) + text.slice(line.length))
  const less = end - start - event.length
  return {
    body: Buffer.concat([body.subarray(0, start), event, body.subarray(end)]),
    ends: ends.map((one, at) => (at < number ? one : one - less)),
    tokens,
  }
}

/** The wait before each next token, in milliseconds. */
function waitsOf(pace: StreamPace, seed: string): () => number {
  const { tokensPerSecond, jitter = 0 } = pace
  const between = tokensPerSecond === undefined ? 0 : 1_000 / tokensPerSecond
  const random = Random.for(seed, 'pace')
  let next = pace.firstTokenMs ?? between
  return () => {
    const ms = next * (1 + jitter * (random.next() * 2 - 1))
    next = between
    return ms
  }
}
