import { toLoggedMessage } from '../../protocol/logged-message.ts'
import type { TriedRequest, TryRequest } from '../../protocol/try-request.ts'
import { LongRead } from '../world/long-reads.ts'
import type { AskedAgain } from './requests/simulation-requests.ts'
import type { Simulation } from './simulation.ts'

/** The owner as a caller. */
interface OwnerVisit {
  readonly ip: string
  /** Address of the simulation for the caller. */
  readonly origin: string
  /** Aborts when the caller disconnects. */
  readonly left: AbortSignal | undefined
}

/** Answers a request of the owner, without key and allow-list. Effects of response rules on sending are reported and not applied. */
export async function answerOwner(
  simulation: Simulation,
  { method, path, headers, body = '' }: TryRequest,
  { ip, origin, left }: OwnerVisit,
): Promise<TriedRequest> {
  const mark = path.indexOf('?')
  const bytes = Buffer.from(body)
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const request = {
    method: method.toUpperCase(),
    path: mark === -1 ? path : path.slice(0, mark),
    query: mark === -1 ? '' : path.slice(mark + 1),
    headers: bytes.length === 0 ? lower : { 'content-type': 'application/json', ...lower },
    body: bytes,
    ip,
    origin,
    isOwner: true,
  }
  const caller = {
    get destroyed() {
      return left?.aborted ?? false
    },
  }
  let before: AskedAgain = {}
  for (let read: LongRead | undefined; ; ) {
    if (read !== undefined) await simulation.requests.goOn(read, caller)
    const asked = read
    const answered = await simulation.run(() => {
      try {
        const handled = simulation.requests.handle(request, { ...before, read: asked })
        before = { number: handled.number, isCounted: handled.isCounted }
        return handled
      } catch (error) {
        if (error instanceof LongRead) return error
        throw error
      }
    })
    if (answered instanceof LongRead) read = answered
    else {
      await simulation.requests.noteKept(answered.number)
      return toTried(simulation, answered)
    }
  }
}

function toTried(
  { requests }: Simulation,
  { response: { status, headers, body, delivery }, number }: ReturnType<Simulation['requests']['handle']>,
): TriedRequest {
  requests.log.noteSent(number)
  return {
    requestId: requests.log.idOf(number),
    status,
    response: toLoggedMessage(Object.entries(headers), typeof body === 'string' ? Buffer.from(body) : body),
    delayMs: delivery?.delayMs ?? 0,
    fault: delivery?.fault?.kind ?? null,
  }
}
