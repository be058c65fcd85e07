import type { ServerResponse } from 'node:http'
import { startTimer } from '../../runtime/timers.ts'
import type { ApiResponse } from '../simulated-api/exchange.ts'
import { applyFault } from './connection-fault.ts'
import { writeResponse } from './write-response.ts'

/** Writes an answer: now, or after the delay that it carries, and with the fault that it carries. */
export function sendResponse(response: ServerResponse, answer: ApiResponse, date: () => string): void {
  if (answer.onSent !== undefined) response.once('close', answer.onSent)
  if (!answer.delayMs || answer.release?.aborted) sendNow(response, answer, date)
  else sendLater(response, answer, answer.delayMs, date)
}

function sendLater(response: ServerResponse, answer: ApiResponse, delayMs: number, date: () => string): void {
  const send = () => {
    cancel()
    answer.release?.removeEventListener('abort', send)
    if (!response.destroyed) sendNow(response, answer, date)
  }
  const cancel = startTimer(delayMs, send)
  answer.release?.addEventListener('abort', send)
  response.once('close', () => {
    cancel()
    answer.release?.removeEventListener('abort', send)
  })
}

function sendNow(response: ServerResponse, answer: ApiResponse, date: () => string): void {
  if (answer.fault === undefined) writeResponse(response, answer, date())
  else applyFault(response, answer, answer.fault, date)
}
