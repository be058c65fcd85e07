import type { ServerResponse } from 'node:http'
import { type EventMatcher, matchesType } from './match.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** An answer of the sink in place of 200. */
export interface SinkReply {
  /** @default 200; 302 with `redirect` */
  status?: number | undefined
  /** Delay before the answer. */
  delayMs?: number | undefined
  /** Closes the connection: before any header, or after the status and a part of the body. */
  drop?: 'before-headers' | 'mid-body' | undefined
  /** Never answers. */
  hang?: true | undefined
  /** Answers with this `Location`. */
  redirect?: string | undefined
  /** How many requests get this answer. @default all */
  times?: number | undefined
}

/** Longest delay of a reply: the longest timer of Node. */
const MAX_DELAY_MS = 2 ** 31 - 1

interface Rule {
  reply: SinkReply
  matcher: EventMatcher
  left: number
}

/** The replies that a test has set. The latest one that matches an event is used. */
export class Replies {
  #rules: Rule[] = []

  /** Throws a RangeError that names the wrong field. */
  add(reply: SinkReply, matcher: EventMatcher = '*'): void {
    check(reply)
    this.#rules.unshift({ reply, matcher, left: reply.times ?? Number.POSITIVE_INFINITY })
  }

  /** The reply to a request, counted as used; undefined without one. */
  take(webhook: ReceivedWebhook): SinkReply | undefined {
    const rule = this.#rules.find(({ matcher }) => matchesType(matcher, webhook))
    if (!rule) return undefined
    rule.left--
    if (rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule)
    return rule.reply
  }

  clear(): void {
    this.#rules = []
  }
}

/** Bounds of each field of a reply. Replies from scripts and over HTTP are not type-checked. */
const FIELDS: {
  readonly [Name in keyof Required<SinkReply>]: readonly [bound: string, fits: (value: unknown) => boolean]
} = {
  status: ['a whole number from 200 to 599', (value) => isWhole(value) && value >= 200 && value <= 599],
  delayMs: [
    `a number of milliseconds from 0 to ${MAX_DELAY_MS}`,
    (value) => typeof value === 'number' && value >= 0 && value <= MAX_DELAY_MS,
  ],
  drop: ['"before-headers" or "mid-body"', (value) => value === 'before-headers' || value === 'mid-body'],
  hang: ['true', (value) => value === true],
  redirect: [
    'an address without spaces and control characters',
    (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  ],
  times: ['a whole number of at least 1', (value) => isWhole(value) && value >= 1],
}

function check(reply: SinkReply): void {
  for (const [name, value] of Object.entries(reply)) {
    if (value === undefined) continue
    if (!Object.hasOwn(FIELDS, name)) {
      throw new RangeError(`Expected a reply to have ${Object.keys(FIELDS).join(', ')}, got \`${name}\`.`)
    }
    const [bound, fits] = FIELDS[name as keyof SinkReply]
    if (!fits(value)) throw new RangeError(`Expected \`${name}\` to be ${bound}, got ${JSON.stringify(value)}.`)
  }
}

const isWhole = (value: unknown): value is number => Number.isInteger(value)

const OK = JSON.stringify({ received: true })

/** The body of a reply. @default a receipt */
export interface ReplyBody {
  readonly text?: string | undefined
  /** Its media type. @default plain text */
  readonly type?: string | undefined
}

/** Writes a reply. Returns its status, or null when nothing was sent. */
export function writeReply(response: ServerResponse, reply: SinkReply & ReplyBody): number | null {
  if (reply.hang || response.destroyed) return null
  if (reply.drop === 'before-headers') {
    response.destroy()
    return null
  }
  const status = reply.status ?? (reply.redirect === undefined ? 200 : 302)
  if (reply.drop === 'mid-body') breakOff(response, status)
  else end(response, status, reply)
  return status
}

function end(
  response: ServerResponse,
  status: number,
  { redirect, text, type: own = 'text/plain; charset=utf-8' }: SinkReply & ReplyBody,
): void {
  const isTaken = status >= 200 && status <= 299
  const body = status === 204 || status === 304 ? '' : (text ?? (isTaken ? OK : ''))
  const type = text === undefined ? 'application/json' : own
  response.writeHead(status, {
    ...(body === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    ...(redirect === undefined ? {} : { location: redirect }),
  })
  response.end(body)
}

function breakOff(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': OK.length })
  response.write(OK.slice(0, 4), () => response.destroy())
}
