/** What work came to in a batch. It is told when the batch is kept. */
export type BatchResult = { readonly value: unknown } | { readonly error: unknown }

/** Who waits for work of a batch. */
interface BatchPart {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Does work that answers at once. */
export function resultOf(work: () => unknown): BatchResult {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

/** Does work that answers later. */
export const resultOfPromise = (work: () => unknown): Promise<BatchResult> =>
  Promise.resolve()
    .then(work)
    .then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )

/** Tells each of a batch what its work came to. */
export function tell(batch: readonly BatchPart[], results: readonly BatchResult[]): void {
  for (const [at, { resolve, reject }] of batch.entries()) {
    const result = results[at] as BatchResult
    if ('value' in result) resolve(result.value)
    else reject(result.error)
  }
}
