/** What apps bring of their own: calls, files elsewhere, and steps of workflows. */
import { authorOf, post } from './posting.ts'
import { toFile } from './shown.ts'
import {
  APP,
  defined,
  type Fields,
  isMissing,
  type Kept,
  listOf,
  type Methods,
  only,
  type SlackRequest,
  splitList,
  textOf,
  without,
} from './slack.ts'

const CALL = 'external_unique_id external_display_id join_url desktop_app_join_url title date_start'

/** The call of the request. */
const callOf = (slack: SlackRequest): Kept =>
  slack.records.calls.get(textOf(slack.args.id)) ?? slack.refuse('invalid_call_id')

const idOf = ({ slack_id, external_id }: Fields): string => textOf(slack_id ?? external_id)

const toCall = (call: Kept): Fields => without(defined(call), 'created_by')

/** Adds people to a call, or removes them. */
const participants = (isAdded: boolean) => (slack: SlackRequest) => {
  const call = callOf(slack)
  if (!isMissing(call.date_end)) slack.refuse('inactive_call')
  const [users, given] = [listOf(call.users), listOf(slack.args.users)]
  const isIn = (one: Fields) => users.some((other) => idOf(other) === idOf(one))
  if (given.some((one) => idOf(one) === '' || isIn(one) === isAdded)) slack.refuse('bad_users')
  const others = users.filter((one) => !given.some((other) => idOf(other) === idOf(one)))
  slack.records.calls.update(call, { users: isAdded ? [...users, ...given] : others })
  return {}
}

export const calls: Methods = {
  'POST /calls.add': (slack) => {
    const { args, me, records } = slack
    const created_by = args.created_by ?? (me.is_bot === true ? slack.refuse('invalid_created_by') : me.id)
    if (records.users.get(textOf(created_by)) === undefined) slack.refuse('invalid_created_by')
    const facts = { date_start: slack.unix, ...defined(only(args, CALL)), users: listOf(args.users), created_by }
    return { call: toCall(records.calls.create(facts)) }
  },
  'GET /calls.info': (slack) => ({ call: toCall(callOf(slack)) }),
  'POST /calls.update': (slack) => {
    const fields = defined(only(slack.args, 'join_url desktop_app_join_url title'))
    return { call: toCall(slack.records.calls.update(callOf(slack), fields)) }
  },
  'POST /calls.end': (slack) => {
    const call = callOf(slack)
    if (!isMissing(call.date_end)) slack.refuse('inactive_call')
    const { duration } = slack.args
    const date_end = isMissing(duration) ? slack.unix : Number(call.date_start) + Number(duration)
    slack.records.calls.update(call, { date_end })
    return {}
  },
  'POST /calls.participants.add': participants(true),
  'POST /calls.participants.remove': participants(false),
}

/** The file elsewhere that the request names, by its id or by the app's own. */
function remoteOf(slack: SlackRequest): Kept {
  const { file, external_id } = slack.args
  const { files } = slack.records
  const found = isMissing(file) ? files.find({ external_id: textOf(external_id) }) : files.get(textOf(file))
  return found?.state === 'remote' ? found : slack.refuse('file_not_found')
}

function checkBot(slack: SlackRequest): void {
  if (slack.me.is_bot !== true) slack.refuse('bot_user_required')
}

const REMOTE = { state: 'remote', mode: 'external', mimetype: 'application/vnd.slack-remote', size: 0 }

/** https://docs.slack.dev/messaging/working-with-files#remote */
export const remoteFiles: Methods = {
  'POST /files.remote.add': (slack) => {
    checkBot(slack)
    const { args, me, of, records, unix } = slack
    const { external_id = '', external_url = '', title = '' } = args
    const filetype = textOf(args.filetype) || 'remote'
    const pretty_type = filetype === 'remote' ? 'Remote' : filetype.toUpperCase()
    const own = { ...REMOTE, external_id, external_url, title, name: title, filetype, pretty_type }
    const known = records.files.find({ external_id })
    const file = known
      ? records.files.update(known, own)
      : records.files.create({ ...own, user: me.id, created: unix, origin: of.origin })
    return { file: toFile(file, slack) }
  },
  'GET /files.remote.info': (slack) => ({ file: toFile(remoteOf(slack), slack) }),
  'GET /files.remote.list': (slack) => {
    const { channel, ts_from, ts_to } = slack.args
    const found = slack.records.files.where(
      ({ state, channels, created }) =>
        state === 'remote' &&
        (isMissing(channel) || [channels].flat().includes(channel ?? '')) &&
        Number(created) >= Number(ts_from || 0) &&
        Number(created) <= Number(ts_to || Number.POSITIVE_INFINITY),
    )
    const { shown, response_metadata } = slack.page(found as Kept[], (file) => toFile(file, slack))
    return { files: shown, response_metadata }
  },
  'POST /files.remote.update': (slack) => {
    checkBot(slack)
    const { title, ...given } = defined(only(slack.args, 'external_url title filetype'))
    const fields = { ...given, ...(title !== undefined && { title, name: title }) }
    return { file: toFile(slack.records.files.update(remoteOf(slack), fields), slack) }
  },
  'POST /files.remote.share': (slack) => {
    const file = remoteOf(slack)
    const places = splitList(slack.args.channels)
    for (const channel of places.map((id) => slack.seenChannel(id)))
      post(slack, channel, { ...authorOf(slack.me), text: '', files: [file.id] })
    const channels = [...new Set([...[file.channels ?? []].flat(), ...places])]
    return { file: toFile(slack.records.files.update(file, { channels }), slack) }
  },
  'POST /files.remote.remove': (slack) => {
    slack.records.files.remove(remoteOf(slack))
    return {}
  },
}

/** Ends a step of a workflow. */
const complete = (facts: (args: Fields) => Fields) => (slack: SlackRequest) => {
  const { args, records } = slack
  const execution = records.executions.get(textOf(args.function_execution_id))
  if (execution === undefined) return slack.refuse('function_execution_not_found')
  if (execution.state !== 'running') slack.refuse('execution_not_in_running_state')
  records.executions.update(execution, facts(args))
  return {}
}

export const functions: Methods = {
  'POST /functions.completeSuccess': complete(({ outputs = {} }) => ({ state: 'completed', outputs })),
  'POST /functions.completeError': complete(({ error = null }) => ({ state: 'failed', error })),
}

/** A step of a workflow begins: what its event has besides the fields of the request. */
export function executed(slack: SlackRequest): Fields {
  const { callback_id = '', inputs = {}, function_execution_id } = slack.of.body
  const id = textOf(function_execution_id) || slack.newId('Fx')
  slack.records.executions.create({ id, callback_id, inputs })
  const step = { id: slack.newId('Fn'), callback_id, title: callback_id, type: 'app', app_id: APP }
  return {
    function: { ...step, description: '', input_parameters: [], output_parameters: [], date_deleted: 0 },
    inputs,
    function_execution_id: id,
    workflow_execution_id: slack.newId('Wx'),
    bot_access_token: slack.of.key ?? '',
  }
}
