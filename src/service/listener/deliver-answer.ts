import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ReadableStream as PieceStream } from 'node:stream/web'
import { LIMITS } from '../../protocol/limits.ts'
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
  /** Set where the events of the answer are known. */
  plan: StreamPlan | undefined
  /** The answer of a test's function, which came later. */
  late: ApiResponse | undefined
  /** The beginning of a body that came later. */
  readonly beginning: Uint8Array[]
  isStreamed: boolean
  pieces: number
  /** Bytes of the body so far. */
  bytes: number
  readonly startedAt: number
  firstAt: number
  lastAt: number
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
  const { holds, requests } = order.simulation
  const sending: Sending = {
    ...order,
    left: left.signal,
    plan: undefined,
    late: undefined,
    beginning: [],
    isStreamed: false,
    pieces: 0,
    bytes: 0,
    startedAt: order.clock.monotonic(),
    firstAt: Number.NaN,
    lastAt: Number.NaN,
    ended: 'client left',
  }
  const { stream, later } = answer.delivery ?? {}
  const forget =
    stream || later
      ? holds.stream(() => {
          sending.ended = 'cut'
          if (response.socket !== null) cut(response.socket)
        })
      : undefined
  response.once('close', () => {
    left.abort()
    forget?.()
    const { late, beginning } = sending
    requests.log.noteSent(
      order.number,
      toSentStream(sending),
      late && { ...late, body: late.body ?? Buffer.concat(beginning) },
    )
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

function toSentStream(sending: Sending): SentStream | undefined {
  const { isStreamed, plan, pieces, bytes, startedAt, firstAt, lastAt, ended } = sending
  if (!isStreamed) return undefined
  const [firstByteMs = null, lastByteMs = null] =
    bytes > 0 ? [firstAt, lastAt].map((at) => Math.round((at - startedAt) * 1_000) / 1_000) : []
  const sent = { bytes, firstByteMs, lastByteMs, ended }
  if (plan === undefined) return { events: pieces, tokens: 0, ...sent }
  let [events, tokens] = [0, 0]
  for (; (plan.ends[events] ?? Number.POSITIVE_INFINITY) <= bytes; events++) tokens += plan.tokens[events] ?? 0
  return { events, tokens, ...sent }
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
async function send(response: ServerResponse, given: ApiResponse, sending: Sending): Promise<void> {
  const { answer, body } = await arrive(given, sending)
  if (body === undefined && answer.delivery?.stream === undefined) writeResponse(response, answer)
  else await sendInPieces(response, { answer, body, sending })
}

/** An answer that a test's function gives later, with its body where that comes in pieces. */
async function arrive(
  answer: ApiResponse,
  sending: Sending,
): Promise<{ answer: ApiResponse; body?: ReadableStream<Uint8Array> | undefined }> {
  const { delivery } = answer
  if (delivery?.later === undefined) return { answer }
  const { body, ...head } = await delivery.later
  const isStreamed = typeof body === 'object' && body !== null && 'getReader' in body
  const shown = confineAnswer({ ...head, body: isStreamed ? null : body }, sending.sharedRoot)
  sending.late = shown
  return isStreamed ? { answer: { ...shown, delivery }, body } : { answer: shown }
}

/** Applies the connection fault, before or while writing the answer. */
async function strike(
  response: ServerResponse,
  answer: ApiResponse,
  { fault, sending }: { fault: Exclude<ConnectionFault, FaultOf<'hold'>>; sending: Sending },
): Promise<void> {
  const { socket } = response
  if (fault.kind === 'close') socket?.destroy()
  else if (fault.kind === 'raw') socket?.end(fault.bytes)
  else if (fault.kind === 'slow' || fault.afterBytes > 0)
    await sendInPieces(response, { ...(await arrive(answer, sending)), sending, fault })
  else if (socket !== null) cut(socket)
}

/** Writes the head at once, then the body as it comes or with its waits; a reset cuts it. */
async function sendInPieces(
  response: ServerResponse,
  {
    answer,
    body,
    sending,
    fault,
  }: {
    answer: ApiResponse
    body?: ReadableStream<Uint8Array> | undefined
    sending: Sending
    fault?: FaultOf<'reset' | 'slow'>
  },
): Promise<void> {
  const { left } = sending
  sending.plan = answer.delivery?.stream
  sending.isStreamed = body !== undefined || sending.plan !== undefined
  const known = () => PieceStream.from(piecesOf(answer, { response, sending })) as ReadableStream<Uint8Array>
  const pieces = body ?? known()
  const broken = fault === undefined ? pieces : pieces.pipeThrough(breakingAs(fault, left))
  writeHead(response, answer)
  if (body !== undefined) response.flushHeaders()
  const note = (piece: Uint8Array) => {
    sending.pieces++
    if (body !== undefined && sending.bytes < LIMITS.loggedBodyBytes) sending.beginning.push(piece)
    sending.bytes += piece.length
    sending.lastAt = sending.clock.monotonic()
    if (sending.pieces === 1) sending.firstAt = sending.lastAt
  }
  // A function's own stream may break.
  const isWhole = await pipe(broken, response, left, note).then(
    () => fault?.kind !== 'reset',
    () => false,
  )
  if (left.aborted) return
  sending.ended = isWhole ? (sending.plan?.ended ?? 'ended') : 'cut'
  if (sending.ended !== 'cut') response.end()
  else response.socket?.write('', () => startTimer(FLUSH_MS, () => response.socket && cut(response.socket)))
}

function breakingAs(fault: FaultOf<'reset' | 'slow'>, left: AbortSignal): TransformStream<Uint8Array, Uint8Array> {
  let bytes = fault.kind === 'reset' ? fault.afterBytes : 0
  return new TransformStream({
    async transform(piece, controller) {
      if (fault.kind === 'reset') {
        controller.enqueue(piece.subarray(0, bytes))
        bytes -= piece.length
        if (bytes <= 0) controller.terminate()
        return
      }
      for (const part of cutInPieces(piece, Math.max(1, fault.chunkBytes))) {
        controller.enqueue(part)
        await sleep(fault.chunkDelayMs, left)
      }
    },
  })
}

/** The parts of a body between its waits. A wait that is over already joins two of them. */
async function* piecesOf(
  { body, delivery }: ApiResponse,
  { response, sending }: { response: ServerResponse; sending: Sending },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { clock, left } = sending
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array(0))
  let start = 0
  let dueAt = clock.monotonic()
  for (const { at, ms, isStall } of delivery?.stream?.stops ?? []) {
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

function* cutInPieces(bytes: Uint8Array, size = PIECE_BYTES): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A TCP reset. Over TLS the connection is cut without one. */
function cut(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
