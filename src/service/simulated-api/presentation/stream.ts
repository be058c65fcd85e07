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
import { Random } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { ResponseModel } from '../../openapi/model.ts'
import type { ApiResponse, StreamPlan } from '../exchange.ts'

const MEDIA_TYPES: Readonly<Record<StreamMedia, string>> = {
  sse: 'text/event-stream',
  jsonl: 'application/jsonl',
  'json-seq': 'application/json-seq',
  bytes: 'application/octet-stream',
}

/** How a media type carries events; undefined for one that carries no stream. */
export function streamMediaOf(mediaType: string): StreamMedia | undefined {
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
  const { status, headers, pace, ...options } = parseRequest(streamOptions, given, 'the options of `stream`')
  const declared = [...success.content.keys()].find((type) => streamMediaOf(type) !== undefined) ?? ''
  const media = options.media ?? streamMediaOf(declared) ?? 'sse'
  const mediaType = streamMediaOf(declared) === media ? declared : MEDIA_TYPES[media]
  const written: WrittenEvent[] = []
  let bytes = 0
  for (const event of events) {
    const one = { bytes: writeEvent(event, media), isToken: event.token === true }
    bytes += one.bytes.length
    if (written.length === LIMITS.streamEvents || bytes > LIMITS.streamBytes)
      throw new Error(
        `Failed to stream: there are more than ${grouped(LIMITS.streamEvents)} events or ${grouped(LIMITS.streamBytes)} bytes. Stream fewer.`,
      )
    written.push(one)
  }
  return {
    status: status ?? success.status,
    headers: headersOf(mediaType, headers),
    ...assemble(written, { media, pace, seed, errorEvent }, options),
  }
}

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
    if (media !== undefined) return Buffer.from(writeEvent({ data: JSON.stringify(value) }, media)).toString()
    return `--${BOUNDARY}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`
  }
  const written = wholeText(values, media)?.split(media === 'sse' ? /(?<=\n\r?\n)/ : /(?<=\n)/)
  const texts = written ?? [...values.map(write), ...(media === undefined ? [`--${BOUNDARY}--\r\n`] : [])]
  const boundary = written?.[0]?.slice(2).trim() ?? BOUNDARY
  const type = media === undefined ? `${mediaType}; boundary=${boundary}` : mediaType
  const events = texts.map((text) => ({ bytes: Buffer.from(text), isToken: false }))
  const manner = { media: media ?? ('bytes' as const), errorEvent }
  return { status, headers: headersOf(type, headers), ...assemble(events, manner, {}) }
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

interface WrittenEvent {
  readonly bytes: Uint8Array
  readonly isToken: boolean
}

function writeEvent({ event, id, data }: StreamEvent, media: StreamMedia): Uint8Array {
  if (media === 'bytes' && data instanceof Uint8Array) return data
  const text = typeof data === 'string' ? data : data === undefined && media === 'sse' ? undefined : toJson(data)
  if (media === 'bytes') return Buffer.from(text ?? '')
  if (media !== 'sse') return Buffer.from(`${media === 'json-seq' ? '\u001e' : ''}${text}\n`)
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(text?.split(/\r\n|\r|\n/).map((line) => `data: ${line}`) ?? []),
  ]
  return Buffer.from(`${lines.join('\n')}\n\n`)
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
  given: readonly WrittenEvent[],
  manner: StreamManner,
  faults: StreamFaults,
): Pick<ApiResponse, 'body' | 'delivery'> {
  const { media, pace, seed = '', errorEvent = DEFAULT_ERROR } = manner
  const hasTokens = given.some(({ isToken }) => isToken)
  const isCounted = ({ isToken }: WrittenEvent) => isToken || !hasTokens
  const counted = given.flatMap((event, at) => (isCounted(event) ? [at] : []))
  /** The place after so many tokens; undefined where there are fewer. */
  const after = (tokens = Number.NaN): number | undefined => {
    const last = tokens === 0 ? (counted[0] ?? 0) - 1 : counted[tokens - 1]
    return last === undefined ? undefined : last + 1
  }
  const ends = [
    { ended: 'cut' as const, at: after(faults.cutAfter) },
    { ended: 'error event' as const, at: after(faults.errorAfter) },
    { ended: 'ended' as const, at: after(faults.endAfter) },
    { ended: 'ended' as const, at: given.length },
  ]
  const { ended, at: length = given.length } = ends.reduce((one, other) =>
    (other.at ?? Infinity) < (one.at ?? Infinity) ? other : one,
  )
  const kept = given.slice(0, length)
  const misspelt = faults.malformed === undefined ? undefined : counted[faults.malformed - 1]
  const written = [
    ...kept.map((event, at) => (at === misspelt ? { ...event, bytes: withoutLastCharacter(event.bytes) } : event)),
    ...(ended === 'error event' ? [{ bytes: writeEvent(faults.error ?? errorEvent, media), isToken: false }] : []),
  ]
  const stall = after(faults.stallAfter)
  const waits = waitsOf(pace, seed)
  const events: StreamPlan['events'][number][] = []
  const stops: StreamPlan['stops'][number][] = []
  let end = 0
  for (const [at, event] of written.entries()) {
    if (at === stall) stops.push({ at: end, ms: faults.stallMs ?? Number.POSITIVE_INFINITY, isStall: true })
    const ms = at < kept.length && isCounted(event) ? waits() : 0
    if (ms > 0) stops.push({ at: end, ms, isStall: false })
    end += event.bytes.length
    events.push({ end, isToken: event.isToken })
  }
  if (stall === written.length) stops.push({ at: end, ms: faults.stallMs ?? Number.POSITIVE_INFINITY, isStall: true })
  const unmet = (['cutAfter', 'endAfter', 'errorAfter', 'stallAfter', 'malformed'] as const).flatMap((name) =>
    (faults[name] ?? 0) > counted.length ? [`\`${name}: ${faults[name]}\``] : [],
  )
  const warning =
    unmet.length === 0
      ? undefined
      : `The stream has ${grouped(counted.length)} ${hasTokens ? 'tokens' : 'events'}, so that ${unmet.join(' and ')} did not act.`
  const broken = (more: StreamFaults) => assemble(given, manner, { ...faults, ...more })
  return {
    body: Buffer.concat(written.map(({ bytes }) => bytes)),
    delivery: { delayMs: 0, fault: undefined, stream: { events, stops, ended, warning, broken } },
  }
}

const DEFAULT_ERROR: StreamEvent = {
  event: 'error',
  data: { error: { code: 'server_error', message: 'The stream was interrupted.' } },
}

/** Cuts the last character before the line's end. */
function withoutLastCharacter(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString()
  const line = text.trimEnd()
  return Buffer.from(line.slice(0, -1) + text.slice(line.length))
}

/** The wait before each next token, in milliseconds. */
function waitsOf(pace: StreamPace = {}, seed: string): () => number {
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
