/** What people put on messages and conversations: reactions, pins, stars, bookmarks; and reminders. */
import { getOwn } from '../../src/protocol/json.ts'
import { react } from './posting.ts'
import { permalinkOf, toMessage, toReminder } from './shown.ts'
import {
  defined,
  type Fields,
  isMember,
  isMissing,
  type Json,
  type Kept,
  listOf,
  type Methods,
  type SlackRequest,
  textOf,
  textsOf,
} from './slack.ts'

/** Names that stand for emoji that Slack does not have. */
const UNKNOWN_EMOJI = /^(not_?an?_|no_?such_?|invalid|non_?exist|does_?not_)/
const ALIASES: Readonly<Record<string, string>> = { thumbsup: '+1', thumbsdown: '-1' }

/** The message that `channel` and `timestamp` name, and its conversation. */
function itemOf(slack: SlackRequest): { channel: Kept; message: Kept } {
  if (isMissing(slack.args.channel) || isMissing(slack.args.timestamp)) slack.refuse('no_item_specified')
  const channel = slack.seenChannel()
  return { channel, message: slack.message(channel, 'timestamp') }
}

/** The mark that the request is about, and whether the user has set it. */
function reactionOf(slack: SlackRequest): { channel: Kept; message: Kept; name: string; isOn: boolean } {
  const item = itemOf(slack)
  const given = textOf(slack.args.name).replace(/^:|:$/g, '')
  const name = getOwn(ALIASES, given) ?? given
  const { users } = listOf(item.message.reactions).find((mark) => mark.name === name) ?? {}
  return { ...item, name, isOn: textsOf(users).includes(slack.me.id) }
}

const withLink = (slack: SlackRequest, message: Kept): Fields => ({
  ...toMessage(message, slack),
  permalink: permalinkOf({ ...message, thread_ts: null }),
})

/** What lists show of a message. */
const toItem = (slack: SlackRequest, message: Kept): Fields => ({
  type: 'message',
  channel: message.channel ?? '',
  message: toMessage(message, slack),
})

export const reactions: Methods = {
  'POST /reactions.add': (slack) => {
    const { channel, message, name, isOn } = reactionOf(slack)
    if (UNKNOWN_EMOJI.test(name)) slack.refuse('invalid_name')
    if (isOn) slack.refuse('already_reacted')
    slack.checkActive(channel)
    react(slack, message, { name, user: slack.me.id, isOn: true })
    return {}
  },
  'POST /reactions.remove': (slack) => {
    const { message, name, isOn } = reactionOf(slack)
    if (!isOn) slack.refuse('no_reaction')
    react(slack, message, { name, user: slack.me.id, isOn: false })
    return {}
  },
  'GET /reactions.get': (slack) => {
    const { channel, message } = itemOf(slack)
    return { type: 'message', channel: channel.id, message: withLink(slack, message) }
  },
  'GET /reactions.list': (slack) => {
    const { id } = slack.person()
    const isMarked = (message: Kept): boolean =>
      listOf(message.reactions).some(({ users }) => textsOf(users).includes(id))
    const marked = slack.records.messages.where((message) => isMarked(message as Kept))
    const { shown, response_metadata } = slack.page(marked, (message) => toItem(slack, message))
    return { items: shown, response_metadata }
  },
}

/** What lists and events show of a pin. */
const toPin = (pin: Kept, message: Json): Fields => ({
  type: 'message',
  channel: pin.channel ?? '',
  created: pin.created ?? 0,
  created_by: pin.created_by ?? '',
  message,
})

function tellPin(slack: SlackRequest, type: 'pin_added' | 'pin_removed', pin: Kept, message: Kept): void {
  const { id: channel = '' } = slack.seenChannel()
  const pin_count = slack.records.pins.count({ channel })
  slack.tell({
    type,
    user: slack.me.id,
    channel_id: channel,
    item: toPin(pin, toMessage(message, slack)),
    item_user: message.user,
    pin_count,
    ...(type === 'pin_removed' && { has_pins: pin_count > 0 }),
  })
}

export const pins: Methods = {
  'POST /pins.add': (slack) => {
    const { me, records, unix } = slack
    const { channel, message } = itemOf(slack)
    if (records.pins.get(message.id) !== undefined) slack.refuse('already_pinned')
    if (!isMember(channel, me.id)) slack.refuse('not_in_channel')
    const place = { id: message.id, channel: channel.id, ts: message.ts ?? '' }
    const pin = records.pins.create({ ...place, created: unix, created_by: me.id })
    tellPin(slack, 'pin_added', pin, message)
    return {}
  },
  'POST /pins.remove': (slack) => {
    const { message } = itemOf(slack)
    const pin = slack.records.pins.get(message.id) ?? slack.refuse('no_pin')
    slack.records.pins.remove(pin)
    tellPin(slack, 'pin_removed', pin, message)
    return {}
  },
  'GET /pins.list': (slack) => {
    const { pins, messages } = slack.records
    const found = pins.where({ channel: slack.seenChannel().id })
    const items = found.flatMap((pin) => {
      const message = messages.get(pin.id)
      return message ? [toPin(pin, withLink(slack, message))] : []
    })
    return { items }
  },
}

export const stars: Methods = {
  'POST /stars.add': (slack) => {
    slack.checkUser()
    const { id } = itemOf(slack).message
    if (slack.records.stars.get(id) !== undefined) slack.refuse('already_starred')
    slack.records.stars.create({ id, date_create: slack.unix })
    return {}
  },
  'POST /stars.remove': (slack) => {
    slack.checkUser()
    const star = slack.records.stars.get(itemOf(slack).message.id) ?? slack.refuse('not_starred')
    slack.records.stars.remove(star)
    return {}
  },
  'GET /stars.list': (slack) => {
    slack.checkUser()
    const { stars, messages } = slack.records
    const { shown, response_metadata } = slack.page([...stars], ({ id, date_create = 0 }) => {
      const message = messages.get(id)
      return { ...(message && toItem(slack, message)), date_create }
    })
    return { items: shown, response_metadata }
  },
}

function bookmarkOf(slack: SlackRequest): Kept {
  const { id } = slack.seenChannel()
  const bookmark = slack.records.bookmarks.get(textOf(slack.args.bookmark_id))
  return bookmark?.channel_id === id ? bookmark : slack.refuse('not_found')
}

export const bookmarks: Methods = {
  'POST /bookmarks.add': (slack) => {
    const { args, me, records, unix } = slack
    const channel_id = slack.seenChannel().id
    const { title, type, link, emoji } = args
    if (type !== 'link') slack.refuse('invalid_bookmark_type')
    if (!/^https?:\/\//.test(textOf(link))) slack.refuse('invalid_link')
    const made = { channel_id, date_created: unix, last_updated_by_user_id: me.id }
    return { bookmark: records.bookmarks.create({ ...defined({ title, type, link, emoji }), ...made }) }
  },
  'POST /bookmarks.edit': (slack) => {
    const { args, me, unix } = slack
    const bookmark = bookmarkOf(slack)
    const sent = ['title', 'link', 'emoji'].filter((name) => !isMissing(args[name]))
    const fields = Object.fromEntries(sent.map((name) => [name, args[name] ?? null]))
    const change = { ...fields, date_updated: unix, last_updated_by_user_id: me.id }
    return { bookmark: slack.records.bookmarks.update(bookmark, change) }
  },
  'GET /bookmarks.list': (slack) => ({
    bookmarks: slack.records.bookmarks.where({ channel_id: slack.seenChannel().id }).reverse(),
  }),
  'POST /bookmarks.remove': (slack) => {
    slack.records.bookmarks.remove(bookmarkOf(slack))
    return {}
  },
}

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 }

/** Seconds since 1970 of `in 15 minutes`, of `tomorrow`, of a time, and of seconds from now within a day. */
function momentOf(time: string, now: number): number | undefined {
  const [, count, unit = ''] = /\bin (\d+) (second|minute|hour|day|week)s?\b/i.exec(time) ?? []
  if (count !== undefined) return now + Number(count) * (SECONDS[unit.toLowerCase()] ?? 0)
  if (/\btomorrow\b/i.test(time)) return now + 86_400
  if (!/^\d+$/.test(time)) return undefined
  return Number(time) <= 86_400 ? now + Number(time) : Number(time)
}

function reminderOf(slack: SlackRequest): Kept {
  slack.checkUser()
  return slack.records.reminders.get(textOf(slack.args.reminder)) ?? slack.refuse('not_found')
}

export const reminders: Methods = {
  'POST /reminders.add': (slack) => {
    slack.checkUser()
    const { args, me, records } = slack
    const user = slack.person().id
    const time = momentOf(String(args.time), slack.unix) ?? slack.refuse('cannot_parse')
    if (time <= slack.unix) slack.refuse('time_in_past')
    return { reminder: toReminder(records.reminders.create({ creator: me.id, user, text: textOf(args.text), time })) }
  },
  'GET /reminders.info': (slack) => ({ reminder: toReminder(reminderOf(slack)) }),
  'GET /reminders.list': (slack) => {
    slack.checkUser()
    const { id } = slack.me
    const own = slack.records.reminders.where(({ creator, user }) => creator === id || user === id)
    return { reminders: own.reverse().map((reminder) => toReminder(reminder as Kept)) }
  },
  'POST /reminders.complete': (slack) => {
    slack.records.reminders.update(reminderOf(slack), { complete_ts: slack.unix })
    return {}
  },
  'POST /reminders.delete': (slack) => {
    slack.records.reminders.remove(reminderOf(slack))
    return {}
  },
}
