import type { ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'
import { startTimer } from '../../runtime/timers.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'
import { applyFault } from './connection-fault.ts'
import { writeResponse } from './write-response.ts'

/** Writes an answer: now, or after the delay that it carries, and with the fault that it carries. */
export type SendResponse = (response: ServerResponse, answer: ApiResponse) => void

export function createSendResponse(clock: Clock): SendResponse {
  return (response, answer) => {
    if (answer.onSent !== undefined) reportWhenSent(response, answer.onSent, clock)
    if (!answer.delayMs || answer.release?.aborted) sendNow(response, answer)
    else sendLater(response, answer, answer.delayMs)
  }
}

function reportWhenSent(response: ServerResponse, onSent: (durationMs: number) => void, clock: Clock): void {
  const handedOverAt = clock.monotonic()
  response.once('close', () => onSent(clock.monotonic() - handedOverAt))
}

function sendLater(response: ServerResponse, answer: ApiResponse, delayMs: number): void {
  const { release } = answer
  const cancel = startTimer(delayMs, send)
  release?.addEventListener('abort', send)
  response.once('close', forget)
  function send() {
    forget()
    if (!response.destroyed) sendNow(response, answer)
  }
  function forget() {
    cancel()
    response.off('close', forget)
    release?.removeEventListener('abort', send)
  }
}

/** Writes the answer. One that cannot be written ends the connection, and nothing else. */
function sendNow(response: ServerResponse, answer: ApiResponse): void {
  try {
    if (answer.fault === undefined) writeResponse(response, answer)
    else applyFault(response, answer, answer.fault)
  } catch {
    response.destroy()
  }
}
