import { attributesOf, matches } from './routing.ts'
import { type Fields, type Json, type Kept, type Operations, type TwilioRequest, textOf, timeOf } from './twilio.ts'

const WORKSPACE = '/taskrouter/v1/Workspaces/{WorkspaceSid}'
const USUAL_MINUTES = 15
const STATES = ['reserved', 'pending', 'assigned', 'wrapping']

/** What statistics are about: the tasks and the workers of a workspace, or of a part of it. */
interface Scope {
  readonly ids: Fields
  readonly tasks: readonly Kept[]
  readonly workers: readonly Kept[]
  readonly reservations: readonly Kept[]
  readonly activities: readonly Kept[]
  /** The queue, the workflow or the worker. */
  readonly of?: Kept
}

const urlOf = ({ target }: TwilioRequest): string => target.replace('/taskrouter', 'https://taskrouter.twilio.example')

function scopeOf(twilio: TwilioRequest, of?: Kept): Scope {
  const { WorkspaceSid = '' } = twilio.path
  const { resources } = twilio.records
  const workspace = twilio.find('resources', WorkspaceSid)
  const all = (kind: string): Kept[] => resources.where({ kind, workspace_sid: workspace.sid }).reverse()
  const field = of && { WQ: 'task_queue_sid', WW: 'workflow_sid' }[textOf(of.kind)]
  const { FriendlyName, TaskChannel, TaskQueueName, TaskQueueSid } = twilio.query
  const isOf = (task: Kept): boolean =>
    (field === undefined || task[field] === of?.sid) &&
    (!TaskChannel || [task.task_channel_unique_name, task.task_channel_sid].includes(TaskChannel))
  const tasks = all('WT').filter(isOf)
  const sids = tasks.map(({ sid }) => sid)
  const reservations = all('WR').filter(
    ({ task_sid = '', worker_sid }) => sids.includes(textOf(task_sid)) && (of?.kind !== 'WK' || worker_sid === of.sid),
  )
  const queue =
    of?.kind === 'WQ'
      ? of
      : all('WQ').find(({ sid, friendly_name }) => sid === TaskQueueSid || friendly_name === TaskQueueName)
  const isEligible = (one: Kept): boolean =>
    of?.kind === 'WK'
      ? one.sid === of.sid
      : (queue === undefined || matches(textOf(queue.target_workers), attributesOf(one))) &&
        (!FriendlyName || of !== undefined || one.friendly_name === FriendlyName)
  return {
    ids: { account_sid: twilio.account, workspace_sid: workspace.sid, url: urlOf(twilio) },
    ...{ tasks, reservations, workers: all('WK').filter(isEligible), activities: all('WA'), ...(of && { of }) },
  }
}

const secondsSince = (twilio: TwilioRequest, time: Json | undefined): number =>
  Math.max(0, Math.floor((twilio.now.getTime() - Date.parse(textOf(time))) / 1_000))

/** The tasks and workers as they are now. */
function realtime(twilio: TwilioRequest, { tasks, workers, activities, of }: Scope): Fields {
  const live = tasks.filter(({ assignment_status }) => STATES.includes(textOf(assignment_status)))
  const waiting = live.find(({ assignment_status }) => assignment_status === 'pending')
  const countBy = (values: readonly string[], of: (task: Kept) => string): Fields =>
    Object.fromEntries(values.map((value) => [value, live.filter((task) => of(task) === value).length]))
  const priorities = [...new Set(live.map(({ priority }) => String(priority)))]
  const work = {
    ...{ total_tasks: live.length, tasks_by_status: countBy(STATES, (task) => textOf(task.assignment_status)) },
    ...{ tasks_by_priority: countBy(priorities, ({ priority }) => String(priority)) },
    longest_task_waiting_age: waiting === undefined ? 0 : secondsSince(twilio, waiting.date_created),
    longest_task_waiting_sid: waiting?.sid ?? null,
  }
  const activity_statistics = activities.map(({ sid, friendly_name = '' }) => ({
    ...{ sid, friendly_name, workers: workers.filter(({ activity_sid }) => activity_sid === sid).length },
  }))
  if (of?.kind === 'WW') return work
  if (of?.kind !== 'WQ') return { ...work, activity_statistics, total_workers: workers.length }
  return {
    ...{ ...work, activity_statistics, total_eligible_workers: workers.length },
    total_available_workers: workers.filter(({ available }) => available === true).length,
    longest_relative_task_age_in_queue: work.longest_task_waiting_age,
    longest_relative_task_sid_in_queue: work.longest_task_waiting_sid,
  }
}

/** The time that statistics are about. */
function windowOf(twilio: TwilioRequest): { from: number; to: number } {
  const { now, query } = twilio
  const to = query.EndDate ? Date.parse(textOf(query.EndDate)) : now.getTime()
  const minutes = Number(query.Minutes) || USUAL_MINUTES
  const from = query.StartDate ? Date.parse(textOf(query.StartDate)) : to - minutes * 60_000
  if (Number.isNaN(from + to)) twilio.refuse(20001, 'StartDate and EndDate must be times such as 2026-11-30T00:00:00Z')
  return { from, to }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

function spread(seconds: readonly number[]) {
  const total = sumOf(seconds)
  return {
    ...{ total, avg: seconds.length === 0 ? 0 : Math.round(total / seconds.length) },
    ...{ min: seconds.length === 0 ? 0 : Math.min(...seconds), max: Math.max(0, ...seconds) },
  }
}

/** What happened to reservations, and to tasks, in a time. */
function cumulative(twilio: TwilioRequest, { tasks, reservations, workers, activities, of }: Scope): Fields {
  const { from, to } = windowOf(twilio)
  const isIn = (time: Json | undefined): boolean => Date.parse(textOf(time)) >= from && Date.parse(textOf(time)) <= to
  const made = reservations.filter(({ date_created }) => isIn(date_created))
  const ended = (...states: string[]): Kept[] =>
    made.filter(({ reservation_status }) => states.includes(textOf(reservation_status)))
  const accepted = ended('accepted', 'wrapping', 'completed')
  const counts = {
    ...{ start_time: timeOf(from), end_time: timeOf(to), reservations_created: made.length },
    ...{ reservations_accepted: accepted.length, reservations_rejected: ended('rejected').length },
    ...{ reservations_timed_out: ended('timeout').length, reservations_canceled: ended('canceled').length },
    reservations_rescinded: ended('rescinded').length,
  }
  if (/\/Workers\//.test(twilio.target))
    return { ...counts, activity_durations: activities.map((one) => durationOf(one, workers, from, to)) }
  const entered = tasks.filter(({ date_created }) => isIn(date_created))
  const inState = (state: string): Kept[] => entered.filter(({ assignment_status }) => assignment_status === state)
  const taskOf = ({ task_sid }: Kept): Kept | undefined => tasks.find(({ sid }) => sid === task_sid)
  const between = (first: Json | undefined, last: Json | undefined): number =>
    Math.round((Date.parse(textOf(last)) - Date.parse(textOf(first))) / 1_000)
  const waits = accepted.map((one) => between(taskOf(one)?.date_created ?? one.date_created, one.accepted_at))
  const canceled = inState('canceled').map((task) => between(task.date_created, task.date_updated))
  const split = textOf(twilio.query.SplitByWaitTime).split(',').filter(Boolean)
  const side = (isBelow: boolean, limit: number): Fields => {
    const fits = (seconds: number): boolean => seconds < limit === isBelow
    return { tasks_canceled: canceled.filter(fits).length, reservations_accepted: waits.filter(fits).length }
  }
  return {
    ...{ ...counts, avg_task_acceptance_time: spread(waits).avg, tasks_canceled: canceled.length, tasks_moved: 0 },
    [of === undefined ? 'tasks_created' : 'tasks_entered']: entered.length,
    ...{ tasks_completed: inState('completed').length, tasks_deleted: 0 },
    ...(of?.kind !== 'WQ' && { tasks_timed_out_in_workflow: 0 }),
    ...{ wait_duration_until_accepted: spread(waits), wait_duration_until_canceled: spread(canceled) },
    ...(of?.kind === 'WQ' && { wait_duration_in_queue_until_accepted: spread(waits) }),
    split_by_wait_time: Object.fromEntries(
      split.map((limit) => [limit, { above: side(false, Number(limit)), below: side(true, Number(limit)) }]),
    ),
  }
}

/** How long workers stayed in an activity, in seconds. */
function durationOf({ sid, friendly_name = '' }: Kept, workers: readonly Kept[], from: number, to: number): Fields {
  const seconds = workers.flatMap(({ stays }) => {
    const all = (Array.isArray(stays) ? stays : []) as { sid: string; since: string }[]
    return all.flatMap((stay, at) => {
      const start = Math.max(from, Date.parse(stay.since))
      const end = Math.min(to, Date.parse(all[at + 1]?.since ?? '9999-01-01'))
      return stay.sid === sid && end >= start ? [Math.round((end - start) / 1_000)] : []
    })
  })
  return { sid, friendly_name, ...spread(seconds) }
}

type Count = (twilio: TwilioRequest, scope: Scope) => Fields

const workersNow: Count = (twilio, scope) => {
  const { activity_statistics = [], total_workers = 0 } = realtime(twilio, scope)
  return { activity_statistics, total_workers }
}

/** The paths of statistics, what they have, and the field that names what they are of. */
const SUBJECTS: readonly (readonly [path: string, now: Count | undefined, name: string])[] = [
  ['', realtime, ''],
  ['/Workers', workersNow, ''],
  ['/Workers/{WorkerSid}', undefined, 'worker_sid'],
  ['/TaskQueues/{TaskQueueSid}', realtime, 'task_queue_sid'],
  ['/Workflows/{WorkflowSid}', realtime, 'workflow_sid'],
]

function operationsOf([path, now, name]: (typeof SUBJECTS)[number]): Operations {
  const answer = (count: Count) => (twilio: TwilioRequest) => {
    const [, sid] = Object.entries(twilio.path).find(([parameter]) => parameter !== 'WorkspaceSid') ?? []
    const scope = scopeOf(twilio, sid === undefined ? undefined : twilio.find('resources', sid))
    return { ...scope.ids, ...(sid !== undefined && { [name]: sid }), ...count(twilio, scope) }
  }
  return {
    [`GET ${WORKSPACE}${path}/Statistics`]: answer((twilio, scope) => ({
      ...(now && { realtime: now(twilio, scope) }),
      cumulative: cumulative(twilio, scope),
    })),
    ...(now && { [`GET ${WORKSPACE}${path}/RealTimeStatistics`]: answer(now) }),
    ...(now && { [`GET ${WORKSPACE}${path}/CumulativeStatistics`]: answer(cumulative) }),
  }
}

export const statistics: Operations = {
  ...Object.assign({}, ...SUBJECTS.map(operationsOf)),
  [`GET ${WORKSPACE}/TaskQueues/Statistics`]: (twilio) => {
    const { FriendlyName } = twilio.query
    const { sid } = twilio.find('resources', twilio.path.WorkspaceSid)
    const queues = twilio.records.resources.where({ kind: 'WQ', workspace_sid: sid })
    const asked = queues.filter(({ friendly_name }) => !FriendlyName || friendly_name === FriendlyName)
    return twilio.page('task_queues_statistics', asked, (queue) => {
      const { ids, ...scope } = scopeOf(twilio, queue)
      const counts = {
        realtime: realtime(twilio, { ids, ...scope }),
        cumulative: cumulative(twilio, { ids, ...scope }),
      }
      return { account_sid: twilio.account, workspace_sid: sid, task_queue_sid: queue.sid, ...counts }
    })
  },
}
