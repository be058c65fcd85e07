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

/** Heads are read once: most clients send the same lines with each request of a connection, and get the same head again. */
export function createReadHead(findCaller: FindCaller): ReadHead {
  const latest = new WeakMap<Socket, { readonly lines: readonly string[]; readonly head: RequestHead }>()
  return (request) => {
    const { socket, rawHeaders: lines } = request
    const known = latest.get(socket)
    if (known !== undefined && isSame(known.lines, lines)) return known.head
    // With `joinDuplicateHeaders` each is a text.
    const head = { headers: request.headers as Record<string, string>, caller: findCaller(request) }
    latest.set(socket, { lines, head })
    return head
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}
