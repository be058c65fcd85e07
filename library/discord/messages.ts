import { typeOfFile } from '../shared/media-type.ts'
import { sizeOfPicture } from '../shared/picture.ts'
import {
  ADA,
  BOT,
  type Discord,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  idsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  present,
  referenceTo,
  timeOf,
} from './discord.ts'
import { FAULTS, refuseForm } from './faults.ts'
import { checkChange, checkNew, embedsOf, numbered, unembedded } from './message-parts.ts'
import { toMessage } from './views.ts'

const MESSAGES = '/channels/{channel_id}/messages'
const MESSAGE = `${MESSAGES}/{message_id}`
const HOUR_S = 3_600
const MINUTE_S = 60
const SPOILER = 1 << 3
const [CROSSPOSTED, IS_CROSSPOST, IS_SNAPSHOT] = [1 << 0, 1 << 1, 1 << 14]
const [PLAIN, REPLY] = [0, 19]
const FORWARD = 1

/** A new message, with its place after all others. */
export function createMessage(discord: Discord, fields: Readonly<Record<string, Json | undefined>>): Kept {
  return discord.create('messages', { id: discord.nextId('messages'), timestamp: discord.time, ...fields })
}

/** A new message that is the latest of its channel. An archived thread is open again. */
export function post(discord: Discord, fields: Readonly<Record<string, Json | undefined>>): Kept {
  const made = createMessage(discord, fields)
  const channel = discord.records.channels.get(String(made.channel_id))
  if (channel === undefined) return made
  const metadata = fieldsOf(channel.thread_metadata)
  discord.records.channels.update(channel, {
    last_message_id: made.id,
    message_count: Number(channel.message_count) + 1,
    ...(channel.thread_metadata != null && {
      thread_metadata: { ...metadata, archived: false },
      archives_at: discord.later(Number(metadata.auto_archive_duration) * MINUTE_S),
    }),
  })
  return made
}

/** Keeps the files of the request. Returns how a message shows them. @param described what a body says of them */
function keepFiles(discord: DiscordRequest, described: Json | undefined): Fields[] {
  const number = discord.records.attachments.count()
  return discord.files.map(({ name, size, type, base64 }, at) => {
    const content_type = type === null || type === 'application/octet-stream' ? typeOfFile(name) : type
    const place = `${number}/${at}/${name}`
    const { id } = discord.create('attachments', { place, content_type, base64: base64 ?? '' })
    const url = `${discord.of.origin}/attachments/${place}`
    const [width, height] = sizeOfPicture(base64 ?? undefined) ?? []
    const { description } = listOf(described).find((one) => String(one.id) === String(at)) ?? {}
    const flags = name.includes('SPOILER_') ? SPOILER : undefined
    return present({ id, filename: name, size, width, height, flags, content_type, url, proxy_url: url, description })
  })
}

/** What a body gives a new message. */
export function partsOf(discord: DiscordRequest, sent: Fields): Fields {
  const { content, embeds, components, allowed_mentions, tts, flags, sticker_ids } = sent
  const files = keepFiles(discord, sent.attachments)
  return {
    content: content ?? '',
    embeds: embedsOf(embeds, files),
    components: numbered(components),
    attachments: unembedded(embeds, files),
    allowed_mentions: allowed_mentions ?? null,
    tts: tts ?? false,
    flags: flags ?? 0,
    ...(idsOf(sticker_ids).length > 0 && {
      sticker_items: idsOf(sticker_ids).flatMap((id) => {
        const sticker = discord.records.stickers.get(id)
        return sticker === undefined ? [] : [only(sticker, 'id name format_type')]
      }),
    }),
  }
}

/** What a body changes of a message. */
export function changesOf(discord: DiscordRequest, message: Kept, sent: Fields): Fields {
  const { content, embeds, components, flags, allowed_mentions, attachments } = sent
  const files = keepFiles(discord, attachments)
  const kept = listOf(attachments).map(({ id }) => id)
  const before = listOf(message.attachments).filter(({ id }) => attachments === undefined || kept.includes(id))
  return {
    ...(content !== undefined && { content: content ?? '' }),
    ...(embeds !== undefined && { embeds: embedsOf(embeds, files) }),
    ...(components !== undefined && { components: numbered(components) }),
    ...(flags != null && { flags }),
    ...(allowed_mentions != null && { allowed_mentions }),
    attachments: [...before, ...unembedded(embeds, files)],
    edited_timestamp: discord.time,
  }
}

/** A poll that ends after some hours, a day unless the body says more. */
export function pollOf(discord: DiscordRequest, asked: Json | undefined): Fields {
  if (asked == null) return {}
  const { question = null, answers, duration, allow_multiselect, layout_type } = fieldsOf(asked)
  const expiry = discord.later(Number(duration ?? 24) * HOUR_S)
  const shown = listOf(answers).map(({ poll_media }, at) => {
    const { emoji } = fieldsOf(poll_media)
    const media = { ...fieldsOf(poll_media), ...(emoji && { emoji: { id: null, name: null, ...fieldsOf(emoji) } }) }
    return { answer_id: at + 1, poll_media: media }
  })
  const poll = {
    ...{ question, answers: shown, expiry },
    ...{ allow_multiselect: allow_multiselect ?? false, layout_type: layout_type ?? 1 },
    results: { is_finalized: false, answer_counts: [] },
  }
  return { poll, poll_ends_at: expiry }
}

/** Types of channels that have no messages: categories, forums and galleries. */
const TEXTLESS = new Set([4, 14, 15, 16])

/** The message that a body refers to; none where it refers to none. */
function referredBy(discord: DiscordRequest): Kept | undefined {
  const { message_id, fail_if_not_exists } = fieldsOf(discord.body.message_reference)
  if (message_id == null) return undefined
  const found = discord.records.messages.get(String(message_id))
  if (found === undefined && fail_if_not_exists !== false)
    refuseForm(discord, new Map([['message_reference', FAULTS.unknownMessage]]))
  return found
}

/** A bot writes to people with whom it shares a guild. */
function checkRecipient(discord: DiscordRequest): void {
  const { records, channel } = discord
  const { type, recipient_id = null } = channel
  if (type !== 1) return
  if (records.users.get(recipient_id as string)?.bot === true)
    discord.refuse(403, 50007, 'Cannot send messages to this user')
  if (!records.members.some({ user_id: recipient_id }))
    discord.refuse(403, 50278, 'Cannot send messages to this user due to having no mutual guilds')
}

function create(discord: DiscordRequest): Fields {
  const { channel, body, records } = discord
  const { nonce, enforce_nonce } = body
  checkRecipient(discord)
  if (idsOf(body.sticker_ids).some((id) => records.stickers.get(id) === undefined))
    discord.refuse(400, 50081, 'Invalid Sticker Sent')
  const same =
    enforce_nonce === true ? records.messages.find({ channel_id: channel.id, nonce: nonce ?? null }) : undefined
  if (same !== undefined) return toMessage(discord, same)
  checkNew(discord, body)
  if (TEXTLESS.has(Number(channel.type))) discord.refuse(400, 50008, 'Cannot send messages in a non-text channel')
  const referred = referredBy(discord)
  const { fail_if_not_exists: _, ...reference } = fieldsOf(body.message_reference)
  const isForward = reference.type === FORWARD
  const parts = partsOf(discord, body)
  const made = post(discord, {
    ...{ channel_id: channel.id, author_id: BOT, nonce },
    ...parts,
    ...pollOf(discord, body.poll),
    flags: Number(parts.flags) | (isForward ? IS_SNAPSHOT : 0),
    type: referred === undefined || isForward ? PLAIN : REPLY,
    ...(referred !== undefined && {
      message_reference: { type: 0, channel_id: channel.id, guild_id: channel.guild_id ?? null, ...reference },
    }),
    ...(referred !== undefined &&
      isForward && { message_snapshots: [{ message: only(toMessage(discord, referred), SNAPSHOT) }] }),
  })
  return toMessage(discord, made)
}

const SNAPSHOT = 'type content embeds attachments components flags timestamp edited_timestamp mentions mention_roles'

/** Types of messages that somebody wrote: plain ones, replies, and answers to commands. */
const WRITTEN = new Set([0, 19, 20, 23])

function edit(discord: DiscordRequest): Fields {
  const { message, body, records } = discord
  if (!WRITTEN.has(Number(message.type))) discord.refuse(403, 50021, 'Cannot execute action on a system message')
  if (message.poll) discord.refuse(400, 520003, 'Cannot edit a poll message')
  if (Object.keys(body).join() === 'flags')
    return toMessage(discord, records.messages.update(message, { flags: body.flags ?? message.flags }))
  checkChange(discord, message)
  if (message.author_id !== BOT) discord.refuse(403, 50005, 'Cannot edit a message authored by another user')
  return toMessage(discord, records.messages.update(message, changesOf(discord, message, body)))
}

const MOST_DELETED = 100
const TWO_WEEKS_MS = 14 * 86_400_000

function removeMany(discord: DiscordRequest): object {
  const { body, channel, now, records } = discord
  const ids = idsOf(body.messages)
  if (ids.length < 2 || ids.length > MOST_DELETED)
    discord.refuse(
      400,
      50016,
      'Provided too few or too many messages to delete. Must provide at least 2 and fewer than 100 messages to delete.',
    )
  if (new Set(ids).size < ids.length) refuseForm(discord, new Map([['messages', FAULTS.setTwice]]))
  if (ids.some((id) => /^\d+$/.test(id) && now.getTime() - timeOf(id) > TWO_WEEKS_MS))
    discord.refuse(400, 50034, 'You can only bulk delete messages that are under 14 days old.')
  for (const id of ids) if (records.messages.get(id)?.channel_id === channel.id) records.messages.remove(id)
  return discord.done()
}

/** Shows a post of an announcement channel in the channels that follow it. */
function crosspost(discord: DiscordRequest): Fields {
  const { message, channel, records } = discord
  if (channel.type !== 5) discord.wrongType()
  if ((Number(message.flags) & CROSSPOSTED) !== 0)
    discord.refuse(400, 40033, 'This message has already been crossposted')
  for (const follower of discord.all('webhooks', { type: 2 }))
    if (fieldsOf(follower.source_channel).id === channel.id)
      createMessage(discord, {
        ...{ channel_id: follower.channel_id, author_id: follower.id, webhook_id: follower.id, flags: IS_CROSSPOST },
        author: webhookAuthor(follower.id, follower.name),
        ...only(message, 'content embeds components attachments'),
        message_reference: referenceTo(message, channel.guild_id),
      })
  const flags = Number(message.flags) | CROSSPOSTED
  return toMessage(discord, records.messages.update(message, { flags }))
}

/** How messages of a webhook show it. */
export const webhookAuthor = (id: string, username: Json = '', avatar: Json = null): Fields => ({
  ...{ id, username, avatar, discriminator: '0000', bot: true, public_flags: 0, flags: 0, global_name: null },
})

/** A page of a channel's messages, the newest first. */
function page(discord: DiscordRequest): Fields[] {
  const { channel, records, query } = discord
  const all = records.messages.where({ channel_id: channel.id, hidden: false })
  const limit = Number(query.limit ?? 50)
  const { before, after, around } = query
  const newer = (than: Json, most: number) => all.filter(({ id }) => id > String(than)).slice(-most)
  const older = all.filter(({ id }) => (around ? id <= String(around) : id < String(before ?? '9')))
  const half = Math.floor((limit - 1) / 2)
  const found = after ? newer(after, limit) : [...(around && half ? newer(around, half) : []), ...older].slice(0, limit)
  return found.map((one) => toMessage(discord, one))
}

/** The messages of a guild with some words, the newest first. */
function search(discord: DiscordRequest): Fields {
  const { guild, records, query } = discord
  const words = String(query.content ?? '').toLowerCase()
  const found = records.messages
    .where({ hidden: false, ...present({ author_id: query.author_id, channel_id: query.channel_id }) })
    .filter(({ content }) => String(content).toLowerCase().includes(words))
    .filter(({ channel_id }) => records.channels.get(String(channel_id))?.guild_id === guild.id)
  const shown = found.slice(0, Number(query.limit ?? 25))
  return { total_results: found.length, messages: shown.map((one) => [toMessage(discord, one)]) }
}

/** A page of what has a time, the newest first: `before` is a time too. */
export function pageByTime({ query }: DiscordRequest, list: readonly Kept[], stamp: (one: Kept) => Json | undefined) {
  const at = (one: Kept) => Date.parse(String(stamp(one)))
  const before = query.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(query.before))
  const older = list.filter((one) => at(one) < before).sort((a, b) => at(b) - at(a))
  const page = older.slice(0, Number(query.limit ?? 50))
  return { page, has_more: page.length < older.length }
}

export const messages: Operations = {
  [`GET ${MESSAGES}`]: page,
  [`POST ${MESSAGES}`]: create,
  [`GET ${MESSAGE}`]: (discord) => toMessage(discord, discord.message),
  [`PATCH ${MESSAGE}`]: edit,
  [`DELETE ${MESSAGE}`]: (discord) => {
    discord.records.messages.remove(discord.message)
    return discord.done()
  },
  [`POST ${MESSAGES}/bulk-delete`]: removeMany,
  [`POST ${MESSAGE}/crosspost`]: crosspost,
  'GET /guilds/{guild_id}/messages/search': search,
  'GET /attachments/{batch}/{at}/{filename}': (discord) => {
    const { batch, at, filename } = discord.path
    const file = discord.records.attachments.find({ place: `${batch}/${at}/${filename}` })
    if (file === undefined) return discord.refuse(404, 0, '404: Not Found')
    const headers = { 'content-type': String(file.content_type) }
    return discord.respond({ headers, body: Buffer.from(String(file.base64), 'base64') })
  },
  /** A person writes. */
  'POST /test_helpers/channels/{channel_id}/messages': (discord) => {
    const { user_id, content, allowed_mentions } = discord.body
    const of = { channel_id: discord.channel.id, author_id: user_id ?? ADA }
    return toMessage(discord, post(discord, { ...of, content: content ?? '', allowed_mentions }))
  },
}
