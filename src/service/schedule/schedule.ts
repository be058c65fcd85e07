interface Task<Work> {
  readonly dueAt: number
  readonly sequence: number
  readonly work: Work
}

/** Work in a total order of due time, then of the order in which it was added. Pure: it knows no clock. */
export class Schedule<Work> {
  /** The one that is due first is last. */
  #tasks: Task<Work>[] = []
  #sequence = 0

  /** When the next work is due; undefined when there is none. */
  get nextDueAt(): number | undefined {
    return this.#tasks.at(-1)?.dueAt
  }

  add(dueAt: number, work: Work): void {
    const task = { dueAt, sequence: this.#sequence++, work }
    let low = 0
    let high = this.#tasks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(task, this.#tasks[middle] as Task<Work>)) low = middle + 1
      else high = middle
    }
    this.#tasks.splice(low, 0, task)
  }

  /** Takes the work that is next due, where it is due by `target`. */
  takeDue(target: number): Work | undefined {
    const { nextDueAt } = this
    return nextDueAt !== undefined && nextDueAt <= target ? this.#tasks.pop()?.work : undefined
  }

  clear(): void {
    this.#tasks = []
  }
}

const isBefore = <Work>(left: Task<Work>, right: Task<Work>): boolean =>
  left.dueAt === right.dueAt ? left.sequence < right.sequence : left.dueAt < right.dueAt
