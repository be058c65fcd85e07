import { connect } from 'node:net'
import type { CreatedSimulation } from '../../../src/protocol/simulation.ts'
import { sleep } from '../../../src/runtime/timers.ts'
import type { Caller } from './caller.ts'

/** Requests of one user before the simulation is deleted and another is made. */
const TURNS = 200

/** One user: a simulation of its own for a few hundred requests and fast-forwards, then another. */
export async function useSimulations(caller: Caller, user: number): Promise<void> {
  for (let life = 0; caller.isOpen; life++) {
    const made = await caller.manage<CreatedSimulation>('POST', '/simulations', {
      library: 'task-tracker',
      seed: `${user}-${life}`,
    })
    if (made === undefined) continue
    caller.living.add(made)
    await caller.manage('POST', `/simulations/${made.id}/webhooks`, { url: caller.endpoint, events: ['task.*'] })
    await useOne(caller, made)
    caller.living.delete(made)
    await caller.manage('DELETE', `/simulations/${made.id}`)
  }
}

async function useOne(caller: Caller, made: CreatedSimulation): Promise<void> {
  const { data = [] } = (await caller.simulated<{ data: { id: string }[] }>(made, 'GET', '/projects')) ?? {}
  for (let turn = 0; turn < TURNS && caller.isOpen; turn++) {
    await caller.simulated(made, 'GET', '/tasks?limit=20&status=todo')
    const title = turn % 20 === 0 ? 'x'.repeat(100_000) : `Task ${turn}`
    const task = await caller.simulated<{ id: string }>(made, 'POST', '/tasks', {
      title: `Task ${turn}`,
      description: title,
      projectId: data[0]?.id,
    })
    await caller.simulated(made, 'GET', `/tasks/${task?.id}`)
    await caller.simulated(made, 'PATCH', `/tasks/${task?.id}`, { status: 'done' })
    await caller.simulated(made, 'DELETE', `/tasks/${task?.id}`)
    if (turn % 50 === 49) await caller.manage('POST', `/simulations/${made.id}/fast-forward`, { hours: 24 })
    if (turn % 50 === 25) await caller.manage('GET', `/simulations/${made.id}/logs?detail=true`)
  }
  await caller.manage('GET', `/simulations/${made.id}/events`)
}

/** A reader of the event stream that reads nothing, and leaves after some seconds. */
export async function readSlowly(caller: Caller): Promise<void> {
  while (caller.isOpen) {
    const [followed] = caller.living
    if (followed === undefined) {
      await sleep(10)
      continue
    }
    const socket = connect(Number(caller.url.port), caller.url.hostname).on('error', () => {})
    socket.pause()
    socket.write(toHead('GET', `/v1/simulations/${followed.id}/activity?kinds=change`, caller.accountKey))
    for (let waited = 0; waited < 3_000 && caller.isOpen; waited += 100) await sleep(100)
    socket.destroy()
  }
}

/** A client that is killed: amid its head, amid its body, or before its answer. */
export async function breakOff(caller: Caller): Promise<void> {
  for (let turn = 0; caller.isOpen; turn++) {
    const [asked] = caller.living
    const socket = connect(Number(caller.url.port), caller.url.hostname).on('error', () => {})
    const path = asked === undefined ? '/v1/usage' : `/s/${asked.slug}/v1/tasks`
    const whole = toHead('POST', path, asked?.apiKey ?? caller.accountKey, 'content-length: 100000\r\n')
    socket.write(whole.slice(0, turn % 3 === 0 ? 40 : whole.length))
    if (turn % 3 === 2) socket.write('{'.padEnd(100_000, ' '))
    await sleep(5 + (turn % 20))
    socket.destroy()
    caller.note('killed')
  }
}

function toHead(method: string, path: string, key: string, more = ''): string {
  const json = more === '' ? '' : `content-type: application/json\r\n${more}`
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n${json}\r\n`
}
