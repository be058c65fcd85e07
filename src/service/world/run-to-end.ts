/** Runs a computation that could pause to its end. */
export function runToEnd<T>(run: Generator<unknown, T>): T {
  for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
}
