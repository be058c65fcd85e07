import type { BehaviourStep, NewBehaviourRule } from '../../src/protocol/behaviour.ts'
import { atLeast, atMost, type BenchRow, median } from '../bench-row.ts'
import { newSimulation, readTaskTracker, type Source } from '../in-process/new-simulation.ts'
import { busyMs, medianMs } from '../in-process/stopwatch.ts'

const ROUNDS = 7
const RECORDS = 10_000
const HOUR = 3_600

/** Changes per second with their events, and a month of a realistic plan with many records. */
export async function run(): Promise<BenchRow[]> {
  const source = await readTaskTracker()
  return [
    atLeast({
      name: 'fast-forward, changes with events',
      value: await changesPerSecond(source),
      unit: 'changes/s',
      least: 250_000,
    }),
    atMost({
      name: 'fast-forward, 720 h of ten rules',
      value: await medianMs(
        ROUNDS,
        () => simulate(source, TEN_RULES),
        (simulation) => simulation.fastForward(720),
        busyMs,
      ),
      unit: 'ms',
      most: 250,
    }),
  ]
}

/** Every hour a thousand tasks each change their status, their number, and the time of their last change. */
async function changesPerSecond(source: Source): Promise<number> {
  const each = { collection: 'tasks', count: 1_000 }
  const plan = hourly([
    { kind: 'transition', ...each, from: 'todo', to: 'in_progress' },
    { kind: 'transition', ...each, from: 'in_progress', to: 'todo' },
    { kind: 'increment', ...each, field: 'trackedMinutes', by: { min: 1, max: 9 } },
    { kind: 'touch', ...each },
  ])
  const rates: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const simulation = simulate(source, plan)
    let changes = 0
    const ms = await busyMs(async () => {
      changes = (await simulation.fastForward(60)).changes
    })
    if (round >= 0) rates.push((changes / ms) * 1000)
  }
  return median(rates)
}

/** Ten rules, each once an hour: 7,200 runs, a record or a few at a time. */
const TEN_RULES = hourly(
  [{ kind: 'create', collection: 'tasks', count: 1 }],
  [{ kind: 'create', collection: 'comments', count: 1 }],
  [{ kind: 'transition', collection: 'tasks', from: 'todo', to: 'in_progress', count: 3 }],
  [{ kind: 'transition', collection: 'tasks', from: 'in_progress', to: 'in_review', count: 3 }],
  [{ kind: 'transition', collection: 'tasks', from: 'in_review', to: { done: 4, in_progress: 1 }, count: 3 }],
  [{ kind: 'increment', collection: 'tasks', field: 'trackedMinutes', by: { min: 15, max: 90 }, count: 2 }],
  [{ kind: 'update', collection: 'tasks', set: { priority: 'high' }, where: { status: 'todo' }, count: 1 }],
  [{ kind: 'relate', collection: 'tasks', field: 'assigneeId', target: 'users', where: { status: 'todo' }, count: 1 }],
  [{ kind: 'touch', collection: 'users', count: 1 }],
  [{ kind: 'delete', collection: 'tasks', where: { status: 'done' }, count: 1 }],
)

function hourly(...rules: BehaviourStep[][]): NewBehaviourRule[] {
  return rules.map((steps, at) => ({ id: `rule-${at}`, everySeconds: HOUR, steps }))
}

function simulate(source: Source, plan: NewBehaviourRule[]) {
  return newSimulation({ ...source, plan, volume: { ...source.volume, tasks: RECORDS } })
}
