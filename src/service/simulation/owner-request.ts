import { toLoggedMessage } from '../../protocol/logged-message.ts'
import type { TriedRequest, TryRequest } from '../../protocol/reads.ts'
import type { AskedAgain } from './requests/simulation-requests.ts'
import { readInSlices } from './running/request-reads.ts'
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
  const { requests } = simulation
  let before: AskedAgain = {}
  const { response, number } = await readInSlices({ simulation, left }, (read) => {
    const handled = requests.handle(request, { ...before, read })
    before = { number: handled.number, isCounted: handled.isCounted }
    return handled
  })
  const { status, body: answer, delivery } = response
  await requests.noteKept(number)
  requests.log.noteSent(number)
  return {
    requestId: requests.log.idOf(number),
    status,
    response: toLoggedMessage(
      Object.entries(response.headers),
      typeof answer === 'string' ? Buffer.from(answer) : answer,
    ),
    delayMs: delivery?.delayMs ?? 0,
    fault: delivery?.fault?.kind ?? null,
  }
}
