import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller, FindCaller } from './caller.ts'

/** What the lines of a request say that stand between its first one and its body. */
export interface RequestHead {
  /** Lower-case names; several lines of one name are joined by ', ' (cookies by '; '). */
  readonly headers: Readonly<Record<string, string>>
  readonly caller: Caller
}

/** Reads the head of a request. */
export type ReadHead = (request: IncomingMessage) => RequestHead

/** Heads that are known by their text. */
const MAX_HEADS = 200

/**
 * Most clients send the same lines with each request of a connection, and several connections of one client do: those
 * get the same head again, so that whoever has looked at one before knows it.
 */
export function createReadHead(findCaller: FindCaller): ReadHead {
  const heads = new Map<string, RequestHead>()
  const latest = new WeakMap<Socket, { readonly lines: readonly string[]; readonly head: RequestHead }>()
  return (request) => {
    const { socket, rawHeaders: lines } = request
    const known = latest.get(socket)
    if (known !== undefined && isSame(known.lines, lines)) return known.head
    // With `joinDuplicateHeaders` each is a text.
    const head = share({ headers: request.headers as Record<string, string>, caller: findCaller(request) }, lines)
    latest.set(socket, { lines, head })
    return head
  }

  function share(head: RequestHead, lines: readonly string[]): RequestHead {
    // The length of a body is another each time.
    if (head.headers['content-length'] !== undefined) return head
    const text = [head.caller.ip, head.caller.origin, ...lines].join('\n')
    const known = heads.get(text)
    if (known !== undefined) return known
    if (heads.size >= MAX_HEADS) heads.clear()
    heads.set(text, head)
    return head
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}
