import { post } from './posting.ts'
import { toChannel, toChannelOf, toMessage } from './shown.ts'
import {
  type Fields,
  fieldsOf,
  isChannel,
  isMember,
  isMissing,
  type Json,
  type Kept,
  type Methods,
  type Slack,
  type SlackRequest,
  sent,
  splitList,
  TEAM,
  textOf,
  textsOf,
} from './slack.ts'

const KINDS = ['public_channel', 'private_channel', 'im', 'mpim']
const LONGEST_NAME = 80
const LONGEST_TOPIC = 250
/** People in a conversation of several besides the user. */
const MOST_PEOPLE = 8

/** The conversations of the kinds that `types` names, the oldest first. */
function conversationsOf(slack: SlackRequest): Kept[] {
  const { types, exclude_archived } = slack.args
  const kinds = isMissing(types) ? ['public_channel'] : splitList(types)
  if (kinds.some((kind) => !KINDS.includes(kind))) slack.refuse('invalid_types')
  return slack.records.channels
    .where(
      ({ kind, is_archived }) => kinds.includes(textOf(kind)) && !(exclude_archived === true && is_archived === true),
    )
    .reverse()
}

/** A name of the request for a conversation. */
function newName(slack: SlackRequest): string {
  const name = textOf(slack.args.name).replace(/^#/, '')
  if (name === '') slack.refuse('invalid_name_required')
  if ([...name].length > LONGEST_NAME) slack.refuse('invalid_name_maxlength')
  if (/^[-_]+$/.test(name)) slack.refuse('invalid_name_punctuation')
  if (slack.records.channels.some({ name })) slack.refuse('name_taken')
  return name
}

/** What an event of a private channel is called in place of one of a channel. */
const eventOf = ({ kind }: Kept, what: string): string => `${kind === 'private_channel' ? 'group' : 'channel'}_${what}`

/** Sets `topic` or `purpose`. */
const setsText =
  (field: 'topic' | 'purpose') =>
  (slack: SlackRequest): object => {
    const channel = slack.joinedChannel()
    slack.checkActive(channel)
    slack.checkKind(channel.kind !== 'im')
    const value = textOf(slack.args[field])
    const { me, unix } = slack
    if ([...value].length > LONGEST_TOPIC) slack.refuse('too_long')
    slack.records.channels.update(channel, { [field]: { value, creator: me.id, last_set: unix }, updated: unix })
    const text = `<@${me.id}> set the channel ${field}: ${value}`
    post(slack, channel, { user: me.id, subtype: `channel_${field}`, text, extra: { [field]: value } })
    return { [field]: value, channel: toChannelOf(slack.seenChannel(), me) }
  }

/** Archives a channel, or opens it again. */
const setsArchived =
  (isArchived: boolean) =>
  (slack: SlackRequest): object => {
    const channel = slack.seenChannel()
    if (channel.kind === 'private_channel' && !isMember(channel, slack.me.id)) slack.refuse('not_in_channel')
    if (channel.is_archived === isArchived) slack.refuse(isArchived ? 'already_archived' : 'not_archived')
    if (isArchived && channel.is_general === true) slack.refuse('cant_archive_general')
    slack.checkKind(isChannel(channel))
    slack.records.channels.update(channel, { is_archived: isArchived, updated: slack.unix })
    const type = eventOf(channel, isArchived ? 'archive' : 'unarchive')
    slack.tell({ type, channel: channel.id, user: slack.me.id, is_moved: 0 })
    return {}
  }

const memberEvent = (channel: Kept, user: string): Fields => ({
  user,
  channel: channel.id,
  channel_type: channel.kind === 'private_channel' ? 'G' : 'C',
  team: TEAM,
})

/** Makes a user a member, with the events and the message of it. @param inviter the user who did it */
export function enter(slack: Slack, channel: Kept, user: string, inviter?: string): void {
  const members = [...new Set([...textsOf(slack.records.channels.get(channel)?.members), user])]
  slack.records.channels.update(channel, { members })
  slack.tell({ type: 'member_joined_channel', ...memberEvent(channel, user), inviter })
  const extra: Fields = inviter === undefined ? {} : { inviter }
  post(slack, channel, { user, subtype: 'channel_join', text: `<@${user}> has joined the channel`, extra })
}

function exit(slack: Slack, channel: Kept, user: string): void {
  const members = textsOf(channel.members).filter((member) => member !== user)
  slack.records.channels.update(channel, { members })
  slack.tell({ type: 'member_left_channel', ...memberEvent(channel, user) })
  post(slack, channel, { user, subtype: 'channel_leave', text: `<@${user}> has left the channel` })
}

/** Whether a message is in the span of time that the request asks for. */
function spanOf(slack: SlackRequest): (message: Kept) => boolean {
  const { oldest, latest, inclusive } = slack.args
  const isStamp = (text: Json | undefined): boolean => isMissing(text) || /^\d+(\.\d+)?$/.test(`${text}`)
  if (!isStamp(oldest)) slack.refuse('invalid_ts_oldest')
  if (!isStamp(latest)) slack.refuse('invalid_ts_latest')
  const from = Number(oldest || 0)
  const to = Number(latest || Number.POSITIVE_INFINITY)
  return ({ ts }) => {
    const at = Number(ts)
    return at >= from && at <= to && (inclusive === true || (at !== from && at !== to))
  }
}

/** Shows a message of a list: the payload of its metadata only where it is asked for. */
const toListed =
  (slack: SlackRequest) =>
  (message: Kept): Fields => {
    const { event_type } = fieldsOf(message.metadata)
    const isCut = event_type !== undefined && slack.args.include_all_metadata !== true
    return { ...toMessage(message, slack), ...(isCut && { metadata: { event_type } }) }
  }

export const conversations: Methods = {
  'GET /conversations.list': (slack) => {
    const { me } = slack
    const all = conversationsOf(slack).sort((one, other) => Number(one.created) - Number(other.created))
    const { shown, response_metadata } = slack.page(
      all.filter((channel) => slack.isSeen(channel)),
      (channel) => ({ ...toChannelOf(channel, me), num_members: textsOf(channel.members).length }),
    )
    return { channels: shown, response_metadata }
  },
  'GET /users.conversations': (slack) => {
    const { id } = slack.person()
    const { shown, response_metadata } = slack.page(
      conversationsOf(slack).filter((channel) => isMember(channel, id)),
      toChannel,
    )
    return { channels: shown, response_metadata }
  },
  'GET /conversations.info': (slack) => {
    const { args, me } = slack
    const channel = slack.seenChannel()
    return {
      channel: {
        ...toChannelOf(channel, me),
        ...(args.include_num_members === true && { num_members: textsOf(channel.members).length }),
        ...(args.include_locale === true && { locale: 'en-US' }),
        ...(isMember(channel, me.id) && { last_read: channel.last_read }),
      },
    }
  },
  'POST /conversations.create': (slack) => {
    const { args, me, unix } = slack
    const name = newName(slack)
    const kind = args.is_private === true ? 'private_channel' : 'public_channel'
    const channel = slack.createChannel(kind, [me.id], { name })
    const { id } = channel
    const shown = { id, name, created: unix, creator: me.id, is_channel: true, is_shared: false, context_team_id: TEAM }
    if (kind === 'public_channel') slack.tell({ type: 'channel_created', channel: shown })
    return { channel: toChannelOf(channel, me) }
  },
  'POST /conversations.rename': (slack) => {
    const { me, records, unix } = slack
    const channel = slack.joinedChannel()
    slack.checkKind(isChannel(channel))
    if (channel.creator !== me.id && me.is_admin !== true) slack.refuse('not_authorized')
    slack.checkActive(channel)
    const name = newName(slack)
    const { id, name: old_name = '', created = 0 } = channel
    const previous_names = [textOf(old_name), ...textsOf(channel.previous_names)]
    records.channels.update(channel, { name, updated: unix, previous_names })
    slack.tell({ type: eventOf(channel, 'rename'), channel: { id, name, created } })
    post(slack, channel, {
      user: me.id,
      subtype: 'channel_name',
      text: `has renamed the channel from "${old_name}" to "${name}"`,
      extra: { old_name, name },
    })
    return { channel: toChannelOf(slack.seenChannel(), me) }
  },
  'POST /conversations.archive': setsArchived(true),
  'POST /conversations.unarchive': setsArchived(false),
  'POST /conversations.setTopic': setsText('topic'),
  'POST /conversations.setPurpose': setsText('purpose'),
  'POST /conversations.join': (slack) => {
    const { me } = slack
    const channel = slack.seenChannel()
    slack.checkActive(channel)
    slack.checkKind(channel.kind === 'public_channel')
    const isIn = isMember(channel, me.id)
    if (!isIn) enter(slack, channel, me.id)
    const warning = { warning: 'already_in_channel', response_metadata: { warnings: ['already_in_channel'] } }
    return { channel: toChannelOf(slack.seenChannel(), me), ...(isIn && warning) }
  },
  'POST /conversations.invite': (slack) => {
    const { me, records } = slack
    const channel = slack.joinedChannel()
    slack.checkActive(channel)
    const guests = splitList(slack.args.users)
    if (guests.some((id) => records.users.get(id) === undefined)) slack.refuse('user_not_found')
    if (guests.includes(me.id)) slack.refuse('cant_invite_self')
    slack.checkKind(isChannel(channel))
    if (guests.some((id) => isMember(channel, id))) slack.refuse('already_in_channel')
    for (const id of guests) enter(slack, channel, id, me.id)
    return { channel: toChannelOf(slack.seenChannel(), me) }
  },
  'POST /conversations.kick': (slack) => {
    const { me, records } = slack
    const user = textOf(slack.args.user)
    const channel = slack.joinedChannel()
    slack.checkKind(isChannel(channel))
    if (user === me.id) slack.refuse('cant_kick_self')
    if (records.users.get(user) === undefined) slack.refuse('user_not_found')
    if (channel.is_general === true) slack.refuse('cant_kick_from_general')
    if (!isMember(channel, user)) slack.refuse('not_in_channel')
    exit(slack, channel, user)
    return { errors: {} }
  },
  'POST /conversations.leave': (slack) => {
    const channel = slack.seenChannel()
    if (channel.is_general === true) slack.refuse('cant_leave_general')
    slack.checkActive(channel)
    slack.checkKind(channel.kind !== 'im')
    if (!isMember(channel, slack.me.id)) return { not_in_channel: true }
    exit(slack, channel, slack.me.id)
    return {}
  },
  'GET /conversations.members': (slack) => {
    const { shown, response_metadata } = slack.page(textsOf(slack.seenChannel().members), (id) => id)
    return { members: shown, response_metadata }
  },
  'GET /conversations.history': (slack) => {
    const { id } = slack.joinedChannel()
    const isInSpan = spanOf(slack)
    const messages = slack.records.messages.where({ channel: id, in_channel: true }).filter(isInSpan)
    const { shown, ...more } = slack.page(messages, toListed(slack))
    const pin_count = slack.records.pins.count({ channel: id })
    const span = sent(slack.args, 'oldest latest')
    return { messages: shown, pin_count, ...span, channel_actions_ts: null, channel_actions_count: 0, ...more }
  },
  'GET /conversations.replies': (slack) => {
    const { id } = slack.joinedChannel()
    const isInSpan = spanOf(slack)
    const root = slack.messageAt(id, slack.args.ts) ?? slack.refuse('thread_not_found')
    const thread = slack.records.messages.where({ channel: id, thread_ts: root.ts ?? null }).reverse()
    const replies = thread.filter((message) => message.ts !== root.ts && isInSpan(message))
    const { shown, ...more } = slack.page([root, ...replies], toListed(slack), 1_000)
    return { messages: shown, ...more }
  },
  'POST /conversations.mark': (slack) => {
    slack.records.channels.update(slack.joinedChannel(), { last_read: textOf(slack.args.ts) })
    return {}
  },
  'POST /conversations.open': (slack) => {
    const { args, me, records } = slack
    const people = [...new Set([me.id, ...splitList(args.users)])]
    const kind = people.length > 2 ? 'mpim' : 'im'
    const isGiven = !isMissing(args.channel)
    if (!isGiven && isMissing(args.users)) slack.refuse('users_list_not_supplied')
    const known = isGiven ? slack.seenChannel() : slack.findDirect(kind, people)
    const names = people.map((id) => records.users.get(id)?.name ?? slack.refuse('user_not_found'))
    if (people.length > MOST_PEOPLE + 1) slack.refuse('too_many_users')
    const name = kind === 'mpim' ? `mpdm-${names.join('--')}-1` : null
    const channel = known ?? slack.createChannel(kind, people, { name })
    if (known?.is_closed === true) records.channels.update(known, { is_closed: false })
    const { id, created = 0 } = channel
    if (known === undefined && kind === 'im')
      slack.tell({ type: 'im_created', user: me.id, channel: { id, created, creator: me.id } })
    return {
      ...(known?.is_closed === false && { no_op: true, already_open: true }),
      channel: args.return_im === true || kind === 'mpim' ? toChannel(channel) : { id },
    }
  },
  'POST /conversations.close': (slack) => {
    const channel = slack.seenChannel()
    slack.checkKind(!isChannel(channel))
    slack.records.channels.update(channel, { is_closed: true })
    return channel.is_closed === true ? { no_op: true, already_closed: true } : {}
  },
}
