import { fork } from 'node:child_process'
import { once } from 'node:events'

/** Bare node:http in a process of its own. */
export interface Floor extends Disposable {
  readonly port: number
  readonly pid: number
  /** Makes it write these bytes from now on. */
  set(answer: { status: number; body: string }): Promise<void>
}

export async function startFloor(): Promise<Floor> {
  const child = fork(new URL('floor.ts', import.meta.url), { stdio: 'inherit' })
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    pid: child.pid as number,
    set: async (answer) => {
      child.send(answer)
      await once(child, 'message')
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}
