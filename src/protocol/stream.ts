import * as z from 'zod'

const count = () => z.int().min(0)
const text = () => z.string().regex(/^[^\r\n\0]*$/, 'one line')

/** One event of a stream. */
const streamEvent = () =>
  z.strictObject({
    /** Its type, only in server-sent events. */
    event: text().optional(),
    /** Only in server-sent events. */
    id: text().optional(),
    /** A text is sent as it is, all else as JSON. */
    data: z.unknown().optional(),
    /** Whether `pace` and the faults count it; without any in a stream they count all events. @default false */
    token: z.boolean().optional(),
  })
/** One event of a stream. */
export type StreamEvent = z.infer<ReturnType<typeof streamEvent>>

export const streamFaults = () =>
  z.strictObject({
    /** The connection breaks after so many. */
    cutAfter: count().optional(),
    /** The answer ends after so many, as if it were whole: without the closing events. */
    endAfter: count().optional(),
    /** `error` follows after so many, and nothing else. */
    errorAfter: count().optional(),
    /** @default the event `error` with `{ error: { code: 'server_error', message } }` */
    error: streamEvent().optional(),
    /** Nothing follows after so many, for `stallMs` of real time. */
    stallAfter: count().optional(),
    /** @default until the client leaves */
    stallMs: count().optional(),
    /** The data of this one lacks its last character. The first is 1. */
    malformed: z.int().min(1).optional(),
  })
/** Ways in which a stream breaks. All count tokens, see {@link StreamEvent}. */
export type StreamFaults = z.infer<ReturnType<typeof streamFaults>>

export const streamPace = () =>
  z.strictObject({
    /** Milliseconds before the first token. @default as between the others */
    firstTokenMs: z.number().min(0).optional(),
    /** @default all at once */
    tokensPerSecond: z.number().gt(0).optional(),
    /** By how much of itself each wait varies, from 0 to 1. The draws follow from the seed. @default 0 */
    jitter: z.number().min(0).max(1).optional(),
  })
/** The speed of a stream, in real time. */
export type StreamPace = z.infer<ReturnType<typeof streamPace>>

const streamMedia = () => z.enum(['sse', 'jsonl', 'json-seq', 'bytes'])

/** How events are written: server-sent events, lines of JSON, a JSON text sequence (RFC 7464), or `data` alone. */
export type StreamMedia = z.infer<ReturnType<typeof streamMedia>>

export const streamOptions = () =>
  streamFaults().extend({
    /** @default as the description declares, else 'sse' */
    media: streamMedia().optional(),
    /** @default that of the operation's success */
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** @default no waits */
    pace: streamPace().optional(),
  })
/** Options of a streamed answer. */
export type StreamOptions = z.infer<ReturnType<typeof streamOptions>>

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
