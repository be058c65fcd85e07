import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ReadableStream as PieceStream } from 'node:stream/web'
import type { SentStream, StreamEnd } from '../../protocol/stream.ts'
import type { Clock } from '../../runtime/clock.ts'
import { sleep, startTimer } from '../../runtime/timers.ts'
import type {
  ApiRequest,
  ApiResponse,
  ConnectionFault,
  ResponseDelivery,
  StreamPlan,
} from '../simulated-api/exchange.ts'
import type { RequestLog } from '../simulation/requests/request-log.ts'
import type { SimulationRequests } from '../simulation/requests/simulation-requests.ts'
import type { HoldEnd, Holds } from '../simulation/running/holds.ts'
import type { Simulation } from '../simulation/simulation.ts'
import { pipe } from './pipe.ts'
import { confineAnswer } from './shared-origin.ts'
import { writeHead, writeResponse } from './write-response.ts'

type FaultOf<Kind extends ConnectionFault['kind']> = Extract<ConnectionFault, { kind: Kind }>

/** The request of a delivered answer. */
interface DeliveryOrder {
  readonly simulation: Pick<Simulation, 'ready' | 'run'> & {
    readonly holds: Pick<Holds, 'wait' | 'stream'>
    readonly requests: Pick<SimulationRequests, 'handleLate'> & { readonly log: Pick<RequestLog, 'noteSent'> }
  }
  readonly request: ApiRequest
  /** Number of the request in the log. */
  readonly number: number
  /** See `SimulatedExchange`. */
  readonly sharedRoot?: string | undefined
  readonly clock: Pick<Clock, 'monotonic'>
}

/** An answer on its way to its client. */
interface Sending extends DeliveryOrder {
  /** Aborts when the connection is closed. */
  readonly left: AbortSignal
  /** Set where it is streamed. */
  plan: StreamPlan | undefined
  /** Bytes of the body so far. */
  bytes: number
  ended: StreamEnd
}

/** Time for buffered bytes to reach the client before a reset, which would discard them. */
const FLUSH_MS = 20
/** Shorter delays end before another node's message arrives. */
const LOOKED_AFTER_MS = 250

/** Largest write of a body in pieces. */
const PIECE_BYTES = 64 * 1024

/** Sends an answer event by event, or as response rules require: after a delay, or with a connection fault. */
export async function deliverAnswer(
  response: ServerResponse,
  answer: ApiResponse,
  { delayMs, fault }: ResponseDelivery,
  order: DeliveryOrder,
): Promise<void> {
  const left = new AbortController()
  const sending: Sending = { ...order, left: left.signal, plan: undefined, bytes: 0, ended: 'client left' }
  response.once('close', () => {
    left.abort()
    order.simulation.requests.log.noteSent(order.number, toSentStream(sending))
  })
  try {
    const end = delayMs > 0 ? await waitHeld(order, delayMs, left.signal) : 'over'
    if (end === 'left') return
    if (fault?.kind === 'hold') await hold(response, answer, fault, { end, sending })
    else if (fault === undefined) await send(response, answer, sending)
    else await strike(response, answer, { fault, sending })
  } catch {
    response.destroy()
  }
}

function toSentStream({ plan, bytes, ended }: Sending): SentStream | undefined {
  if (plan === undefined) return undefined
  const events = plan.events.filter(({ end }) => end <= bytes)
  return { events: events.length, tokens: events.filter(({ isToken }) => isToken).length, bytes, ended }
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
  { end, sending }: { end: HoldEnd; sending: Sending },
): Promise<void> {
  const { simulation, request, number, sharedRoot, left } = sending
  if (end !== 'released') await waitHeld(sending, holdMs > 0 ? holdMs : Number.POSITIVE_INFINITY, left)
  if (left.aborted) return
  if (!processAfter) return send(response, answer, sending)
  await simulation.ready()
  const late = await simulation.run(() => simulation.requests.handleLate(request, number))
  if (!response.destroyed) await send(response, confineAnswer(late, sharedRoot), sending)
}

/** Sends an answer without a fault. */
async function send(response: ServerResponse, answer: ApiResponse, sending: Sending): Promise<void> {
  const plan = answer.delivery?.stream
  if (plan === undefined) writeResponse(response, answer)
  else await sendInPieces(response, answer, { stops: plan.stops, sending })
}

/** Applies the connection fault, before or while writing the answer. */
async function strike(
  response: ServerResponse,
  answer: ApiResponse,
  { fault, sending }: { fault: Exclude<ConnectionFault, FaultOf<'hold'>>; sending: Sending },
): Promise<void> {
  const { socket } = response
  switch (fault.kind) {
    case 'reset':
      if (fault.afterBytes > 0)
        await sendInPieces(response, answer, { stops: answer.delivery?.stream?.stops ?? [], sending, fault })
      else if (socket !== null) cut(socket)
      break
    case 'close':
      socket?.destroy()
      break
    case 'raw':
      socket?.end(fault.bytes)
      break
    case 'slow':
      await sendInPieces(response, answer, { stops: slowStops(answer, fault), sending })
  }
}

/** Writes the head at once, then the body with its waits; a reset cuts it. */
async function sendInPieces(
  response: ServerResponse,
  answer: ApiResponse,
  { stops, sending, fault }: { stops: Iterable<Stop>; sending: Sending; fault?: FaultOf<'reset'> },
): Promise<void> {
  const { simulation, left } = sending
  const { socket } = response
  const plan = answer.delivery?.stream
  sending.plan = plan
  const forget = simulation.holds.stream(() => {
    sending.ended = 'cut'
    if (socket !== null) cut(socket)
  })
  writeHead(response, answer)
  try {
    const pieces = piecesOf(bytesOf(answer.body).subarray(0, fault?.afterBytes), stops, { response, sending })
    await pipe(PieceStream.from(pieces) as ReadableStream<Uint8Array>, response, left, (bytes) => {
      sending.bytes += bytes
    })
  } finally {
    forget()
  }
  if (left.aborted) return
  sending.ended = fault === undefined ? (plan?.ended ?? 'ended') : 'cut'
  if (sending.ended !== 'cut') response.end()
  else socket?.write('', () => startTimer(FLUSH_MS, () => cut(socket)))
}

type Stop = StreamPlan['stops'][number]

/** The parts of a body between its waits. A wait that is over already joins two of them. */
async function* piecesOf(
  bytes: Uint8Array,
  stops: Iterable<Stop>,
  { response, sending }: { response: ServerResponse; sending: Sending },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { clock, left } = sending
  let start = 0
  let dueAt = clock.monotonic()
  for (const { at, ms, isStall } of stops) {
    if (at > bytes.length) break
    dueAt += ms
    if (dueAt - clock.monotonic() < 1) continue
    if (start < at) yield* cutInPieces(bytes.subarray(start, at))
    else response.flushHeaders()
    start = at
    if (isStall) sending.ended = 'stalled'
    await sleep(dueAt - clock.monotonic(), left)
    sending.ended = 'client left'
  }
  yield* cutInPieces(bytes.subarray(start))
}

function* cutInPieces(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function* slowStops({ body }: ApiResponse, { chunkBytes, chunkDelayMs }: FaultOf<'slow'>): Generator<Stop> {
  for (let at = chunkBytes; at < bytesOf(body).length; at += chunkBytes) yield { at, ms: chunkDelayMs, isStall: false }
}

/** A TCP reset. Over TLS the connection is cut without one. */
function cut(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

function bytesOf(body: ApiResponse['body']): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : (body ?? Buffer.alloc(0))
}
