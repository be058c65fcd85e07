import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { typeOfFile } from '../resend/media-type.ts'
import { commands } from './commands.ts'
import { type Faults, formError, hasValue, REQUIRED } from './faults.ts'

const V2 = 1 << 15
const BUTTON_LINK = 5
const BUTTON_PREMIUM = 6
/** Types of components that only messages with the flag of the second version have at the top. */
const TOPS_V2 = new Set([1, 9, 10, 12, 13, 14, 17])

/** Faults in the components of a message, and in what stands beside them. */
function faultsOfMessage(message: JsonObject, at = ''): Faults {
  const faults: Faults = new Map()
  const { components } = message
  const isV2 = (Number(message.flags ?? 0) & V2) !== 0
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
  const tops = Array.isArray(components) ? listOf(components) : []
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
  const fault = (field: string, code: string, message: string) => faults.set(`${path}.${field}`, [code, message])
  const id = String(custom_id ?? '')
  if (type === 1 && !(listOf(components).length >= 1 && listOf(components).length <= 5))
    fault('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.')
  if (type === 2 && style === BUTTON_LINK) {
    if (id !== '')
      fault(
        'custom_id',
        'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
        'A custom id and url cannot both be specified',
      )
    else if (!hasValue(url)) fault('url', 'BUTTON_COMPONENT_LINK_URL_REQUIRED', 'A url is required')
  } else if (type === 2 && style === BUTTON_PREMIUM) {
    if (!hasValue(sku_id)) fault('sku_id', ...REQUIRED)
  } else if (type === 2) {
    if (id === '') fault('custom_id', 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required')
    if (hasValue(url))
      fault('url', 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE', 'A custom id and url cannot both be specified')
    if (!(Number(style) >= 1 && Number(style) <= 4))
      fault('style', 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2, 3, 4, 5, 6}.')
  }
  if (typeof label === 'string' && label.length > 80 && type === 2)
    fault('label', 'BASE_TYPE_MAX_LENGTH', 'Must be 80 or fewer in length.')
  if ([3, 5, 6, 7, 8].includes(Number(type)) && id === '') fault('custom_id', ...REQUIRED)
  if (type === 3 && !(listOf(options).length >= 1 && listOf(options).length <= 25))
    fault('options', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 25 in length.')
  if (id.length > 100) fault('custom_id', 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
  if (id !== '' && seen.has(id))
    fault('custom_id', 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
  seen.add(id)
}

/** The JSON of a request, which stands in a field of a form beside files. */
const bodyOf = ({ body }: OperationContext): JsonObject =>
  typeof body.payload_json === 'string' ? JSON.parse(body.payload_json) : body

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
const check = (context: OperationContext) => formError(context, faultsOfMessage(bodyOf(context)))

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
  const fault = check(context)
  if (fault !== undefined) return fault
  const made = context.next()
  keepOpen(context, channel_id)
  return made
}

const thread = (context: OperationContext) => {
  const made = context.next()
  keepOpen(context, made.id)
  return made
}

const callback = (context: OperationContext) => {
  const { type, data } = bodyOf(context)
  const isMessage = type === 4 || type === 7
  return isMessage ? formError(context, faultsOfMessage(fieldsOf(data), 'data.')) : undefined
}

/** Names that webhooks may not have. */
const webhookName = (field: string) => (context: OperationContext) => {
  const word = ['discord', 'clyde'].find((one) => String(bodyOf(context)[field]).toLowerCase().includes(one))
  const fault = ['USERNAME_INVALID_CONTAINS', `Username cannot contain "${word}"`] as const
  return word === undefined ? undefined : formError(context, new Map([[field, fault]]))
}

const reaction = (context: OperationContext) => {
  const [name = '', id] = decodeURIComponent(String(context.path.emoji)).split(':')
  const isKnown = id === undefined ? /\p{Emoji}/u.test(name) : context.records.emojis?.get(id) !== undefined
  return isKnown ? undefined : context.respond({ status: 400, body: { message: 'Unknown Emoji', code: 10014 } })
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

const moderationRule = (context: OperationContext) => {
  const { actions } = context.body
  const fault = ['BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.'] as const
  return Array.isArray(actions) && actions.length === 0 ? formError(context, new Map([['actions', fault]])) : undefined
}

const ALL = (1n << 53n) - 1n
const ADMINISTRATOR = 8n

/** What a member may do in the guild: all, for its owner and for administrators. */
function permissionsOf({ records }: OperationContext, member: JsonObject): string {
  const { guild_id, roles } = member
  const names = [guild_id, ...(Array.isArray(roles) ? roles : [])].map(String)
  const bits = names.reduce((all, id) => all | BigInt(String(records.roles?.get(id)?.permissions ?? 0)), 0n)
  const isOwner = records.guilds?.get(String(guild_id))?.owner_id === member.user_id
  return String(isOwner || (bits & ADMINISTRATOR) !== 0n ? ALL : bits)
}

/** An interaction says what its member may do. */
const interaction = (context: OperationContext): void => {
  context.next()
  const happening = context.records.happenings?.find({ event_name: 'INTERACTION_CREATE' })
  const payload = fieldsOf(happening?.payload)
  const user_id = fieldsOf(fieldsOf(payload.member).user).id ?? null
  const member = context.records.members?.find({ user_id, guild_id: payload.guild_id ?? null })
  if (member !== undefined && happening !== undefined) {
    const shown = { ...fieldsOf(payload.member), permissions: permissionsOf(context, member) }
    context.records.happenings?.update(happening, { payload: { ...payload, member: shown } })
  }
}

export default {
  ...commands,
  'POST /channels/{channel_id}/messages': message,
  'PATCH /channels/{channel_id}/messages/{message_id}': check,
  'POST /channels/{channel_id}/threads': thread,
  'POST /channels/{channel_id}/messages/{message_id}/threads': thread,
  'PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me': reaction,
  'POST /channels/{channel_id}/webhooks': webhookName('name'),
  'POST /webhooks/{webhook_id}/{webhook_token}': (context: OperationContext) =>
    webhookName('username')(context) ?? check(context),
  'PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}': check,
  'POST /interactions/{interaction_id}/{interaction_token}/callback': callback,
  'PUT /guilds/{guild_id}/bans/{user_id}': ban,
  'POST /guilds/{guild_id}/auto-moderation/rules': moderationRule,
  'POST /test_helpers/interactions': interaction,
  $mediaType: typeOfFile,
}
