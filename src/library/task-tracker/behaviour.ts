import type { NewBehaviourRule } from '../../protocol/behaviour.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A team at work: tasks come in, are picked up, reviewed, finished and tidied away; people talk; deadlines pass. */
export const behaviour: NewBehaviourRule[] = [
  {
    id: 'new-work',
    name: 'New work comes in',
    everySeconds: 2 * HOUR,
    steps: [
      {
        kind: 'create',
        collection: 'tasks',
        count: 1,
        values: { status: 'todo', trackedMinutes: 0, isOverdue: false, assigneeId: null },
        maxRecords: 5_000,
      },
    ],
  },
  {
    id: 'work-flows',
    name: 'Tasks move from todo to done',
    everySeconds: HOUR,
    steps: [
      { kind: 'transition', collection: 'tasks', from: 'in_review', to: { done: 4, in_progress: 1 }, fraction: 0.12 },
      { kind: 'transition', collection: 'tasks', from: 'in_progress', to: 'in_review', fraction: 0.08 },
      { kind: 'transition', collection: 'tasks', from: 'todo', to: 'in_progress', fraction: 0.05 },
    ],
  },
  {
    id: 'work-is-shared-out',
    name: 'Somebody takes what nobody works on',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'relate',
        collection: 'tasks',
        field: 'assigneeId',
        target: 'users',
        where: { assigneeId: null, status: { in: ['in_progress', 'in_review'] } },
        fraction: 0.5,
      },
    ],
  },
  {
    id: 'time-is-tracked',
    name: 'Time is written down',
    everySeconds: 2 * HOUR,
    steps: [
      {
        kind: 'increment',
        collection: 'tasks',
        field: 'trackedMinutes',
        by: { min: 15, max: 90 },
        clampMax: 2_400,
        where: { status: 'in_progress' },
        fraction: 0.2,
      },
    ],
  },
  {
    id: 'deadlines-pass',
    name: 'Unfinished tasks become overdue',
    everySeconds: HOUR,
    steps: [
      {
        kind: 'expire',
        collection: 'tasks',
        field: 'dueAt',
        olderThanSeconds: 0,
        where: { isOverdue: false, status: { in: ['todo', 'in_progress', 'in_review'] } },
        action: { field: 'isOverdue', to: true },
      },
    ],
  },
  {
    id: 'people-talk',
    name: 'Comments are written',
    everySeconds: 45 * MINUTE,
    steps: [{ kind: 'create', collection: 'comments', count: 1, values: { reactions: [] }, maxRecords: 20_000 }],
  },
  {
    id: 'people-return',
    name: 'People are seen',
    everySeconds: 4 * HOUR,
    steps: [{ kind: 'touch', collection: 'users', where: { status: 'active' }, fraction: 0.25 }],
  },
  {
    id: 'projects-advance',
    name: 'Milestones close and planned projects start',
    everySeconds: 2 * DAY,
    steps: [
      { kind: 'transition', collection: 'milestones', from: 'open', to: 'closed', fraction: 0.1 },
      { kind: 'transition', collection: 'projects', from: 'planned', to: 'active', fraction: 0.5 },
    ],
  },
  {
    id: 'tidying-up',
    name: 'Finished and cancelled work is tidied away',
    everySeconds: DAY,
    steps: [
      {
        kind: 'delete',
        collection: 'tasks',
        where: { status: { in: ['done', 'cancelled'] } },
        fraction: 0.05,
        onDependents: 'cascade',
      },
    ],
  },
]
