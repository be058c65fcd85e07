import { completed } from './blocks.ts'
import {
  attachmentsOf,
  authorOf,
  change,
  checkContent,
  checkThread,
  erase,
  hasParts,
  post,
  postingOf,
  tellMetadata,
} from './posting.ts'
import { permalinkOf, toMessage } from './shown.ts'
import {
  ADA,
  APP,
  BOT,
  defined,
  type Fields,
  fieldsOf,
  GRACE,
  isMember,
  isMissing,
  type Kept,
  listOf,
  type Methods,
  type Slack,
  type SlackRequest,
  textOf,
  textsOf,
} from './slack.ts'

const MINUTE_S = 60
const FURTHEST_S = 120 * 24 * 60 * MINUTE_S

/** The direct conversation of people, which begins when one of them writes. */
export const directOf = (slack: Slack, people: string[]): Kept =>
  slack.findDirect('im', people) ?? slack.createChannel('im', people)

/** The conversation that a message is for: named by its id, its name, or a person, who gets a direct message. */
function placeOf(slack: SlackRequest): Kept {
  const { records, me } = slack
  const given = textOf(slack.args.channel)
  const name = given.replace(/^#/, '')
  const person = records.users.get(given)
  const named = (kind: string) => records.channels.find({ name, kind })
  const channel =
    records.channels.get(given) ??
    named('public_channel') ??
    named('private_channel') ??
    (person && directOf(slack, [...new Set([slack.me.id, person.id])]))
  if (channel === undefined || !slack.isSeen(channel)) slack.refuse('channel_not_found')
  slack.checkActive(channel)
  if (!isMember(channel, me.id)) slack.refuse('not_in_channel')
  return channel
}

/** What the bot says to a person is answered after some minutes. */
function awaitReply(slack: SlackRequest, channel: Kept, message: Kept): void {
  if (slack.me.is_bot !== true) return
  const isDirect = channel.kind === 'im'
  const reply_by = isDirect
    ? textsOf(channel.members).find((member) => member !== slack.me.id)
    : [GRACE, ADA].find((who) => textOf(message.text).includes(`<@${who}>`) && isMember(channel, who))
  if (reply_by === undefined) return
  const reply_due = slack.unix + (isDirect ? 5 : 10) * MINUTE_S
  slack.records.channels.update(channel.id, { reply_due, reply_by, reply_to: message.ts ?? null })
}

/** The message of the request, which is a stream. */
function streamOf(slack: SlackRequest, channel: Kept): Kept {
  const message = slack.message(channel)
  return message.streaming === true ? message : slack.refuse('message_not_in_streaming_state')
}

/** The text that a request adds to a stream. */
const streamedText = ({ markdown_text, chunks }: Fields): string =>
  textOf(markdown_text) +
  listOf(chunks)
    .map(({ type, text }) => (type === 'markdown_text' ? textOf(text) : ''))
    .join('')

/** Whether a message is of the user, or of the app where no user has written it. */
const isOwn = ({ user }: Kept, { me }: SlackRequest): boolean => (user == null ? me.is_bot === true : user === me.id)

const checkAssistant = (slack: SlackRequest): object => {
  slack.seenChannel()
  return {}
}

/** Posts a scheduled message, unless its thread is gone. */
export function postScheduled(slack: Slack, scheduled: Kept): void {
  const posting = fieldsOf(scheduled.posting)
  const channel = slack.records.channels.get(textOf(scheduled.channel))
  const isGone = posting.thread_ts !== undefined && !slack.messageAt(scheduled.channel, posting.thread_ts)
  slack.records.scheduled.remove(scheduled)
  if (channel !== undefined && !isGone) post(slack, channel, posting)
}

export const chat: Methods = {
  'POST /chat.postMessage': (slack) => {
    const channel = placeOf(slack)
    checkContent(slack)
    checkThread(slack, channel)
    const message = post(slack, channel, postingOf(slack.args, authorOf(slack.me)))
    awaitReply(slack, channel, message)
    return { channel: channel.id, ts: message.ts, message: toMessage(message, slack) }
  },
  'POST /chat.meMessage': (slack) => {
    const channel = placeOf(slack)
    const text = textOf(slack.args.text)
    const { ts } = post(slack, channel, { ...authorOf(slack.me), text, subtype: 'me_message' })
    return { channel: channel.id, ts }
  },
  'POST /chat.postEphemeral': (slack) => {
    const channel = placeOf(slack)
    checkContent(slack)
    if (!isMember(channel, slack.args.user)) slack.refuse('user_not_in_channel')
    return { message_ts: slack.stamp }
  },
  'POST /chat.update': (slack) => {
    const { args, me } = slack
    const channel = slack.seenChannel()
    const message = slack.message(channel)
    checkContent(slack)
    if (!isOwn(message, slack)) slack.refuse('cant_update_message')
    slack.checkActive(channel)
    const { text, markdown_text, metadata } = args
    const isBroadcast =
      args.reply_broadcast === true && !isMissing(message.thread_ts) && message.thread_ts !== message.ts
    const blocks = args.blocks == null ? (isMissing(text) ? message.blocks : null) : completed(args.blocks)
    const changed = change(slack, channel, message, {
      text: text || markdown_text || (hasParts(args) ? '' : (message.text ?? '')),
      blocks: blocks ?? null,
      attachments: attachmentsOf(args.attachments) ?? message.attachments ?? null,
      metadata: metadata ?? message.metadata ?? null,
      edited: { user: me.is_bot === true ? BOT : me.id, ts: slack.stamp },
      ...(isBroadcast && { subtype: 'thread_broadcast', in_channel: true }),
    })
    if (metadata != null) {
      const noted = { type: 'message_metadata_updated', metadata, previous_metadata: message.metadata }
      tellMetadata(slack, message, defined(noted))
    }
    return { channel: channel.id, ts: message.ts, text: changed.text, message: toMessage(changed, slack) }
  },
  'POST /chat.delete': (slack) => {
    const channel = slack.seenChannel()
    const message = slack.message(channel)
    if (!isOwn(message, slack) && slack.me.is_admin !== true) slack.refuse('cant_delete_message')
    erase(slack, channel, message)
    return { channel: channel.id, ts: message.ts }
  },
  'GET /chat.getPermalink': (slack) => {
    const channel = slack.seenChannel()
    return { channel: channel.id, permalink: permalinkOf(slack.message(channel, 'message_ts')) }
  },
  /** Shows an attachment for each link. */
  'POST /chat.unfurl': (slack) => {
    const { args, records } = slack
    const message = slack.messageAt(args.channel, args.ts) ?? slack.refuse('cannot_unfurl_message')
    slack.seenChannel()
    const links = Object.entries(fieldsOf(args.unfurls))
    if (links.length === 0) slack.refuse('missing_unfurls')
    const before = listOf(message.attachments)
    const attachments = links.map(([from_url, shown], at) => ({
      ...{ id: before.length + at + 1, from_url, app_unfurl_url: from_url, is_app_unfurl: true },
      ...{ app_id: APP, bot_id: BOT, ...fieldsOf(shown) },
    }))
    records.messages.update(message, { attachments: [...before, ...attachments] })
    return {}
  },
  'POST /chat.scheduleMessage': (slack) => {
    const { args, records } = slack
    const channel = placeOf(slack)
    checkContent(slack)
    const post_at = Number(args.post_at)
    if (post_at <= slack.unix) slack.refuse('time_in_past')
    if (post_at > slack.unix + FURTHEST_S) slack.refuse('time_too_far')
    const posting = postingOf(args, authorOf(slack.me))
    const { id } = records.scheduled.create({ channel: channel.id, post_at, date_created: slack.unix, posting })
    const message = { ...toMessage(posting, slack), type: 'delayed_message' }
    return { scheduled_message_id: id, channel: channel.id, post_at, message }
  },
  'GET /chat.scheduledMessages.list': (slack) => {
    const { channel, oldest, latest } = slack.args
    const found = slack.records.scheduled
      .where(
        (one) =>
          (isMissing(channel) || one.channel === channel) &&
          Number(one.post_at) >= Number(oldest || 0) &&
          Number(one.post_at) <= Number(latest || Number.POSITIVE_INFINITY),
      )
      .reverse()
      .sort((one, other) => Number(one.post_at) - Number(other.post_at))
    const { shown, response_metadata } = slack.page(found, ({ id, channel, post_at, date_created, posting }) => {
      const { text } = fieldsOf(posting)
      return { id, channel_id: channel, post_at, date_created, text }
    })
    return { scheduled_messages: shown, response_metadata }
  },
  'POST /chat.deleteScheduledMessage': (slack) => {
    const { id: channel } = slack.seenChannel()
    const scheduled = slack.records.scheduled.get(textOf(slack.args.scheduled_message_id))
    if (scheduled?.channel !== channel) slack.refuse('invalid_scheduled_message_id')
    slack.records.scheduled.remove(scheduled)
    return {}
  },
  'POST /chat.startStream': (slack) => {
    const { args } = slack
    const channel = placeOf(slack)
    checkThread(slack, channel)
    const { ts } = post(slack, channel, {
      ...authorOf(slack.me),
      text: streamedText(args),
      ...defined({ thread_ts: args.thread_ts }),
      streaming: true,
    })
    return { channel: channel.id, ts }
  },
  'POST /chat.appendStream': (slack) => {
    const channel = slack.seenChannel()
    const stream = streamOf(slack, channel)
    slack.records.messages.update(stream, { text: `${stream.text}${streamedText(slack.args)}` })
    return { channel: channel.id, ts: stream.ts }
  },
  'POST /chat.stopStream': (slack) => {
    const { args } = slack
    const channel = slack.seenChannel()
    const stream = streamOf(slack, channel)
    const message = slack.records.messages.update(stream, {
      text: `${stream.text}${streamedText(args)}`,
      streaming: false,
      blocks: (args.blocks == null ? stream.blocks : completed(args.blocks)) ?? null,
      metadata: args.metadata ?? stream.metadata ?? null,
    })
    return { channel: channel.id, ts: message.ts, message: toMessage(message, slack) }
  },
  'POST /assistant.threads.setStatus': checkAssistant,
  'POST /assistant.threads.setTitle': checkAssistant,
  'POST /assistant.threads.setSuggestedPrompts': checkAssistant,
}
