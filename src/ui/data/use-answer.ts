import { useLayoutEffect, useState } from 'preact/hooks'
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
  useLayoutEffect(() => {
    if (path === undefined) return undefined
    let isCurrent = true
    call<Answer>('GET', path).then(
      (read) => {
        if (!isCurrent) return
        set(() => read)
        setError(undefined)
      },
      (failure: Error) => isCurrent && setError(failure.message),
    )
    return () => {
      isCurrent = false
    }
  }, [path, revision])
  return { answer, error, set: (read) => set(() => read) }
}
