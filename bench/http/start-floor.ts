import { fork } from 'node:child_process'
import { once } from 'node:events'

/** The floor's response for one path. */
export interface FixedAnswer {
  readonly status: number
  readonly body: string
}

/** Bare node:http in a separate process. */
export interface Floor extends Disposable {
  readonly port: number
  readonly pid: number
  /** Makes the path `/<number>` answer with the bytes at that position, from now on. */
  set(answers: readonly FixedAnswer[]): Promise<void>
}

export async function startFloor(): Promise<Floor> {
  const child = fork(new URL('floor.ts', import.meta.url), { stdio: 'inherit' })
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    pid: child.pid as number,
    set: async (answers) => {
      child.send(answers)
      await once(child, 'message')
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}
