/** Result of work in a batch, passed on when the batch is saved. */
export type BatchResult = { readonly value: unknown } | { readonly error: unknown }

/** The caller of a batch's work. */
interface BatchPart {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
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
export function tell(batch: readonly BatchPart[], results: readonly BatchResult[]): void {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const result = results[at] as BatchResult
    if ('value' in result) resolve(result.value)
    else reject(result.error)
  }
}
