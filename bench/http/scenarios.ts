/** A request as the load sends it. */
export interface Sending {
  readonly method: string
  /** Below the simulation's own root. */
  readonly path: string
  readonly body?: string
}

/** Requests that are measured together, against bare node:http that writes answers of the same lengths. */
export interface Scenario {
  readonly name: string
  /** Each connection sends them in turn, from another one on. */
  readonly requests: readonly Sending[]
  /** Requests per second to aim at, as a share of the floor's. */
  readonly least: number
  /** Whether the data is reset after a round because it grew, as suites do. */
  readonly resets: boolean
}

/** Records of the requested collection. */
export const TASKS = 10_000

/** Records requested one by one. */
const IDS = 5_000

/** The fields of a requested record that requests use. */
export interface Task {
  readonly id: string
  readonly projectId: string
  readonly assigneeId: string | null
}

/**
 * Typical requests to a simulation of 10,000 tasks: one record of 5,000 in random order, any of 500 pages, a creation, and all
 * of it together with filters and changes. The order is the same in each run.
 */
export function scenariosOf(tasks: readonly Task[]): Scenario[] {
  const random = createRandom(1)
  const draw = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const ids = Array.from({ length: IDS }, () => draw(tasks).id)
  const pages = Array.from({ length: 500 }, (_, page) => page * 20)
  const one = (): Sending => ({ method: 'GET', path: `/tasks/${draw(ids)}` })
  const page = (): Sending => ({ method: 'GET', path: `/tasks?limit=20&cursor=${tasks[draw(pages)]?.id}` })
  const filtered = (): Sending => ({ method: 'GET', path: `/tasks?limit=20&${draw(filtersOf(draw(tasks)))}` })
  const create = (): Sending => ({
    method: 'POST',
    path: '/tasks',
    body: JSON.stringify({ title: 'Order the badges', projectId: draw(tasks).projectId, priority: 'high' }),
  })
  const change = (): Sending => ({
    method: 'PATCH',
    path: `/tasks/${draw(ids)}`,
    body: JSON.stringify({ status: draw(['todo', 'in_progress', 'done']) }),
  })
  const many = (make: () => Sending): Sending[] => Array.from({ length: IDS }, make)
  const mixed = many(() => {
    const kind = random()
    return kind < 0.6 ? one() : kind < 0.8 ? filtered() : kind < 0.9 ? change() : create()
  })
  return [
    { name: 'GET one', requests: many(one), least: 0.7, resets: false },
    { name: 'list of 20', requests: many(page), least: 0.65, resets: false },
    { name: 'POST create', requests: many(create), least: 0.55, resets: true },
    { name: 'mixed', requests: mixed, least: 0.4, resets: false },
  ]
}

/** One to three filters that match at least this task, except for its status. */
function filtersOf({ projectId, assigneeId }: Task): readonly string[] {
  const byProject = `status=todo&projectId=${projectId}`
  return ['status=done', byProject, assigneeId === null ? byProject : `${byProject}&assigneeId=${assigneeId}`]
}

/** Requests of one kind have answers of about one length. */
export const kindOf = ({ method, path }: Sending): string => `${method} ${path.includes('?') ? 'list' : ''}`

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
