/** What a task does. One that is a generator can be paused wherever it yields. */
type Run = () => void | Generator<void>

interface Task {
  readonly dueAt: number
  readonly order: number
  readonly sequence: number
  readonly run: Run
}

/**
 * Virtual time: tasks in a total order of due time, then `order`, then the order in which they were added. Pure: it
 * knows no clock, and a task runs only when somebody advances.
 */
export class Schedule {
  #now: number
  #tasks: Task[] = []
  #sequence = 0

  constructor(now: number) {
    this.#now = now
  }

  /** The time that the schedule rests at; while a task runs, the task's own due time. */
  get now(): number {
    return this.#now
  }

  /** When the next task is due; undefined when there is none. */
  get nextDueAt(): number | undefined {
    return this.#tasks.at(-1)?.dueAt
  }

  /** Adds a task. Among those due at the same instant, a smaller `order` runs first. @param order @default 0 */
  add(dueAt: number, run: Run, order = 0): void {
    const task = { dueAt, order, sequence: this.#sequence++, run }
    let low = 0
    let high = this.#tasks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(task, this.#tasks[middle] as Task)) low = middle + 1
      else high = middle
    }
    this.#tasks.splice(low, 0, task)
  }

  /** Runs everything due up to `target`, each at its own due time, then rests at `target`. */
  advanceTo(target: number): void {
    while (this.#isDue(target)) this.runNext(target)
    this.#now = Math.max(this.#now, target)
  }

  /** Runs the one task that is next due up to `target`. Returns false, resting at `target`, when there is none. */
  runNext(target: number): boolean {
    const run = this.paceNext(target)
    for (let step = run.next(); ; step = run.next()) if (step.done) return step.value
  }

  /** {@link Schedule.runNext}, yielding where the task does. */
  *paceNext(target: number): Generator<void, boolean> {
    if (!this.#isDue(target)) {
      this.#now = Math.max(this.#now, target)
      return false
    }
    const task = this.#tasks.pop() as Task
    this.#now = Math.max(this.#now, task.dueAt)
    const pauses = task.run()
    if (pauses) yield* pauses
    return true
  }

  /** Forgets all tasks and rests at `now`. */
  clear(now: number): void {
    this.#tasks = []
    this.#now = now
  }

  #isDue(target: number): boolean {
    const due = this.nextDueAt
    return due !== undefined && due <= target
  }
}

function isBefore(left: Task, right: Task): boolean {
  if (left.dueAt !== right.dueAt) return left.dueAt < right.dueAt
  return left.order !== right.order ? left.order < right.order : left.sequence < right.sequence
}
