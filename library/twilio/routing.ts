import { jsonOr, readPath, valueText } from '../../src/protocol/json.ts'
import { documentOf } from './sending.ts'
import {
  type Fields,
  fieldsOf,
  isMissing,
  type Json,
  type Kept,
  listOf,
  type Operations,
  type Twilio,
  type TwilioRequest,
  textOf,
  viewOf,
} from './twilio.ts'

const WORKSPACE = '/taskrouter/v1/Workspaces/{WorkspaceSid}'
const TOKEN = /"[^"]*"|'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w.]*|[=!<>]=|[=<>()[\],]/g
/** What an expression compares; without a value, nothing is more or less. */
const numberOf = (value: Json): number => (value === null ? Number.NaN : Number(value))
const COMPARISONS: Readonly<Record<string, (left: Json, right: Json) => boolean>> = {
  '==': (left, right) => left === right,
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => numberOf(left) > numberOf(right),
  '>=': (left, right) => numberOf(left) >= numberOf(right),
  '<': (left, right) => numberOf(left) < numberOf(right),
  '<=': (left, right) => numberOf(left) <= numberOf(right),
  HAS: (left, right) => Array.isArray(left) && left.includes(right),
  IN: (left, right) => Array.isArray(right) && right.includes(left),
  CONTAINS: (left, right) => valueText(left).includes(valueText(right)),
}

/** Whether attributes are what an expression asks for: twilio.com/docs/taskrouter/expression-syntax. */
export function matches(expression: string, attributes: Fields): boolean {
  const tokens = expression.match(TOKEN) ?? []
  let at = 0
  const takes = (word: string): boolean => tokens[at]?.toUpperCase() === word && ++at > 0
  const value = (): Json => {
    const token = tokens[at++] ?? ''
    const items: Json[] = []
    if (token === '[') while (at < tokens.length && !takes(']')) takes(',') || items.push(value())
    if (token === '[') return items
    if (/^["']/.test(token)) return token.slice(1, -1)
    return (
      jsonOr(token.toLowerCase(), undefined) ?? (readPath(attributes, token.split('.')) as Json | undefined) ?? null
    )
  }
  const one = (): boolean => {
    if (takes('NOT')) return !one()
    if (takes('(')) {
      const inside = any()
      takes(')')
      return inside
    }
    const left = value()
    const isNegated = takes('NOT')
    const compare = COMPARISONS[(tokens[at] ?? '').toUpperCase()]
    if (compare === undefined) return left === true
    at++
    return compare(left, value()) !== isNegated
  }
  const every = (): boolean => {
    let all = one()
    while (takes('AND')) all = one() && all
    return all
  }
  const any = (): boolean => {
    let some = every()
    while (takes('OR')) some = every() || some
    return some
  }
  return any()
}

export const attributesOf = ({ attributes }: Fields): Fields => fieldsOf(jsonOr(valueText(attributes ?? ''), null))

/** The channel of a new task. */
export function channelOf(twilio: TwilioRequest): Fields {
  const asked = twilio.text('TaskChannel') || 'default'
  const channels = twilio.records.resources.where({ kind: 'TC', workspace_sid: twilio.path.WorkspaceSid ?? '' })
  const channel = channels.find((one) => [one.sid, one.unique_name].includes(asked))
  return { task_channel_sid: channel?.sid ?? null, task_channel_unique_name: channel?.unique_name ?? 'default' }
}

/** The queue and the priority that the workflow of a new task gives it; without a `WorkflowSid`, that of the workspace. */
export function placeOf(twilio: TwilioRequest): Fields {
  const { resources } = twilio.records
  const usual = resources.find({ kind: 'WW', workspace_sid: twilio.path.WorkspaceSid ?? '' })
  const aim = twilio.text('RoutingTarget')
  const workflow = resources.get(aim.startsWith('WW') ? aim : twilio.text('WorkflowSid')) ?? usual
  const asked = aim.startsWith('WQ') ? aim : twilio.text('TaskQueueSid')
  if (workflow === undefined && asked === '') return {}
  const routing = fieldsOf(fieldsOf(jsonOr(textOf(workflow?.configuration), null)).task_routing)
  const attributes = attributesOf({ attributes: twilio.text('Attributes') })
  const filter = listOf(routing.filters).find(({ expression = '' }) => matches(textOf(expression), attributes))
  const target = listOf(filter?.targets)[0] ?? fieldsOf(routing.default_filter)
  const { queue = '', priority = 0 } = { ...target, ...(asked !== '' && { queue: asked }) }
  return {
    ...(workflow && { workflow_sid: workflow.sid, workflow_friendly_name: workflow.friendly_name ?? null }),
    ...{ task_queue_sid: queue || null, priority: Number(priority), task_queue_entered_date: twilio.time },
    task_queue_friendly_name: resources.get(textOf(queue))?.friendly_name ?? null,
    ignore_capacity: aim.startsWith('WK'),
  }
}

const LIVE = ['pending', 'accepted', 'wrapping']
const isLive = ({ reservation_status }: Kept): boolean => LIVE.includes(textOf(reservation_status))

/** The channels of a worker, each for a task channel of the workspace. */
export function channelsFor(twilio: Twilio, { account_sid = '', workspace_sid = '' }: Fields): void {
  const { resources } = twilio.records
  for (const { sid: worker_sid } of resources.where({ kind: 'WK', workspace_sid }))
    for (const { sid, unique_name = '' } of resources.where({ kind: 'TC', workspace_sid }).reverse())
      if (!resources.some({ kind: 'WC', worker_sid, task_channel_sid: sid }))
        twilio.create('resources', {
          ...{ kind: 'WC', sid: twilio.sid('WC'), account_sid, workspace_sid, worker_sid, task_channel_sid: sid },
          ...{ task_channel_unique_name: unique_name, available: true, configured_capacity: 1 },
        })
}

const liveOf = ({ resources }: Twilio['records'], worker_sid: Json): Kept[] =>
  resources.where({ kind: 'WR', worker_sid }).filter(isLive)

/** How many of a worker's tasks came by a channel. */
export const tasksBy = ({ records }: Twilio, worker_sid: Json, channel: Json | undefined): number =>
  liveOf(records, worker_sid).filter(
    ({ task_sid }) => records.resources.get(textOf(task_sid))?.task_channel_unique_name === channel,
  ).length

/** Whether a worker can take another task by this channel. */
function hasRoom(twilio: Twilio, { sid, workspace_sid = '' }: Kept, task: Kept): boolean {
  const { resources } = twilio.records
  if (resources.get(textOf(workspace_sid))?.multi_task_enabled === false)
    return liveOf(twilio.records, sid).length === 0
  const { task_channel_unique_name: channel = 'default' } = task
  const own = resources.find({ kind: 'WC', worker_sid: sid, task_channel_unique_name: channel })
  return own?.available !== false && tasksBy(twilio, sid, channel) < Number(own?.configured_capacity ?? 1)
}

/** Reserves each waiting task for a worker who matches its queue, did not refuse it, and has room, if the task asks for that. */
export function route(twilio: Twilio, workspace_sid: string): void {
  const { resources } = twilio.records
  const of = { workspace_sid }
  const waiting = resources.where({ ...of, kind: 'WT', assignment_status: 'pending' }).reverse()
  for (const task of waiting.sort((a, b) => Number(b.priority) - Number(a.priority))) {
    const queue = resources.get(textOf(task.task_queue_sid))
    const isForOne = /^WK/.test(textOf(task.routing_target))
    const isFree = (worker: Kept): boolean =>
      matches(textOf(queue?.target_workers), attributesOf(worker)) &&
      (!isForOne || task.routing_target === worker.sid) &&
      ((isForOne && task.ignore_capacity === true) || (worker.available === true && hasRoom(twilio, worker, task))) &&
      !resources.some({ kind: 'WR', worker_sid: worker.sid, task_sid: task.sid })
    const worker =
      queue &&
      resources
        .where({ ...of, kind: 'WK' })
        .reverse()
        .find(isFree)
    if (worker !== undefined) reserve(twilio, task, worker)
  }
}

function reserve(twilio: Twilio, task: Kept, worker: Kept): void {
  const { account_sid = '', priority, sid, task_queue_sid, workflow_sid, workspace_sid = '' } = task
  const reservation = twilio.create('resources', {
    ...{ sid: twilio.sid('WR'), kind: 'WR', account_sid, workspace_sid, task_sid: sid, reservation_status: 'pending' },
    ...{ worker_sid: worker.sid, worker_name: worker.friendly_name ?? '' },
  })
  twilio.update('resources', task, { assignment_status: 'reserved' })
  const workflow = twilio.records.resources.get(textOf(workflow_sid))
  twilio.later(Number(workflow?.task_reservation_timeout ?? 120), reservation, 'unreserved')
  twilio.happen('reservation.created', workflow?.assignment_callback_url, {
    ...{
      AccountSid: account_sid,
      WorkspaceSid: workspace_sid,
      WorkflowSid: workflow_sid,
      TaskQueueSid: task_queue_sid,
    },
    ...{
      TaskSid: sid,
      TaskAttributes: task.attributes,
      TaskPriority: String(priority),
      ReservationSid: reservation.sid,
    },
    ...{ WorkerSid: worker.sid, WorkerName: worker.friendly_name, WorkerAttributes: worker.attributes },
  })
}

/** What a reservation's status makes of its task. */
const TASK_STATUS: Readonly<Record<string, string>> = {
  ...{ accepted: 'assigned', rejected: 'pending', timeout: 'pending', wrapping: 'wrapping', completed: 'completed' },
  ...{ canceled: 'canceled', rescinded: 'pending' },
}

function settle(twilio: Twilio, reservation: Kept, status: string): Kept {
  const task = twilio.records.resources.get(textOf(reservation.task_sid))
  const accepted = status === 'accepted' && { accepted_at: twilio.time }
  const settled = twilio.update('resources', reservation, { reservation_status: status, ...accepted })
  const assignment_status = TASK_STATUS[status]
  if (task !== undefined && assignment_status !== undefined) twilio.update('resources', task, { assignment_status })
  route(twilio, textOf(reservation.workspace_sid))
  return settled
}

/** What a worker gets with an activity: whether tasks may come, and since when. */
export function stayIn({ time }: Twilio, activity: Kept, worker?: Fields): Fields {
  const { available = false, friendly_name = '', sid } = activity
  if (worker?.activity_sid === sid) return {}
  const stays = [...listOf(worker?.stays), { sid, since: time }]
  return { available, activity_name: friendly_name, activity_sid: sid, date_status_changed: time, stays }
}

/** Gives the worker of a reservation the activity that fits, if there is one. */
function setActivity(twilio: Twilio, { worker_sid, workspace_sid = '' }: Kept, test: Fields): void {
  const { resources } = twilio.records
  const worker = resources.get(textOf(worker_sid))
  const activity = resources.find({ ...test, kind: 'WA', workspace_sid })
  if (worker === undefined || activity === undefined) return
  twilio.update('resources', worker, stayIn(twilio, activity, worker))
}

/** What an instruction makes of a reservation: all but `reject` connect its worker. */
const statusBy = (instruction: Json | undefined): string =>
  isMissing(instruction) ? '' : instruction === 'reject' ? 'rejected' : 'accepted'

/** Nobody has accepted a reservation in time: its worker goes offline. */
export function unreserve(twilio: Twilio, reservation: Kept): void {
  if (reservation.reservation_status !== 'pending') return
  setActivity(twilio, reservation, { friendly_name: 'Offline' })
  settle(twilio, reservation, 'timeout')
}

/** Refuses a status that a task cannot have now. */
export function checkTask(twilio: TwilioRequest): void {
  const { AssignmentStatus: status } = twilio.body
  const { Sid = '', WorkspaceSid } = twilio.path
  const now = textOf(twilio.records.resources.get(Sid)?.assignment_status)
  const task = `task ${Sid} in workspace ${WorkspaceSid} because it is not currently`
  if (status === 'completed' && !['assigned', 'wrapping'].includes(now))
    twilio.refuse(20001, `Cannot complete ${task} assigned.`)
  if (status === 'canceled' && !['pending', 'reserved'].includes(now))
    twilio.refuse(20001, `Cannot cancel ${task} pending or reserved.`)
}

/** What a task's new status makes of its reservation. */
export function followTask(twilio: TwilioRequest, { assignment_status, sid }: Kept): void {
  const reservation = twilio.records.resources.where({ kind: 'WR', task_sid: sid }).find(isLive)
  const reservation_status = textOf(assignment_status)
  if (reservation !== undefined && ['canceled', 'completed', 'wrapping'].includes(reservation_status))
    twilio.update('resources', reservation, { reservation_status })
}

const show = viewOf(`${WORKSPACE}/Tasks/{TaskSid}/Reservations`, '', 'accepted_at kind')

const ofParent = (parent: 'Task' | 'Worker'): Operations => {
  const path = `${WORKSPACE}/${parent}s/{${parent}Sid}/Reservations`
  const field = parent === 'Task' ? 'task_sid' : 'worker_sid'
  const all = (twilio: TwilioRequest): Kept[] => {
    const { sid } = twilio.find('resources', twilio.path[`${parent}Sid`])
    return twilio.records.resources.where({ kind: 'WR', [field]: sid })
  }
  const find = (twilio: TwilioRequest) => all(twilio).find(({ sid }) => sid === twilio.path.Sid) ?? twilio.gone()
  return {
    [`GET ${path}`]: (twilio) =>
      twilio.page('reservations', twilio.asked(all(twilio), 'ReservationStatus'), (one) => show(one, twilio)),
    [`GET ${path}/{Sid}`]: (twilio) => show(find(twilio), twilio),
    [`POST ${path}/{Sid}`]: (twilio) => {
      const reservation = find(twilio)
      const status = twilio.text('ReservationStatus') || statusBy(twilio.body.Instruction)
      const from = ['completed', 'wrapping'].includes(status) ? ['accepted', 'wrapping'] : ['pending']
      if (!(status in TASK_STATUS)) twilio.refuse(20001, `ReservationStatus is invalid: ${status}`)
      if (!from.includes(textOf(reservation.reservation_status)))
        twilio.refuse(
          20001,
          `Cannot set reservation ${reservation.sid} to ${status}: it is ${reservation.reservation_status}.`,
        )
      setActivity(twilio, reservation, { sid: twilio.text('WorkerActivitySid') })
      return show(settle(twilio, reservation, status), twilio)
    },
  }
}

const CHANNELS = `${WORKSPACE}/Workers/{WorkerSid}/Channels`
const showOwn = viewOf(CHANNELS, '', 'kind')

function showChannel(twilio: TwilioRequest, channel: Kept): Fields {
  const { worker_sid = '', task_channel_unique_name, configured_capacity = 1 } = channel
  const assigned_tasks = tasksBy(twilio, worker_sid, task_channel_unique_name)
  const left = Math.max(0, Number(configured_capacity) - assigned_tasks) / Number(configured_capacity)
  return { ...showOwn(channel, twilio), assigned_tasks, available_capacity_percentage: Math.round(left * 100) || 0 }
}

/** The channels of the worker that the path names. */
const channelsOf = (twilio: TwilioRequest): Kept[] =>
  twilio.records.resources.where({ kind: 'WC', worker_sid: twilio.find('resources', twilio.path.WorkerSid).sid })

const workerChannel = (twilio: TwilioRequest): Kept =>
  channelsOf(twilio).find(({ sid, ...one }) =>
    [sid, one.task_channel_sid, one.task_channel_unique_name].includes(twilio.path.Sid ?? ''),
  ) ?? twilio.gone()

const channels: Operations = {
  [`GET ${CHANNELS}`]: (twilio) =>
    twilio.page('channels', channelsOf(twilio).reverse(), (one) => showChannel(twilio, one)),
  [`GET ${CHANNELS}/{Sid}`]: (twilio) => showChannel(twilio, workerChannel(twilio)),
  [`POST ${CHANNELS}/{Sid}`]: (twilio) => {
    const { Available, Capacity } = twilio.body
    const changed = twilio.update('resources', workerChannel(twilio), {
      ...(Capacity !== undefined && { configured_capacity: Number(Capacity) }),
      ...(Available !== undefined && { available: String(Available) === 'true' }),
    })
    route(twilio, textOf(changed.workspace_sid))
    return showChannel(twilio, changed)
  },
}

export const routing: Operations = {
  ...channels,
  ...ofParent('Task'),
  ...ofParent('Worker'),
  /** What the assignment callback has answered. */
  'POST /test_helpers/reservations/{ReservationSid}/instruction': (twilio) => {
    const reservation = twilio.find('resources', twilio.path.ReservationSid)
    const { instruction, activity_sid = '' } = fieldsOf(jsonOr(documentOf(twilio), null))
    const status = statusBy(instruction)
    if (reservation.reservation_status !== 'pending' || status === '') return {}
    setActivity(twilio, reservation, { sid: activity_sid })
    settle(twilio, reservation, status)
    return {}
  },
}
