import { systemRuntime } from '../../src/runtime/runtime.ts'
import { startService } from '../../src/service/start.ts'
import { Turns } from '../openapi/hostile/turns.ts'

/** What the service tells whoever started it: where it is, and at `end` the processor time of its longest turn since `begin`. */
export type ServiceMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly accountKey: string }
  | { readonly kind: 'begun' }
  | { readonly kind: 'ended'; readonly longestTurnMs: number }

/** `sleepMs` lets so much real time pass in which nothing happens. */
export type ServiceOrder = 'begin' | 'end' | { readonly sleepMs: number }

let sleptMs = 0
const clock = { now: () => systemRuntime.clock.now() + sleptMs, monotonic: () => systemRuntime.clock.monotonic() }
const service = await startService({ runtime: { clock } })
let turns: Turns | undefined

process.on('message', (order: ServiceOrder) => {
  if (order === 'begin') {
    turns = new Turns()
    say({ kind: 'begun' })
  } else if (order === 'end') say({ kind: 'ended', longestTurnMs: turns?.end() ?? 0 })
  else sleptMs += order.sleepMs
})
process.on('disconnect', () => process.exit())
say({ kind: 'ready', url: service.url, accountKey: service.accountKey })

function say(message: ServiceMessage): void {
  process.send?.(message)
}
