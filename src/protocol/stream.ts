import * as z from 'zod'

/** One event of a stream. */
export interface StreamEvent {
  /** Its type, only in server-sent events. */
  event?: string | undefined
  /** Only in server-sent events. */
  id?: string | undefined
  /** A text is sent as it is, all else as JSON. */
  data?: unknown
  /** Whether `pace` and the faults count it; without any in a stream they count all events. @default false */
  token?: boolean | undefined
}

const count = () => z.int().min(0)
const text = () => z.string().regex(/^[^\r\n\0]*$/, 'one line')

/** The schema of {@link StreamEvent}. */
export const streamEvent = () =>
  z.strictObject({
    event: text().optional(),
    id: text().optional(),
    data: z.unknown(),
    token: z.boolean().optional(),
  }) satisfies z.ZodType<StreamEvent>

/** Ways in which a stream breaks. All count tokens, see {@link StreamEvent}. */
export interface StreamFaults {
  /** The connection breaks after so many. */
  cutAfter?: number | undefined
  /** The answer ends after so many, as if it were whole: without the closing events. */
  endAfter?: number | undefined
  /** {@link error} follows after so many, and nothing else. */
  errorAfter?: number | undefined
  /** @default the event `error` with `{ error: { code: 'server_error', message } }` */
  error?: StreamEvent | undefined
  /** Nothing follows after so many, for `stallMs` of real time. */
  stallAfter?: number | undefined
  /** @default until the client leaves */
  stallMs?: number | undefined
  /** The data of this one lacks its last character. The first is 1. */
  malformed?: number | undefined
}

/** Fields of {@link StreamFaults}. */
export const streamFaults = () =>
  z.strictObject({
    cutAfter: count().optional(),
    endAfter: count().optional(),
    errorAfter: count().optional(),
    error: streamEvent().optional(),
    stallAfter: count().optional(),
    stallMs: count().optional(),
    malformed: z.int().min(1).optional(),
  }) satisfies z.ZodType<StreamFaults>

/** The speed of a stream, in real time. */
export interface StreamPace {
  /** Milliseconds before the first token. @default as between the others */
  firstTokenMs?: number | undefined
  /** @default all at once */
  tokensPerSecond?: number | undefined
  /** By how much of itself each wait varies, from 0 to 1. The draws follow from the seed. @default 0 */
  jitter?: number | undefined
}

/** The schema of {@link StreamPace}. */
export const streamPace = () =>
  z.strictObject({
    firstTokenMs: z.number().min(0).optional(),
    tokensPerSecond: z.number().gt(0).optional(),
    jitter: z.number().min(0).max(1).optional(),
  }) satisfies z.ZodType<StreamPace>

export const streamMedia = () => z.enum(['sse', 'jsonl', 'json-seq', 'bytes'])

/** How events are written: server-sent events, lines of JSON, a JSON text sequence (RFC 7464), or `data` alone. */
export type StreamMedia = 'sse' | 'jsonl' | 'json-seq' | 'bytes'

/** Options of a streamed answer. */
export interface StreamOptions extends StreamFaults {
  /** @default as the description declares, else 'sse' */
  media?: StreamMedia | undefined
  /** @default that of the operation's success */
  status?: number | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** @default no waits */
  pace?: StreamPace | undefined
}

/** The schema of {@link StreamOptions}. */
export const streamOptions = () =>
  streamFaults().extend({
    media: streamMedia().optional(),
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    pace: streamPace().optional(),
  }) satisfies z.ZodType<StreamOptions>

/** Why a stream ended: whole or as a fault wants it, broken by a fault or a reset, while it stood still, or by its client. */
export type StreamEnd = 'ended' | 'cut' | 'stalled' | 'error event' | 'client left'

/** What was sent of a streamed answer. */
export interface SentStream {
  events: number
  /** How many of the events are tokens. */
  tokens: number
  bytes: number
  /** Milliseconds from the start of the answer, without its head; null where nothing was sent. */
  firstByteMs: number | null
  lastByteMs: number | null
  ended: StreamEnd
}
