import { fork } from 'node:child_process'
import type { LoadOrder, LoadResult } from './load.ts'

/** A separate process that loads servers, so that they do not share a thread. */
export interface Load extends Disposable {
  run(order: LoadOrder): Promise<LoadResult>
}

export function startLoad(): Load {
  const child = fork(new URL('load.ts', import.meta.url), { stdio: 'inherit' })
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        child.once('message', (answer: { result: LoadResult } | { error: string }) => {
          if ('result' in answer) resolve(answer.result)
          else reject(new Error(`Failed to load port ${order.port}: ${answer.error}`))
        })
        child.send(order)
      }),
    [Symbol.dispose]: () => child.disconnect(),
  }
}
