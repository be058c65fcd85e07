import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { call } from './service.ts'

/** The result of a read: the answer or the error. `set` replaces the answer by a newer one. */
export interface Read<Answer> {
  readonly answer: Answer | undefined
  readonly error: string | undefined
  readonly set: (answer: Answer) => void
}

/** Reads from the management API, and again for another `path` or `revision`; nothing without a path. The last answer stays meanwhile. */
export function useAnswer<Answer>(path: string | undefined, revision: unknown = 0): Read<Answer> {
  const [answer, set] = useState<Answer | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  const reads = useRef({ path, begun: 0, answered: 0 })
  useLayoutEffect(() => {
    if (reads.current.path !== path) reads.current = { path, begun: 0, answered: 0 }
    if (path === undefined) return
    const own = reads.current
    const number = ++own.begun
    // A slow answer counts although the next read has begun, but not after the answer of that one.
    const note = (read: () => void) => {
      if (own !== reads.current || number < own.answered) return
      own.answered = number
      read()
    }
    call<Answer>('GET', path).then(
      (read) =>
        note(() => {
          set(() => read)
          setError(undefined)
        }),
      (failure: Error) => note(() => setError(failure.message)),
    )
  }, [path, revision])
  return { answer, error, set: (read) => set(() => read) }
}
