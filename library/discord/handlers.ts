import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { sizeOfPicture } from '../shared/picture.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { audited, reasonOf, TYPES } from './audit.ts'
import { commands, snowflake } from './commands.ts'
import {
  FAULTS,
  type Fault,
  type Faults,
  formError,
  hasValue,
  lengthFault,
  moment,
  pictureOf,
  REQUIRED,
  refused,
  timeOf,
  unknown,
} from './faults.ts'
import { githubMessage, slackMessage } from './foreign-webhooks.ts'
import { bodyOf, EMBED, embedsOf, FORMS, faultsOfForm, noteFaults, numbered, SELECTS, unembedded } from './forms.ts'
import { guildSettings } from './guild-settings.ts'
import {
  answered,
  endedToken,
  faultsOfAnswer,
  followedUp,
  interaction,
  interactionMetadata,
  tooLate,
} from './interactions.ts'
import { kinds } from './kinds.ts'
import { BOT, forbidden, isKnownPlace, NEEDS } from './permissions.ts'
import { SITUATIONS } from './situations.ts'

const V2 = 1 << 15
const SUPPRESSED = 1 << 2
const BUTTON_LINK = 5
const BUTTON_PREMIUM = 6
/** Types of components that only messages with the flag of the second version have at the top. */
const TOPS_V2 = new Set([1, 9, 10, 12, 13, 14, 17])

/** Faults in the components of a message, and in what stands beside them. */
function faultsOfMessage(context: OperationContext, message: JsonObject, at = '', flags = message.flags): Faults {
  const faults: Faults = new Map()
  const { components, content, embeds } = message
  if (typeof content === 'object' && content !== null)
    faults.set(`${at}content`, ['STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(content)}" as string.`])
  if (embeds != null && !Array.isArray(embeds)) faults.set(`${at}embeds`, FAULTS.noList)
  for (const [place, embed] of (Array.isArray(embeds) ? embeds : []).entries())
    if (typeof embed !== 'object') faults.set(`${at}embeds.${place}`, FAULTS.noModel)
  const isV2 = (Number(flags ?? 0) & V2) !== 0
  const legacy = ['content', 'embeds'].filter((name) => hasValue(message[name]))
  if (isV2)
    for (const name of legacy)
      faults.set(`${at}${name}`, [
        'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
        `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
      ])
  const { parse, users, roles } = fieldsOf(message.allowed_mentions)
  for (const [kind, ids] of Object.entries({ users, roles }))
    if (Array.isArray(parse) && parse.includes(kind) && hasValue(ids))
      faults.set(`${at}allowed_mentions`, [
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      ])
  if (listOf(message.embeds).reduce((sum, embed) => sum + lettersOf(embed), 0) > MOST_OF_EMBEDS)
    faults.set(`${at}embeds`, ['MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MOST_OF_EMBEDS}`])
  for (const [place, embed] of listOf(message.embeds).entries()) {
    if (!EMBED_PARTS.some((name) => hasValue(embed[name]))) faults.set(`${at}embeds.${place}.description`, REQUIRED)
    noteFaults(faults, EMBED, embed, context, `${at}embeds.${place}.`)
  }
  if (typeof content !== 'object') lengthFault(faults, `${at}content`, content, 0, 2_000)
  lengthFault(faults, `${at}embeds`, message.embeds ?? [], 0, 10)
  const tops = Array.isArray(components) ? listOf(components) : []
  if (!isV2) lengthFault(faults, `${at}components`, tops, 0, 5)
  for (const [place, { type }] of tops.entries())
    if (isV2 ? !TOPS_V2.has(Number(type)) : type !== 1)
      faults.set(`${at}components.${place}.type`, [
        'UNION_TYPE_CHOICES',
        `Value of field "type" must be one of ${isV2 ? `(${[...TOPS_V2].join(', ')})` : '(1,)'}.`,
      ])
  const seen = new Set<string>()
  for (const [path, component] of below(tops, `${at}components`)) checkComponent(component, path, faults, seen)
  return faults
}

const EMBED_PARTS = 'title description fields image thumbnail author footer timestamp url video'.split(' ')

/** Each component at any depth, with its path. */
function* below(components: readonly JsonObject[], at: string): Generator<[string, JsonObject]> {
  for (const [place, component] of components.entries()) {
    const path = `${at}.${place}`
    yield [path, component]
    yield* below(listOf(component.components), `${path}.components`)
    if (component.accessory !== undefined) yield [`${path}.accessory`, fieldsOf(component.accessory)]
  }
}

function checkComponent(component: JsonObject, path: string, faults: Faults, seen: Set<string>): void {
  const { type, style, custom_id, url, sku_id, components, options, label } = component
  const fault = (field: string, what: Fault) => faults.set(`${path}.${field}`, what)
  const id = String(custom_id ?? '')
  const [below, choices] = [listOf(components), listOf(options)]
  if (type === 1) lengthFault(faults, `${path}.components`, below, 1, 5)
  if (type === 1 && below.length > 1 && below.some((one) => one.type !== 2)) fault('components.1', FAULTS.tooWide)
  if (type === 2 && style === BUTTON_PREMIUM) {
    if (!hasValue(sku_id)) fault('sku_id', REQUIRED)
  } else if (type === 2) {
    const isLink = style === BUTTON_LINK
    if (id !== '' && (isLink || hasValue(url))) fault(isLink ? 'custom_id' : 'url', FAULTS.customIdWithUrl)
    else if (isLink && !hasValue(url)) fault('url', FAULTS.urlMissing)
    if (!isLink && id === '') fault('custom_id', FAULTS.customIdMissing)
    if (!isLink && !(Number(style) >= 1 && Number(style) <= 4)) fault('style', FAULTS.style)
    if (!hasValue(label) && !component.emoji) fault('label', REQUIRED)
  }
  for (const [place, { value }] of choices.entries())
    if (choices.findIndex((one) => one.value === value) < place) fault(`options.${place}`, FAULTS.selectTwice)
  if (type === 2) lengthFault(faults, `${path}.label`, label, 0, 80)
  if (SELECTS.has(Number(type)) && id === '') fault('custom_id', REQUIRED)
  if (type === 3) lengthFault(faults, `${path}.options`, choices, 1, 25)
  lengthFault(faults, `${path}.custom_id`, id, 0, 100)
  if (id !== '' && seen.has(id)) fault('custom_id', FAULTS.customIdTwice)
  seen.add(id)
}

const MINUTE_MS = 60_000
const DAY_S = 86_400
const MOST_OF_EMBEDS = 6_000
/** Letters of everything that an embed shows. */
function lettersOf(embed: JsonObject): number {
  const { title, description, footer, author, fields } = embed
  const texts = [title, description, fieldsOf(footer).text, fieldsOf(author).name]
  for (const { name, value } of listOf(fields)) texts.push(name, value)
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}
/** A message of the second version stays one. */
const check = (context: OperationContext) => {
  const { records, path } = context
  const interaction = records.interactions?.find({ token: path.webhook_token ?? '' })
  const id = path.message_id === '@original' ? interaction?.response_id : path.message_id
  const kept = Number(records.messages?.get(String(id))?.flags ?? 0) & V2
  const sent = bodyOf(context)
  return formError(context, faultsOfMessage(context, sent, '', Number(sent.flags ?? 0) | kept))
}

/** Types of channels that have no messages: categories, forums and galleries. */
const TEXTLESS = new Set([4, 14, 15, 16])

/** Starts the time anew after which a thread is archived; a message opens an archived one. */
function keepOpen({ records, now }: OperationContext, id: Json | undefined): void {
  const thread = records.channels?.get(String(id))
  if (thread === undefined || thread.thread_metadata === null) return
  const metadata = fieldsOf(thread.thread_metadata)
  const minutes = Number(metadata.auto_archive_duration)
  records.channels?.update(thread, {
    thread_metadata: { ...metadata, archived: false },
    archives_at: new Date(now.getTime() + minutes * MINUTE_MS).toISOString(),
  })
}

const message = (context: OperationContext) => {
  const { channel_id } = context.path
  const { nonce, enforce_nonce } = bodyOf(context)
  const same = enforce_nonce === true && context.records.messages?.find({ channel_id, nonce: nonce ?? null })
  if (same) return context.call('GET', `/channels/${channel_id}/messages/${same.id}`).body
  const fault = check(context) ?? blank(context)
  if (fault !== undefined) return fault
  const { type } = context.records.channels?.get(String(channel_id)) ?? {}
  if (TEXTLESS.has(Number(type))) return refused(context, 400, 50008, 'Cannot send messages in a non-text channel')
  const made = context.next()
  keepOpen(context, channel_id)
  return made
}

const thread = (context: OperationContext) => {
  const made = context.next()
  keepOpen(context, made.id)
  return made
}

const PARTS = ['content', 'embeds', 'components', 'attachments', 'poll', 'sticker_ids']
const empty = (context: OperationContext) => refused(context, 400, 50006, 'Cannot send an empty message')

/** Refuses a message without a part: spaces are none. */
const blank = (context: OperationContext) => {
  const sent = bodyOf(context)
  const isForward = fieldsOf(sent.message_reference).type === 1
  const hasPart = isForward || context.files.length > 0 || PARTS.some((name) => hasValue(sent[name]))
  return hasPart ? undefined : empty(context)
}

/** A message keeps some part. */
const edit = (context: OperationContext) => {
  const sent = bodyOf(context)
  const one: JsonObject = context.records.messages?.get(String(context.path.message_id)) ?? { content: '-' }
  const keepsSome = PARTS.some((name) => hasValue(sent[name] === undefined ? one[name] : sent[name]))
  return check(context) ?? (keepsSome || context.files.length > 0 ? undefined : empty(context))
}

const callback = (context: OperationContext) => {
  const { type, data } = bodyOf(context)
  const sent = fieldsOf(data)
  const faults =
    type === 4 || type === 7 ? faultsOfMessage(context, sent, 'data.') : faultsOfAnswer(context, type, sent)
  const isEmpty = type === 4 && !PARTS.some((name) => hasValue(sent[name])) && context.files.length === 0
  return (
    tooLate(context) ??
    formError(context, faults) ??
    (isEmpty ? empty(context) : undefined) ??
    answered(context, sent.flags)
  )
}

/** Names that webhooks may not have. */
const webhookName = (field: string) => (context: OperationContext) => {
  const word = ['discord', 'clyde'].find((one) => String(bodyOf(context)[field]).toLowerCase().includes(one))
  const fault = ['USERNAME_INVALID_CONTAINS', `Username cannot contain "${word}"`] as const
  return word === undefined ? undefined : formError(context, new Map([[field, fault]]))
}

/** A webhook of a forum makes a thread whose first message is its own. */
const post = (context: OperationContext) => {
  const { records, path, query, call, respond } = context
  const hook = records.webhooks?.get(String(path.webhook_id))
  if (!hasValue(bodyOf(context).thread_name) || hook === undefined) return undefined
  const { thread_name, applied_tags = [], ...message } = bodyOf(context)
  const made = call('POST', `/channels/${hook.channel_id}/threads`, { name: thread_name ?? '', applied_tags, message })
  const { id } = fieldsOf(made.body)
  if (id === undefined) return respond({ status: made.status, body: made.body })
  const author = { id: hook.id, username: message.username ?? hook.name, avatar: message.avatar_url ?? null, bot: true }
  records.messages?.update(String(id), {
    webhook_id: hook.id ?? null,
    author: { ...author, discriminator: '0000', global_name: null, public_flags: 0 } as JsonObject,
  })
  const isShown = String(query.wait) === 'true'
  return isShown ? (call('GET', `/channels/${id}/messages/${id}`).body as object) : respond({ status: 204 })
}

/** A ban takes the messages of the last seconds with it. */
const ban = (context: OperationContext) => {
  const { guild_id, user_id } = context.path
  const { delete_message_seconds, delete_message_days = 0 } = context.body
  const seconds = Number(delete_message_seconds ?? Number(delete_message_days) * DAY_S)
  const since = new Date(context.now.getTime() - seconds * 1_000).toISOString()
  context.next()
  for (const { id, channel_id, timestamp } of context.records.messages?.where({ author_id: user_id }) ?? [])
    if (String(timestamp) > since && context.records.channels?.get(String(channel_id))?.guild_id === guild_id)
      context.records.messages?.remove(String(id))
  return context.respond({ status: 204 })
}

const listed = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** Bans members one after another; whoever is unknown has failed. */
const bans = (context: OperationContext) => {
  const { body, path, call, records, headers } = context
  const reason = reasonOf(headers)
  const { user_ids, delete_message_seconds = 0 } = body
  const isBanned = (id: Json) => {
    const done = call('PUT', `/guilds/${path.guild_id}/bans/${id}`, { delete_message_seconds }).status === 204
    for (const name of ['bans', 'audit_log_entries']) {
      const made = done && records[name]?.find({})
      if (made) records[name]?.update(made, { reason })
    }
    return done
  }
  const banned_users = listed(user_ids).filter(isBanned)
  const failed_users = listed(user_ids).filter((id) => !banned_users.includes(id))
  return banned_users.length > 0 ? { banned_users, failed_users } : refused(context, 400, 500000, 'Failed to ban users')
}

const MOST_DELETED = 100
const TWO_WEEKS_MS = 14 * DAY_S * 1_000

/** The role of everyone is neither given nor deleted. */
const ownRole = (context: OperationContext) =>
  context.path.role_id === context.path.guild_id ? refused(context, 400, 50028, 'Invalid Role') : undefined

const bulkDeletion = (context: OperationContext) => {
  const { body, now } = context
  const { length } = listed(body.messages)
  if (length < 2 || length > MOST_DELETED)
    return refused(
      context,
      400,
      50016,
      'Provided too few or too many messages to delete. Must provide at least 2 and fewer than 100 messages to delete.',
    )
  if (new Set(listed(body.messages)).size < length) return formError(context, new Map([['messages', FAULTS.setTwice]]))
  return listed(body.messages).some((id) => /^\d+$/.test(String(id)) && now.getTime() - timeOf(id) > TWO_WEEKS_MS)
    ? refused(context, 400, 50034, 'You can only bulk delete messages that are under 14 days old.')
    : undefined
}

const MOST_PINS = 250

/** A pin is announced in the channel. */
const pin = (context: OperationContext) => {
  const { records, path, now, respond } = context
  const one = records.messages?.get(String(path.message_id))
  const { channel_id } = path
  if (one?.pinned === true) return respond({ status: 204 })
  if ((records.messages?.count({ channel_id, pinned: true }) ?? 0) >= MOST_PINS)
    return refused(context, 400, 30003, `Maximum number of pins reached (${MOST_PINS})`)
  context.next()
  const guild_id = records.channels?.get(String(channel_id))?.guild_id ?? null
  records.messages?.update(String(path.message_id), { pinned_at: now.toISOString() })
  const id = snowflake(context)
  records.channels?.update(String(channel_id), { last_pin_timestamp: now.toISOString(), last_message_id: id })
  records.messages?.create({
    id,
    channel_id,
    author_id: BOT,
    type: 6,
    timestamp: now.toISOString(),
    message_reference: { type: 0, channel_id: channel_id ?? '', message_id: path.message_id ?? '', guild_id },
  })
  return respond({ status: 204 })
}

/** A page of what has a time, the newest first: `before` is a time too. */
function pageOf({ query }: OperationContext, list: Json | undefined, stamp: (one: JsonObject) => Json | undefined) {
  const at = (one: JsonObject) => Date.parse(String(stamp(one)))
  const before = query.before === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(query.before))
  const older = listOf(list)
    .filter((one) => at(one) < before)
    .sort((a, b) => at(b) - at(a))
  const page = older.slice(0, Number(query.limit ?? 50))
  return { page, has_more: page.length < older.length }
}

const pins = (context: OperationContext) => {
  const { page: items, has_more } = pageOf(context, context.next().items, ({ pinned_at }) => pinned_at)
  return { items, has_more }
}

/** Threads, with the bot as a member of those that it is in; active ones are all of a guild. */
const threads = (context: OperationContext) => {
  const { threads: found } = context.next()
  const isActive = context.path.guild_id !== undefined
  const stamp = ({ thread_metadata }: JsonObject) => fieldsOf(thread_metadata).archive_timestamp
  const active = { page: listOf(found).sort((a, b) => timeOf(b.id) - timeOf(a.id)) }
  const { page, ...more } = isActive ? active : pageOf(context, found, stamp)
  return { threads: page, members: page.flatMap(({ member }) => member ?? []), ...more }
}

/** A page of a channel's messages, the newest first. */
const messages = (context: OperationContext) => {
  const { records, path, query, call } = context
  const { channel_id } = path
  if (records.channels?.get(String(channel_id)) === undefined) return unknown(context, 10003, 'Channel')
  const all = records.messages?.where({ channel_id, hidden: false }) ?? []
  const limit = Number(query.limit ?? 50)
  const { before, after, around } = query
  const newer = (than: Json, most: number) => all.filter(({ id }) => String(id) > String(than)).slice(-most)
  const older = all.filter(({ id }) => (around ? String(id) <= String(around) : String(id) < String(before ?? '9')))
  const half = Math.floor((limit - 1) / 2)
  const page = after ? newer(after, limit) : [...(around && half ? newer(around, half) : []), ...older].slice(0, limit)
  return page.map(({ id }) => call('GET', `/channels/${channel_id}/messages/${id}`).body)
}

/** Members of a thread, with those of the guild where the request says so. */
const threadMembers = ({ query, records, path, call, next }: OperationContext) => {
  const { guild_id } = records.channels?.get(String(path.channel_id)) ?? {}
  const shown = (one: JsonObject) => ({
    ...one,
    member: call('GET', `/guilds/${guild_id}/members/${one.user_id}`).body,
  })
  const found = next()
  return String(query.with_member) !== 'true'
    ? found
    : Array.isArray(found)
      ? found.map(shown)
      : shown(fieldsOf(found as Json))
}

const HANDLERS: Readonly<Record<string, (context: OperationContext) => object | undefined>> = {
  ...commands,
  ...kinds,
  ...guildSettings,
  'GET /channels/{channel_id}/messages': messages,
  'POST /channels/{channel_id}/messages': message,
  'PATCH /channels/{channel_id}/messages/{message_id}': edit,
  'POST /webhooks/{webhook_id}/{webhook_token}': (context: OperationContext) =>
    endedToken(context) ??
    webhookName('username')(context) ??
    check(context) ??
    blank(context) ??
    post(context) ??
    followedUp(context, bodyOf(context).flags),
  'POST /webhooks/{webhook_id}/{webhook_token}/slack': slackMessage,
  'POST /webhooks/{webhook_id}/{webhook_token}/github': githubMessage,
  'PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}': (context: OperationContext) =>
    endedToken(context) ?? check(context),
  'POST /interactions/{interaction_id}/{interaction_token}/callback': callback,
  'GET /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}': endedToken,
  'DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}': endedToken,
  'POST /channels/{channel_id}/messages/bulk-delete': bulkDeletion,
  'PUT /channels/{channel_id}/pins/{message_id}': pin,
  'PUT /channels/{channel_id}/messages/pins/{message_id}': pin,
  'PUT /guilds/{guild_id}/members/{user_id}/roles/{role_id}': ownRole,
  'DELETE /guilds/{guild_id}/members/{user_id}/roles/{role_id}': ownRole,
  'DELETE /guilds/{guild_id}/roles/{role_id}': ownRole,
  'PUT /guilds/{guild_id}/bans/{user_id}': ban,
  'POST /channels/{channel_id}/threads': thread,
  'POST /channels/{channel_id}/messages/{message_id}/threads': thread,
  'POST /channels/{channel_id}/webhooks': webhookName('name'),
  'POST /guilds/{guild_id}/bulk-ban': bans,
  'GET /guilds/{guild_id}/roles/member-counts': ({ records, path: { guild_id } }) => {
    const given = records.members?.where({ guild_id }).flatMap(({ roles }) => roles as string[]) ?? []
    const ids = records.roles?.where({ guild_id }).map(({ id }) => String(id)) ?? []
    const counted = ids.filter((id) => id !== guild_id) // everyone has the role of the guild
    return Object.fromEntries(counted.map((id) => [id, given.filter((one) => one === id).length]))
  },
  'GET /channels/{channel_id}/messages/pins': pins,
  'GET /guilds/{guild_id}/threads/active': threads,
  'GET /channels/{channel_id}/threads/archived/public': threads,
  'GET /channels/{channel_id}/threads/archived/private': threads,
  'GET /channels/{channel_id}/users/@me/threads/archived/private': threads,
  'GET /channels/{channel_id}/thread-members': threadMembers,
  'GET /channels/{channel_id}/thread-members/{user_id}': threadMembers,
  'POST /test_helpers/interactions': interaction,
}

/** What an operation refuses before it is done, and what it does. */
const guarded = (name: string) => (context: OperationContext) =>
  (isKnownPlace(context)
    ? (forbidden(name, context) ?? formError(context, faultsOfForm(name, context)) ?? SITUATIONS[name]?.(context))
    : undefined) ?? audited(name, context, HANDLERS[name])

export default {
  ...Object.fromEntries(
    [...new Set([HANDLERS, FORMS, NEEDS, SITUATIONS, TYPES].flatMap(Object.keys))].map((name) => [name, guarded(name)]),
  ),
  $embeds: embedsOf,
  $mediaType: typeOfFile,
  $widthOf: (base64: Json) => sizeOfPicture(base64)?.[0] ?? null,
  $heightOf: (base64: Json) => sizeOfPicture(base64)?.[1] ?? null,
  $moment: moment,
  $picture: pictureOf,
  $trimmed: (text: Json) => String(text ?? '').trim(),
  $numbered: numbered,
  $unembedded: unembedded,
  $interactionMetadata: interactionMetadata,
  $unsuppressed: ({ embeds, flags }: JsonObject) => ((Number(flags) & SUPPRESSED) !== 0 ? [] : (embeds ?? [])),
  /** Ids of the roles that a text mentions. */
  $roles: (text: Json) => [...String(text ?? '').matchAll(/<@&(\d+)>/g)].map(([, id]) => id ?? ''),
}
