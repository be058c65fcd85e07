import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { startTimer } from '../../runtime/timers.ts'
import type { ApiResponse, ConnectionFault } from '../simulated-api/exchange.ts'
import { writeHead, writeResponse } from './write-response.ts'

type Fault<K extends ConnectionFault['kind']> = Extract<ConnectionFault, { kind: K }>

/** How long the bytes before a reset have to reach the client: a reset overtakes what is still in a buffer. */
const FLUSH_MS = 20

/** Does to the connection what the answer asks for, instead of or while writing it. */
export function applyFault(response: ServerResponse, answer: ApiResponse, fault: ConnectionFault): void {
  if (fault.kind === 'reset') reset(response, answer, fault)
  else if (fault.kind === 'close') response.socket?.destroy()
  else if (fault.kind === 'hold') hold(response, answer, fault)
  else if (fault.kind === 'raw') response.socket?.end(fault.bytes)
  else writeSlowly(response, answer, fault)
}

/** A TCP reset: at once, or after so many bytes of the body. Over TLS the connection is cut without a reset. */
function reset(response: ServerResponse, answer: ApiResponse, { afterBytes }: Fault<'reset'>): void {
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

/** Silence; the answer follows when the time is over or the hold is released, if the client is still there. */
function hold(response: ServerResponse, answer: ApiResponse, { holdMs }: Fault<'hold'>): void {
  const { release } = answer
  const letGo = () => {
    cancel?.()
    release?.removeEventListener('abort', letGo)
    void writeHeld(response, answer)
  }
  const cancel = holdMs > 0 ? startTimer(holdMs, letGo) : undefined
  response.once('close', () => {
    cancel?.()
    release?.removeEventListener('abort', letGo)
  })
  if (release?.aborted) letGo()
  else release?.addEventListener('abort', letGo)
}

/** Called by a timer: what goes wrong here has nobody else to catch it. */
async function writeHeld(response: ServerResponse, answer: ApiResponse): Promise<void> {
  if (response.destroyed || response.headersSent) return
  try {
    const processed = (await answer.proceed?.()) ?? answer
    if (!response.destroyed) writeResponse(response, processed)
  } catch {
    response.destroy()
  }
}

function writeSlowly(response: ServerResponse, answer: ApiResponse, fault: Fault<'slow'>): void {
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
