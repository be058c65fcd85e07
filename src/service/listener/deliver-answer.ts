import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { startTimer } from '../../runtime/timers.ts'
import type { ApiRequest, ApiResponse, ConnectionFault, ResponseDelivery } from '../simulated-api/exchange.ts'
import type { RequestLog } from '../simulation/requests/request-log.ts'
import type { SimulationRequests } from '../simulation/requests/simulation-requests.ts'
import type { HoldEnd, Holds } from '../simulation/running/holds.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { confineAnswer } from './shared-origin.ts'
import { writeHead, writeResponse } from './write-response.ts'

type FaultOf<Kind extends ConnectionFault['kind']> = Extract<ConnectionFault, { kind: Kind }>

/** The request of a delivered answer. */
interface DeliveryOrder {
  readonly simulation: Pick<Simulation, 'ready' | 'run'> & {
    readonly holds: Pick<Holds, 'wait'>
    readonly requests: Pick<SimulationRequests, 'handleLate'> & { readonly log: Pick<RequestLog, 'noteSent'> }
  }
  readonly request: ApiRequest
  /** Number of the request in the log. */
  readonly number: number
  /** See `SimulatedExchange`. */
  readonly sharedRoot?: string | undefined
}

/** Time for buffered bytes to reach the client before a reset, which would discard them. */
const FLUSH_MS = 20
/** Shorter delays end before another node's message arrives. */
const LOOKED_AFTER_MS = 250

/** Sends an answer as response rules require: after a delay, or with a connection fault. */
export async function deliverAnswer(
  response: ServerResponse,
  answer: ApiResponse,
  { delayMs, fault }: ResponseDelivery,
  order: DeliveryOrder,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => {
    left.abort()
    order.simulation.requests.log.noteSent(order.number)
  })
  try {
    const end = delayMs > 0 ? await waitHeld(order, delayMs, left.signal) : 'over'
    if (end === 'left') return
    if (fault?.kind === 'hold') await hold(response, answer, fault, { end, left: left.signal, order })
    else if (fault === undefined) writeResponse(response, answer)
    else strike(response, answer, fault)
  } catch {
    response.destroy()
  }
}

/** Waits like {@link Holds.wait}. A node that shares the simulation starts to check whether another node releases the hold. */
function waitHeld({ simulation }: DeliveryOrder, ms: number, left: AbortSignal): Promise<HoldEnd> {
  const ended = simulation.holds.wait(ms, left)
  if (ms > LOOKED_AFTER_MS) void Promise.resolve(simulation.run(() => {})).catch(() => {})
  return ended
}

/** Sends nothing until the time is over or the hold is released; then the answer, if the client is still connected. */
async function hold(
  response: ServerResponse,
  answer: ApiResponse,
  { holdMs, processAfter }: FaultOf<'hold'>,
  { end, left, order }: { end: HoldEnd; left: AbortSignal; order: DeliveryOrder },
): Promise<void> {
  const { simulation, request, number, sharedRoot } = order
  if (end !== 'released') await waitHeld(order, holdMs > 0 ? holdMs : Number.POSITIVE_INFINITY, left)
  if (left.aborted) return
  if (!processAfter) {
    writeResponse(response, answer)
    return
  }
  await simulation.ready()
  const late = await simulation.run(() => simulation.requests.handleLate(request, number))
  if (!response.destroyed) writeResponse(response, confineAnswer(late, sharedRoot))
}

/** Applies the connection fault, before or while writing the answer. */
function strike(response: ServerResponse, answer: ApiResponse, fault: Exclude<ConnectionFault, FaultOf<'hold'>>): void {
  switch (fault.kind) {
    case 'reset':
      reset(response, answer, fault)
      break
    case 'close':
      response.socket?.destroy()
      break
    case 'raw':
      response.socket?.end(fault.bytes)
      break
    case 'slow':
      writeSlowly(response, answer, fault)
  }
}

/** A TCP reset: at once, or after some bytes of the body. Over TLS the connection is cut without a reset. */
function reset(response: ServerResponse, answer: ApiResponse, { afterBytes }: FaultOf<'reset'>): void {
  const { socket } = response
  if (socket === null) return
  if (afterBytes === 0) {
    cut(socket)
    return
  }
  writeHead(response, answer)
  response.write(bytesOf(answer.body).subarray(0, afterBytes), () => startTimer(FLUSH_MS, () => cut(socket)))
}

function cut(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

function writeSlowly(response: ServerResponse, answer: ApiResponse, fault: FaultOf<'slow'>): void {
  const bytes = bytesOf(answer.body)
  writeHead(response, answer)
  const writeFrom = (start: number) => {
    if (response.destroyed) return
    const end = start + Math.max(1, fault.chunkBytes)
    if (end >= bytes.length) {
      response.end(bytes.subarray(start))
      return
    }
    response.write(bytes.subarray(start, end))
    const cancel = startTimer(fault.chunkDelayMs, () => {
      response.off('close', cancel)
      writeFrom(end)
    })
    response.once('close', cancel)
  }
  writeFrom(0)
}

function bytesOf(body: ApiResponse['body']): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0))
}
