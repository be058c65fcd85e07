/** Messages: what is sent in them, and how they come into a conversation, change and go. */
import { getOwn } from '../../src/protocol/json.ts'
import { checkBlocks, completed, faultsWith } from './blocks.ts'
import { toChannelType, toMessage } from './shown.ts'
import {
  APP,
  BOT,
  BOT_USER,
  defined,
  type Fields,
  fieldsOf,
  isMember,
  isMissing,
  type Json,
  type Kept,
  listOf,
  SLACKBOT,
  type Slack,
  type SlackRequest,
  stampOf,
  TEAM,
  textOf,
  textsOf,
} from './slack.ts'

const MOST_LETTERS = 40_000
const MOST_ATTACHMENTS = 100
const MOST_BLOCKS = 50
/** Colours of attachments that have names. */
const COLORS: Readonly<Record<string, string>> = { good: '2eb886', warning: 'daa038', danger: 'a30200' }

/** Who writes with a token: the bot, or a person. */
export const authorOf = ({ id, is_bot }: Kept): Fields =>
  is_bot === true ? { user: BOT_USER, bot_id: BOT, app_id: APP } : { user: id }

/** Whether a message has anything but a text. */
export const hasParts = ({ blocks, attachments }: Fields): boolean =>
  listOf(blocks).length > 0 || listOf(attachments).length > 0

/** Why a message is refused. */
export interface ContentFault {
  readonly error: string
  readonly more?: Fields
}

export function faultOfContent(args: Fields): ContentFault | undefined {
  const { text, markdown_text, blocks, metadata } = args
  if (!isMissing(markdown_text) && (!isMissing(text) || listOf(blocks).length > 0))
    return { error: 'markdown_text_conflict' }
  const { event_type, event_payload } = fieldsOf(metadata)
  if (metadata && (typeof event_type !== 'string' || typeof event_payload !== 'object'))
    return { error: 'invalid_metadata_format' }
  const messages = faultsWith((fault) => checkBlocks(listOf(blocks), MOST_BLOCKS, '/blocks', fault))
  if (messages.length > 0) return { error: 'invalid_blocks', more: { code: 'faulty', errors: messages, messages } }
  if (isMissing(text) && isMissing(markdown_text) && !hasParts(args)) return { error: 'no_text' }
  if ([...textOf(text)].length > MOST_LETTERS) return { error: 'msg_too_long' }
  return listOf(args.attachments).length > MOST_ATTACHMENTS ? { error: 'too_many_attachments' } : undefined
}

export function checkContent(slack: SlackRequest): void {
  const fault = faultOfContent(slack.args)
  if (fault !== undefined) slack.refuse(fault.error, fault.more)
}

function toAttachment(attachment: Fields, at: number): Fields {
  const { color, text, title } = attachment
  return defined({
    id: at + 1,
    fallback: text || title || '[no preview available]',
    ...attachment,
    color: isMissing(color) ? null : (getOwn(COLORS, textOf(color)) ?? textOf(color).replace(/^#/, '')),
  })
}

export const attachmentsOf = (value: Json | undefined): Fields[] | undefined =>
  value == null ? undefined : listOf(completed(value)).map(toAttachment)

/** The fields of a message as they are sent. */
export function postingOf(args: Fields, author: Fields): Fields {
  const { username, icon_emoji, icon_url, thread_ts } = args
  const icons = defined({ emoji: icon_emoji, image_64: icon_url })
  const isRenamed = !isMissing(username)
  const isBroadcast = args.reply_broadcast === true && !isMissing(thread_ts)
  return defined({
    ...author,
    ...(isRenamed && { user: null }),
    text: args.text || args.markdown_text || '',
    blocks: args.blocks == null ? null : completed(args.blocks),
    attachments: attachmentsOf(args.attachments),
    thread_ts: thread_ts || null,
    metadata: args.metadata,
    username,
    icons: Object.keys(icons).length > 0 ? icons : null,
    subtype: isRenamed ? 'bot_message' : isBroadcast ? 'thread_broadcast' : null,
  })
}

/** Refuses a reply to a message that is not there. */
export function checkThread(slack: SlackRequest, channel: Kept): void {
  const { thread_ts } = slack.args
  if (isMissing(thread_ts) || slack.messageAt(channel.id, thread_ts) !== undefined) return
  slack.refuse(textOf(thread_ts).includes('.') ? 'thread_not_found' : 'invalid_thread_ts')
}

/** Posts a message, whose thread is there. Returns it as it is kept. */
export function post(slack: Slack, { id: channel }: Kept, posting: Fields): Kept {
  const { records } = slack
  // As it is by now: a request may post twice.
  const place = fieldsOf(records.channels.get(channel))
  const at = Math.max(slack.micros, Number(place.last_at) + 1)
  const ts = stampOf(at)
  const thread = posting.thread_ts === undefined ? undefined : slack.messageAt(channel, posting.thread_ts)
  const in_channel = thread === undefined || posting.subtype === 'thread_broadcast'
  const message = records.messages.create({ id: `${channel}-${ts}`, channel, ts, at, in_channel, ...posting })
  records.channels.update(channel, { last_at: at })
  if (thread !== undefined)
    records.messages.update(thread, {
      thread_ts: thread.ts ?? null,
      reply_count: Number(thread.reply_count) + 1,
      reply_users: [...new Set([...textsOf(thread.reply_users), textOf(posting.user)])],
      latest_reply: ts,
    })
  const shown = toMessage(message, slack)
  slack.tell({ ...shown, channel, channel_type: toChannelType(place), event_ts: ts })
  const { metadata } = posting
  if (metadata !== undefined) tellMetadata(slack, message, { type: 'message_metadata_posted', metadata })
  const text = textOf(posting.text)
  if (posting.user === BOT_USER || posting.subtype !== undefined) return message
  if (text.includes('://'))
    slack.tell({
      type: 'link_shared',
      channel,
      is_bot_user_member: isMember(place, BOT_USER),
      user: posting.user,
      message_ts: ts,
      thread_ts: posting.thread_ts,
      unfurl_id: `${channel}.${ts}`,
      source: 'conversations_history',
      links: linksIn(text),
      event_ts: ts,
    })
  if (text.includes(`<@${BOT_USER}>`)) slack.tell({ ...shown, type: 'app_mention', channel, event_ts: ts })
  return message
}

/** The addresses in a text, as `link_shared` has them. */
const linksIn = (text: string): Fields[] =>
  [...text.matchAll(/https?:\/\/[^\s<>|]+/g)].flatMap(([url]) =>
    URL.canParse(url) ? [{ domain: new URL(url).hostname, url }] : [],
  )

export function tellMetadata(slack: Slack, { channel = '', ts = '' }: Kept, noted: Fields): void {
  slack.tell({
    app_id: APP,
    bot_id: BOT,
    user_id: BOT_USER,
    team_id: TEAM,
    channel_id: channel,
    message_ts: ts,
    ...noted,
  })
}

/** What events of changed and deleted messages have. */
const changeOf = ({ stamp }: Slack, channel: Kept, subtype: string): Fields => ({
  type: 'message',
  subtype,
  hidden: true,
  channel: channel.id,
  channel_type: toChannelType(channel),
  ts: stamp,
  event_ts: stamp,
})

/** Changes a message, with its event. */
export function change(slack: Slack, channel: Kept, message: Kept, fields: Fields): Kept {
  const previous_message = toMessage(message, slack)
  const changed = slack.records.messages.update(message, fields)
  slack.tell({
    ...changeOf(slack, channel, 'message_changed'),
    message: toMessage(changed, slack),
    previous_message,
  })
  return changed
}

/** Deletes a message, or leaves a tombstone where it has replies. */
export function erase(slack: Slack, channel: Kept, message: Kept): void {
  const { records } = slack
  const previous_message = toMessage(message, slack)
  const { ts = null, thread_ts, metadata } = message
  if (records.pins.get(message.id) !== undefined) records.pins.remove(message.id)
  if (Number(message.reply_count) > 0)
    change(slack, channel, message, {
      ...{ subtype: 'tombstone', text: 'This message was deleted.', user: SLACKBOT, extra: { hidden: true } },
      ...{ bot_id: null, app_id: null, blocks: null, attachments: null, files: [], reactions: [] },
    })
  else {
    records.messages.remove(message)
    const root = thread_ts == null ? undefined : slack.messageAt(channel.id, thread_ts)
    if (root !== undefined) {
      const replies = records.messages.where({ channel: channel.id, thread_ts: thread_ts ?? null }).reverse()
      const left = replies.filter(({ id }) => id !== root.id)
      records.messages.update(root, {
        reply_count: left.length,
        reply_users: [...new Set(left.map(({ user }) => textOf(user)))],
        latest_reply: left.at(-1)?.ts ?? null,
      })
    }
    slack.tell({ ...changeOf(slack, channel, 'message_deleted'), deleted_ts: ts, previous_message })
  }
  if (metadata != null)
    tellMetadata(slack, message, {
      type: 'message_metadata_deleted',
      previous_metadata: metadata,
      deleted_ts: slack.stamp,
    })
}

/** Adds a user's mark to a message, or takes it away, with its event. */
export function react(
  slack: Slack,
  message: Kept,
  { name, user, isOn }: { name: string; user: string; isOn: boolean },
): void {
  const reactions = listOf(message.reactions)
  const others = textsOf(reactions.find((mark) => mark.name === name)?.users).filter((one) => one !== user)
  const users = isOn ? [...others, user] : others
  const isNew = !reactions.some((mark) => mark.name === name)
  const marks = isNew
    ? [...reactions, { name, users }]
    : reactions.map((mark) => (mark.name === name ? { name, users } : mark))
  slack.records.messages.update(message, { reactions: marks.filter((mark) => textsOf(mark.users).length > 0) })
  slack.tell({
    type: isOn ? 'reaction_added' : 'reaction_removed',
    user,
    reaction: name,
    item_user: message.user,
    item: { type: 'message', channel: message.channel ?? '', ts: message.ts ?? '' },
  })
}
