import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { formError, hasValue, refused, unknown } from './faults.ts'
import { bodyOf } from './forms.ts'
import { BOT } from './permissions.ts'

type Situation = (context: OperationContext) => object | undefined

const FORUMS = [15, 16]
const TAG_REQUIRED = 16
/** Types of messages that somebody wrote: plain ones, replies, and answers to commands. */
const WRITTEN = new Set([0, 19, 20, 23])
const MOST_OF_WEBHOOKS = 15
const MOST_OF_REACTIONS = 20

const channelOf = ({ records, path }: OperationContext): JsonObject =>
  fieldsOf(records.channels?.get(String(path.channel_id)))
const messageOf = ({ records, path }: OperationContext): JsonObject =>
  fieldsOf(records.messages?.get(String(path.message_id)))
const wrongType = (context: OperationContext): object =>
  refused(context, 400, 50024, 'Cannot execute action on this channel type')

const archived: Situation = (context) => {
  const { archived: is } = fieldsOf(channelOf(context).thread_metadata)
  return is === true && context.body.archived === undefined
    ? refused(context, 400, 50083, 'Thread is archived')
    : undefined
}

/** Threads stand below texts, announcements and forums. */
const thread: Situation = (context) => {
  const { type, flags } = channelOf(context)
  if (type !== undefined && ![0, 5, ...FORUMS].includes(Number(type))) return wrongType(context)
  const lacksTag =
    FORUMS.includes(Number(type)) && (Number(flags) & TAG_REQUIRED) !== 0 && !hasValue(bodyOf(context).applied_tags)
  return lacksTag ? refused(context, 400, 40067, 'A tag is required to create a forum post in this channel') : undefined
}

/** A bot writes to people whom it shares a guild with. */
const direct: Situation = (context) => {
  const { type, recipient_id = null } = channelOf(context)
  if (type !== 1) return undefined
  if (context.records.users?.get(String(recipient_id))?.bot === true)
    return refused(context, 403, 50007, 'Cannot send messages to this user')
  return context.records.members?.some({ user_id: recipient_id })
    ? undefined
    : refused(context, 403, 50278, 'Cannot send messages to this user due to having no mutual guilds')
}

const reaction: Situation = (context) => {
  const { message_id } = context.path
  const emoji = decodeURIComponent(String(context.path.emoji))
  const [name = '', id] = emoji.split(':')
  const isKnown = id === undefined ? /\p{Emoji}/u.test(name) : context.records.emojis?.get(id) !== undefined
  if (!isKnown) return refused(context, 400, 10014, 'Unknown Emoji')
  const names = new Set((context.records.reactions?.where({ message_id }) ?? []).map((one) => one.name))
  return names.size >= MOST_OF_REACTIONS && !names.has(emoji)
    ? refused(context, 403, 30010, `Maximum number of reactions reached (${MOST_OF_REACTIONS})`)
    : undefined
}

/** A webhook of a forum posts into threads, others do not make them. */
const execution: Situation = (context) => {
  const { records, path, query } = context
  const body = bodyOf(context)
  const hook = records.webhooks?.get(String(path.webhook_id))
  if (hook?.token !== path.webhook_token) return undefined
  const isForum = FORUMS.includes(Number(records.channels?.get(String(hook?.channel_id))?.type))
  const [named, placed] = [hasValue(body.thread_name), hasValue(query.thread_id)]
  if (isForum && !named && !placed)
    return refused(context, 400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id')
  if (isForum && named && placed)
    return refused(
      context,
      400,
      220002,
      'Webhooks posted to forum channels cannot have both a thread_name and thread_id',
    )
  return named && !isForum
    ? refused(context, 400, 220003, 'Webhooks can only create threads in forum channels')
    : undefined
}

/** An event begins, and ends, or is cancelled before. */
const NEXT: Readonly<Record<number, readonly Json[]>> = { 1: [2, 4], 2: [3], 3: [], 4: [] }
const event: Situation = (context) => {
  const { records, path, body } = context
  const now = Number(records.scheduled_events?.get(String(path.event_id))?.status)
  if (now > 2) return refused(context, 400, 180000, 'Cannot update a finished event')
  const allowed = NEXT[now] ?? []
  const fault = ['BASE_TYPE_CHOICES', `Value must be one of {${allowed.join(', ')}}.`] as const
  return body.status === undefined || body.status === now || allowed.includes(body.status)
    ? undefined
    : formError(context, new Map([['status', fault]]))
}

const knownOverwrite: Situation = (context) =>
  listOf(channelOf(context).permission_overwrites).some(({ id }) => id === context.path.overwrite_id)
    ? undefined
    : unknown(context, 10009, 'Overwrite')

const crosspost: Situation = (context) => {
  if (channelOf(context).type !== 5) return wrongType(context)
  return (Number(messageOf(context).flags ?? 0) & 1) === 1
    ? refused(context, 400, 40033, 'This message has already been crossposted')
    : undefined
}

const poll: Situation = (context) => {
  const { results } = fieldsOf(messageOf(context).poll)
  return fieldsOf(results).is_finalized === true ? refused(context, 400, 520001, 'Poll expired') : undefined
}

/** Nobody is in a voice channel. */
const voice: Situation = (context) =>
  ['mute', 'deaf', 'channel_id'].some((name) => context.body[name] !== undefined) &&
  context.records.members?.some({ user_id: context.path.user_id, guild_id: context.path.guild_id })
    ? refused(context, 400, 40032, 'Target user is not connected to voice.')
    : undefined

const webhooks: Situation = (context) =>
  (context.records.webhooks?.count({ channel_id: context.path.channel_id }) ?? 0) >= MOST_OF_WEBHOOKS
    ? refused(context, 400, 30007, `Maximum number of webhooks reached (${MOST_OF_WEBHOOKS})`)
    : undefined

/** An invitation like one that is there is that one, unless it is to be unique. */
const invitation: Situation = (context) => {
  const { records, path, body } = context
  const { unique, max_age = 86_400, max_uses = 0, temporary = false } = body
  const { channel_id } = path
  const same = unique !== true && records.invites?.find({ channel_id, max_age, max_uses, temporary, inviter_id: BOT })
  const listed = same && context.call('GET', `/channels/${channel_id}/invites`).body
  return same ? (listOf(listed).find(({ code }) => code === same.code) ?? undefined) : undefined
}

/** A stage channel has one stage at most. */
const stage: Situation = (context) => {
  const { channel_id = null } = context.body
  const { type } = fieldsOf(context.records.channels?.get(String(channel_id)))
  if (type === undefined) return unknown(context, 10003, 'Channel')
  if (type !== 13) return wrongType(context)
  return context.records.stage_instances?.some({ channel_id })
    ? refused(context, 400, 150006, 'The Stage is already open')
    : undefined
}

/** Refusals, and answers, by what is there. */
export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'POST /users/@me/channels': (context) =>
    context.records.users?.get(String(context.body.recipient_id)) === undefined || context.body.recipient_id === BOT
      ? refused(context, 400, 50033, 'Invalid Recipient(s)')
      : undefined,
  'PATCH /channels/{channel_id}': archived,
  'DELETE /channels/{channel_id}/permissions/{overwrite_id}': knownOverwrite,
  'POST /channels/{channel_id}/followers': (context) =>
    channelOf(context).type === 5 ? undefined : wrongType(context),
  'POST /channels/{channel_id}/messages': (context) => {
    const ids = bodyOf(context).sticker_ids
    const isKnown = !Array.isArray(ids) || ids.every((id) => context.records.stickers?.get(String(id)) !== undefined)
    return direct(context) ?? (isKnown ? undefined : refused(context, 400, 50081, 'Invalid Sticker Sent'))
  },
  'POST /channels/{channel_id}/messages/{message_id}/crosspost': crosspost,
  'PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me': reaction,
  'POST /channels/{channel_id}/messages/{message_id}/threads': thread,
  'POST /channels/{channel_id}/threads': thread,
  'POST /channels/{channel_id}/polls/{message_id}/expire': poll,
  'PATCH /channels/{channel_id}/messages/{message_id}': (context) => {
    const { poll: asked, type = 0 } = messageOf(context)
    if (!WRITTEN.has(Number(type))) return refused(context, 403, 50021, 'Cannot execute action on a system message')
    return asked ? refused(context, 400, 520003, 'Cannot edit a poll message') : undefined
  },
  'POST /channels/{channel_id}/invites': invitation,
  'POST /channels/{channel_id}/webhooks': webhooks,
  'POST /stage-instances': stage,
  'POST /webhooks/{webhook_id}/{webhook_token}': execution,
  'PATCH /guilds/{guild_id}/members/{user_id}': voice,
  'PATCH /guilds/{guild_id}/scheduled-events/{event_id}': event,
}
