import { startService } from '../../src/service/start.ts'
import { Turns } from '../openapi/hostile/turns.ts'
import { CountingClock } from '../support/counting-clock.ts'

/** Where the service is; at `end`, what happened since `begin`: processor time of its longest turn, steps of its long work. */
export type ServiceMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly accountKey: string }
  | { readonly kind: 'begun' }
  | { readonly kind: 'ended'; readonly longestTurnMs: number; readonly steps: number }

/** `sleepMs` lets so much real time pass in which nothing happens. */
export type ServiceOrder = 'begin' | 'end' | { readonly sleepMs: number }

let sleptMs = 0
const counting = new CountingClock()
const clock = { now: () => counting.now() + sleptMs, monotonic: counting.monotonic }
const service = await startService({ runtime: { clock } })
let turns: Turns | undefined
let looksBefore = 0

process.on('message', (order: ServiceOrder) => {
  if (order === 'begin') {
    turns = new Turns()
    looksBefore = counting.looks
    say({ kind: 'begun' })
  } else if (order === 'end')
    say({ kind: 'ended', longestTurnMs: turns?.end() ?? 0, steps: counting.looks - looksBefore })
  else sleptMs += order.sleepMs
})
process.on('disconnect', () => process.exit())
say({ kind: 'ready', url: service.url, accountKey: service.accountKey })

function say(message: ServiceMessage): void {
  process.send?.(message)
}
