/** What people do in the app's own parts, by test helpers, and what comes to the addresses that an app gets. */
import { executed } from './apps.ts'
import { completed } from './blocks.ts'
import { elementOf, submission, valuesIn } from './modals.ts'
import { attachmentsOf, type ContentFault, change, erase, faultOfContent, post, postingOf } from './posting.ts'
import { toMessage, toView } from './shown.ts'
import {
  ADA,
  APP,
  BOT,
  BOT_USER,
  defined,
  type Fields,
  fieldsOf,
  isMissing,
  type Kept,
  listOf,
  type SlackRequest,
  TEAM,
  textOf,
  without,
} from './slack.ts'

const GENERAL = 'C00GENERAL'
const ANSWERED_WITHIN_S = 30 * 60
const MOST_ANSWERS = 5

/** Who acts, and where. */
function actorOf({ of, records }: SlackRequest): { who: Kept | undefined; channel: Kept | undefined } {
  const { user_id, channel_id } = of.body
  return {
    who: records.users.get(textOf(user_id) || ADA),
    channel: records.channels.get(textOf(channel_id) || GENERAL),
  }
}

/** Keeps what a person does, which sends it to the app. */
function act(
  slack: SlackRequest,
  payloadOf: (ids: { trigger_id: string; response_url: string }) => Fields,
  { type, channel, message }: { type: string; channel: Kept | undefined; message?: Kept | undefined },
): object {
  const { of, records } = slack
  const trigger_id = `1${slack.digits(12)}.1${slack.digits(11)}.${slack.hex(32)}`
  const response_url = `${of.origin}/responses/${trigger_id}`
  records.acts.create({
    id: trigger_id,
    type,
    until: slack.unix + ANSWERED_WITHIN_S,
    channel: channel?.id ?? '',
    message: message?.id ?? null,
    ahead: of.ahead,
    payload: payloadOf({ trigger_id, response_url }),
  })
  return { ok: true, trigger_id, response_url }
}

function command(slack: SlackRequest): object {
  const { who, channel } = actorOf(slack)
  const { command = '', text } = slack.of.body
  const payloadOf = (ids: Fields): Fields => ({
    token: 'backlot',
    team_id: TEAM,
    team_domain: 'backlot',
    channel_id: channel?.id ?? '',
    channel_name: channel?.name ?? '',
    user_id: who?.id ?? '',
    user_name: who?.name ?? '',
    command,
    text: text ?? '',
    api_app_id: APP,
    is_enterprise_install: 'false',
    ...ids,
  })
  return act(slack, payloadOf, { type: 'slash_command', channel })
}

/** What a person chose, by block and action, over what is given. */
function chosenIn(given: Fields, actions: readonly Fields[]): Fields {
  const values = { ...given }
  for (const { block_id, action_id, text: _, placeholder: __, action_ts: ___, ...chosen } of actions)
    if (chosen.type !== 'button' && chosen.type !== 'overflow')
      values[String(block_id)] = { [String(action_id)]: chosen, ...fieldsOf(values[String(block_id)]) }
  return values
}

/** The parts of a payload that its type alone has. */
function partsOfType(type: string, body: Fields, action_ts: string, blocks: readonly Fields[]): Fields {
  const { action_id = '', value = '', is_cleared = false } = body
  const { block_id = elementOf(blocks, action_id).block_id ?? '' } = body
  if (type === 'view_submission') return { response_urls: [] }
  if (type === 'shortcut' || type === 'message_action') return { action_ts }
  if (type === 'block_suggestion') return { action_id, block_id, value }
  return type === 'view_closed' ? { is_cleared } : {}
}

function interaction(slack: SlackRequest): object {
  const { of, records, stamp } = slack
  const { body } = of
  const { who, channel } = actorOf(slack)
  const type = textOf(body.type) || 'block_actions'
  const message = slack.messageAt(channel?.id, body.message_ts)
  const opened = records.views.get(textOf(body.view_id))
  const state = fieldsOf(body.state)
  const given = fieldsOf(state.values ?? state)
  const isAction = type === 'block_actions'
  const shownMessage = message && toMessage(message, slack)
  const shownView = opened && toView(opened)
  // An action shows what stands in the message or view: its block, text and value.
  const blocks = listOf((shownMessage ?? shownView)?.blocks)
  const actions = isAction
    ? listOf(body.actions).map((one) => ({ ...elementOf(blocks, one.action_id), ...one, action_ts: stamp }))
    : []
  const values = valuesIn(blocks, isAction ? chosenIn(given, actions) : given)
  const container = opened
    ? { type: 'view', view_id: opened.id }
    : defined({ type: 'message', message_ts: message?.ts, channel_id: channel?.id, is_ephemeral: false })
  const payloadOf = ({ trigger_id, response_url }: { trigger_id: string; response_url: string }): Fields => ({
    type,
    team: { id: TEAM, domain: 'backlot' },
    enterprise: null,
    user: { id: who?.id ?? '', username: who?.name ?? '', name: who?.name ?? '', team_id: TEAM },
    api_app_id: APP,
    token: 'backlot',
    trigger_id,
    is_enterprise_install: false,
    ...defined({ callback_id: body.callback_id }),
    ...(shownView && { view: { ...shownView, state: { values } } }),
    ...(message && {
      ...{ channel: { id: channel?.id ?? '', name: channel?.name ?? '' }, message: shownMessage ?? null },
      ...{ message_ts: message.ts ?? '', response_url },
    }),
    ...((isAction || type === 'block_suggestion') && { container }),
    ...(isAction && !opened && { state: { values } }),
    ...(isAction && { actions }),
    ...partsOfType(type, body, stamp, blocks),
  })
  if (type === 'view_closed' && opened !== undefined) records.views.remove(opened)
  return act(slack, payloadOf, { type, channel, message })
}

/** Sends an event that no method causes. */
function event(slack: SlackRequest): object {
  const { body } = slack.of
  const user = textOf(body.user_id) || textOf(body.user) || ADA
  const home = slack.records.views.find({ user })
  const opened = {
    user,
    channel: 'D00BACKLOT',
    tab: 'home',
    view: home && body.tab !== 'messages' ? toView(home) : undefined,
  }
  const isStep = body.type === 'function_executed'
  slack.tell({
    ...(body.type === 'app_home_opened' && opened),
    ...(isStep && executed(slack)),
    ...without(body, isStep ? 'user_id callback_id' : 'user_id'),
  })
  return { ok: true }
}

/** A message that an app sends without a token. */
const postingOfApp = (args: Fields): Fields => postingOf(args, { user: BOT_USER, bot_id: BOT, app_id: APP })

/** What an app sends to the `response_url` of an act. */
function responded(slack: SlackRequest): object {
  const { of, records } = slack
  const args = of.body
  const act = records.acts.get(of.path.trigger_id)
  if (act === undefined || Number(act.uses) >= MOST_ANSWERS) return of.respond({ status: 404, body: 'used_url' })
  if (Number(act.until) < slack.unix) return of.respond({ status: 404, body: 'expired_url' })
  const fault = args.delete_original === true ? undefined : faultOfContent(args)
  if (fault !== undefined) refuse(slack, fault)
  records.acts.update(act, { uses: Number(act.uses) + 1 })
  const message = records.messages.get(textOf(act.message))
  const channel = records.channels.get(textOf(act.channel))
  if (channel !== undefined && message !== undefined && args.delete_original === true) erase(slack, channel, message)
  else if (channel !== undefined && message !== undefined && args.replace_original === true)
    change(slack, channel, message, {
      text: args.text || '',
      blocks: args.blocks == null ? null : completed(args.blocks),
      attachments: attachmentsOf(args.attachments) ?? message.attachments ?? null,
    })
  else if (channel !== undefined && args.response_type === 'in_channel' && args.replace_original !== true)
    post(slack, channel, postingOfApp(args))
  return of.respond({ body: 'ok' })
}

const refuse = (slack: SlackRequest, { error, more }: ContentFault): never => slack.refuse(error, more)

/** An incoming webhook posts into #general, and answers with texts. */
function incoming(slack: SlackRequest): object {
  const { of, records } = slack
  const { team, bot } = of.path
  const says = (status: number, body: string): object => of.respond({ status, body })
  if (team !== TEAM) return says(404, 'no_team')
  if (bot !== BOT) return says(404, 'no_service')
  const body = fieldsOf(of.body)
  const args = fieldsOf(body.payload ?? body)
  const fault = faultOfContent(args)
  if (fault !== undefined) return says(400, fault.error)
  const channel = records.channels.get(GENERAL)
  if (channel === undefined) return says(404, 'channel_not_found')
  const thread = isMissing(args.thread_ts) ? undefined : slack.messageAt(channel.id, args.thread_ts)
  if (!isMissing(args.thread_ts) && thread === undefined) return says(400, 'invalid_thread_ts')
  post(slack, channel, { ...without(postingOfApp(args), 'user'), subtype: 'bot_message' })
  return says(200, 'ok')
}

/** Takes the bytes of a file. */
function upload({ of, records }: SlackRequest): object {
  const file = records.files.get(of.path.file)
  if (file === undefined) return of.respond({ status: 404, body: 'not_found' })
  records.files.update(file, { state: 'uploaded', base64: of.files[0]?.base64 ?? '' })
  return { ok: true, file_id: file.id }
}

function download({ of, records }: SlackRequest): object {
  const file = records.files.get(of.path.file?.split('-')[1])
  if (file === undefined) return of.respond({ status: 404, body: 'not_found' })
  return of.respond({
    headers: { 'Content-Type': textOf(file.mimetype) },
    body: Buffer.from(textOf(file.base64), 'base64'),
  })
}

/** Operations that are no methods of Slack's API: they answer as they are. */
export const interactions: Readonly<Record<string, (slack: SlackRequest) => object>> = {
  'POST /test_helpers/commands': command,
  'POST /test_helpers/interactions': interaction,
  'POST /test_helpers/events': event,
  'POST /responses/{trigger_id}': responded,
  'POST /submissions/{trigger_id}': submission,
  'POST /services/{team}/{bot}/{token}': incoming,
  'POST /upload/v1/{file}': upload,
  'GET /files-pri/{file}/{name}': download,
  'GET /files-pri/{file}/download/{name}': download,
}
