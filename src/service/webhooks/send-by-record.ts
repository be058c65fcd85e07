import type { Runtime } from '../../runtime/runtime.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { OutgoingDelivery } from './outgoing-delivery.ts'

type Send = (delivery: OutgoingDelivery) => Promise<void>

/** An endpoint that answers within ten times 5 ms gets all first attempts in order. */
const PATIENCE_TURNS = 10
const PATIENCE_TURN_MS = 5

/**
 * Sends first attempts one after the other, in the order of the events, until none is left. Behind an endpoint that takes
 * its time, those of other records leave meanwhile.
 */
export async function sendByRecord(queue: DeliveryQueue, send: Send, startTimer: Runtime['startTimer']): Promise<void> {
  const sent = new Set<Promise<void>>()
  let isSlow = false
  for (;;) {
    const next = queue.takeFirst()
    if (next !== undefined) {
      const sending: Promise<void> = sendFirstOf(queue, next, send).finally(() => sent.delete(sending))
      sent.add(sending)
      if (!isSlow) isSlow = await takesItsTime(queue, sending, startTimer)
    } else if (sent.size > 0) await Promise.race(sent)
    else return
    if (sent.size === 0) isSlow = false
  }
}

async function sendFirstOf(queue: DeliveryQueue, delivery: OutgoingDelivery, send: Send): Promise<void> {
  await queue.holdRecord(delivery, send(delivery))
  for (const overtaken of queue.takeOvertaken(delivery)) await send(overtaken)
}

/**
 * Whether an endpoint that has answered before takes its time now. Time alone does not tell: an endpoint of this process
 * gets as many turns of the event loop as it needs to answer.
 */
async function takesItsTime(
  queue: DeliveryQueue,
  sending: Promise<void>,
  startTimer: Runtime['startTimer'],
): Promise<boolean> {
  if (!queue.hasAnswered) {
    await sending
    return false
  }
  let isOver = false
  const over = sending.then(() => {
    isOver = true
  })
  for (let turn = 0; turn < PATIENCE_TURNS && !isOver; turn++) await oneTurn(over, startTimer)
  return !isOver
}

function oneTurn(over: Promise<void>, startTimer: Runtime['startTimer']): Promise<void> {
  return new Promise((resolve) => {
    const cancel = startTimer(PATIENCE_TURN_MS, resolve)
    void over.then(() => {
      cancel()
      resolve()
    })
  })
}
