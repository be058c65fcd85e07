import type { ServerResponse } from 'node:http'
import type { Runtime } from '../runtime/runtime.ts'
import { type EventMatcher, matchesType } from './match.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/** How the sink answers instead of with 200. */
export interface SinkReply {
  /** @default 200; 302 with `redirect` */
  status?: number
  /** Waits before answering. */
  delayMs?: number
  /** Breaks the connection off: before any header, or after the status and a part of the body. */
  drop?: 'before-headers' | 'mid-body'
  /** Never answers. */
  hang?: true
  /** Answers with this `Location`. */
  redirect?: string
  /** How many requests are answered so. @default all that follow */
  times?: number
}

interface Rule {
  reply: SinkReply
  matcher: EventMatcher
  left: number
}

/** The replies that were asked for. The latest one that matches answers. */
export class Replies {
  #rules: Rule[] = []

  /** Throws a RangeError for a status that is none. */
  add(reply: SinkReply, matcher: EventMatcher = '*'): void {
    const { status = 200, times = Number.POSITIVE_INFINITY } = reply
    if (!Number.isInteger(status) || status < 200 || status > 599) {
      throw new RangeError(`Expected \`status\` to be a whole number from 200 to 599, got ${status}.`)
    }
    if (!(times > 0)) throw new RangeError(`Expected \`times\` to be at least 1, got ${times}.`)
    this.#rules.unshift({ reply, matcher, left: times })
  }

  /** Takes the reply for a request; undefined when none was asked for. */
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

const OK = JSON.stringify({ received: true })

/** Carries a reply out. Calls `onAnswered` with the status once it is on its way; not at all when there is none. */
export function sendReply(
  response: ServerResponse,
  reply: SinkReply,
  runtime: Runtime,
  onAnswered: (status: number) => void,
): void {
  if (reply.hang) return
  const answer = () => {
    if (response.destroyed) return
    if (reply.drop === 'before-headers') {
      response.destroy()
      return
    }
    const status = reply.status ?? (reply.redirect === undefined ? 200 : 302)
    onAnswered(status)
    if (reply.drop === 'mid-body') breakOff(response, status)
    else end(response, status, reply.redirect)
  }
  if (reply.delayMs) response.once('close', runtime.startTimer(reply.delayMs, answer))
  else answer()
}

function end(response: ServerResponse, status: number, location: string | undefined): void {
  const body = status === 204 || status === 304 ? '' : OK
  response.writeHead(status, {
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
    ...(location === undefined ? {} : { location }),
  })
  response.end(body)
}

function breakOff(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': OK.length })
  response.write(OK.slice(0, 4), () => response.destroy())
}
