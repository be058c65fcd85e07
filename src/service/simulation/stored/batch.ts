import type { HeadLook } from './stored-core.ts'

/** Result of work in a batch, passed on when the batch is saved. */
export type BatchResult = { readonly value: unknown } | { readonly error: unknown }

/** A command of a batch, with its caller. */
export interface Asked {
  readonly work: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly since: number
  /** Whether it will hardly change anything. */
  readonly isRead?: boolean
  /** A fast-forward, which has its own batch. */
  readonly fastForward?: { ended?: string }
}

/** How a batch is saved. */
export interface Finishing {
  /** For reads: the head as it was asked for before they ran. */
  readonly look?: HeadLook | undefined
  readonly hold?: string | null
  /** Whether it has one command only. */
  readonly isAlone?: boolean
}

/** Runs synchronous work. */
export function resultOf(work: () => unknown): BatchResult {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** Runs asynchronous work. */
export const resultOfPromise = (work: () => unknown): Promise<BatchResult> =>
  Promise.resolve()
    .then(work)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )

/** Passes the results of a batch to its callers. */
export function tell(batch: readonly Asked[], results: readonly BatchResult[]): void {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const result = results[at] as BatchResult
    if ('value' in result) resolve(result.value)
    else reject(result.error)
  }
}
