/** Runs a computation with pauses to its end without pausing. */
export function runToEnd<T>(run: Generator<unknown, T>): T {
  for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
}
