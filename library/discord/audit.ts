import type { JsonObject } from '../../src/protocol/json.ts'
import { type Act, BOT, type Collection, type DiscordRequest, fieldsOf, type Json, listOf } from './discord.ts'

const GUILD = '/guilds/{guild_id}'
const CHANNEL = '/channels/{channel_id}'
const MEMBER = `${GUILD}/members/{user_id}`
const [OVERWRITE_MADE, OVERWRITE_CHANGED, MEMBER_CHANGED, ROLES_CHANGED] = [13, 14, 24, 25]
/** What a message was: the target is its author. */
const [DELETED, BULK_DELETED, PINNED, UNPINNED] = [72, 73, 74, 75]

/** Entries of three types one after the other: something was made, changed, deleted. */
const trio = (scope: string, id: string, first: number) => ({
  [`POST ${scope}`]: first,
  [`PATCH ${scope}/{${id}}`]: first + 1,
  [`DELETE ${scope}/{${id}}`]: first + 2,
})
/** The type of the entry that an operation makes: https://docs.discord.com/developers/resources/audit-log */
export const TYPES: Readonly<Record<string, number>> = {
  [`PATCH ${GUILD}`]: 1,
  [`POST ${GUILD}/channels`]: 10,
  [`PATCH ${CHANNEL}`]: 11,
  [`DELETE ${CHANNEL}`]: 12,
  [`PUT ${CHANNEL}/permissions/{overwrite_id}`]: OVERWRITE_MADE,
  [`DELETE ${CHANNEL}/permissions/{overwrite_id}`]: 15,
  [`DELETE ${MEMBER}`]: 20,
  [`PUT ${GUILD}/bans/{user_id}`]: 22,
  [`DELETE ${GUILD}/bans/{user_id}`]: 23,
  [`PATCH ${MEMBER}`]: MEMBER_CHANGED,
  [`PATCH ${GUILD}/members/@me`]: MEMBER_CHANGED,
  [`PUT ${MEMBER}/roles/{role_id}`]: ROLES_CHANGED,
  [`DELETE ${MEMBER}/roles/{role_id}`]: ROLES_CHANGED,
  ...trio(`${GUILD}/roles`, 'role_id', 30),
  [`POST ${CHANNEL}/invites`]: 40,
  'DELETE /invites/{code}': 42,
  [`POST ${CHANNEL}/webhooks`]: 50,
  'PATCH /webhooks/{webhook_id}': 51,
  'DELETE /webhooks/{webhook_id}': 52,
  ...trio(`${GUILD}/emojis`, 'emoji_id', 60),
  [`DELETE ${CHANNEL}/messages/{message_id}`]: DELETED,
  [`POST ${CHANNEL}/messages/bulk-delete`]: BULK_DELETED,
  [`PUT ${CHANNEL}/pins/{message_id}`]: PINNED,
  [`PUT ${CHANNEL}/messages/pins/{message_id}`]: PINNED,
  [`DELETE ${CHANNEL}/pins/{message_id}`]: UNPINNED,
  [`DELETE ${CHANNEL}/messages/pins/{message_id}`]: UNPINNED,
  ...trio(`/stage-instances`, 'channel_id', 83),
  ...trio(`${GUILD}/stickers`, 'sticker_id', 90),
  ...trio(`${GUILD}/scheduled-events`, 'event_id', 100),
  [`POST ${CHANNEL}/threads`]: 110,
  [`POST ${CHANNEL}/messages/{message_id}/threads`]: 110,
  ...trio(`${GUILD}/soundboard-sounds`, 'sound_id', 130),
  ...trio(`${GUILD}/auto-moderation/rules`, 'rule_id', 140),
}
/** Changes of a channel are such of a thread, if it is one. */
const OF_THREADS: Readonly<Record<number, number>> = { 11: 111, 12: 112 }

/** The collection of what a parameter of a path names, the narrowest first. */
const NAMED: readonly (readonly [string, Collection])[] = Object.entries({
  role_id: 'roles',
  emoji_id: 'emojis',
  sticker_id: 'stickers',
  sound_id: 'soundboard_sounds',
  event_id: 'scheduled_events',
  rule_id: 'auto_moderation_rules',
  webhook_id: 'webhooks',
  message_id: 'messages',
  channel_id: 'channels',
  guild_id: 'guilds',
} as const)

export function reasonOf({ headers }: DiscordRequest): string | null {
  const { 'x-audit-log-reason': reason = null } = headers
  try {
    return reason && decodeURIComponent(reason)
  } catch {
    return reason // a percent sign that encodes nothing
  }
}

const listed = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

/** What the request is about, as it is now. */
function subjectOf(name: string, { path, records }: DiscordRequest): JsonObject {
  const { guild_id = null, user_id = name.endsWith('/@me') ? BOT : undefined } = path
  if (user_id) return { ...records.members.find({ guild_id, user_id }) }
  if (path.code) return { ...records.invites.find({ code: path.code }) }
  const named = NAMED.find(([parameter]) => path[parameter] !== undefined)
  return named === undefined ? {} : { ...records[named[1]]?.get(String(path[named[0]])) }
}

/** Does an operation, and says in the audit log of the guild what changed, and why. */
export function audited(name: string, discord: DiscordRequest, act: Act): unknown {
  const type = TYPES[name]
  if (type === undefined) return act(discord)
  const { path, body, records } = discord
  const before = subjectOf(name, discord)
  const answer = act(discord)
  const channel = fieldsOf(records.channels.get(String(path.channel_id ?? before.channel_id ?? before.id)))
  const made = name.startsWith('POST') ? fieldsOf(answer) : {}
  const guild_id = path.guild_id ?? before.guild_id ?? made.guild_id ?? channel.guild_id ?? null
  const isDone = type === PINNED ? before.pinned !== true : type !== DELETED || before.author_id !== BOT
  if (!isDone || guild_id === null) return answer
  const changes = changesOf(name, discord, before, made)
  const overwrite = listOf(before.permission_overwrites).find(({ id }) => id === path.overwrite_id)
  const { overwrite_id, channel_id = made.channel_id ?? '', message_id } = path
  const options: JsonObject | undefined = overwrite_id
    ? { id: overwrite_id, type: String(body.type ?? overwrite?.type ?? 0) }
    : ({
        [DELETED]: { channel_id, count: '1' },
        [BULK_DELETED]: { count: String(listed(body.messages).length) },
        [PINNED]: { channel_id, message_id: message_id ?? '' },
        [UNPINNED]: { channel_id, message_id: message_id ?? '' },
      }[type] ?? (name.includes('/stage-instances') ? { channel_id } : undefined))
  const isOfRoles = changes.length > 0 && changes.every(({ key }) => String(key).startsWith('$'))
  records.audit_log_entries.create({
    id: discord.nextId('audit_log_entries'),
    guild_id,
    user_id: BOT,
    target_id: path.user_id ?? (name.endsWith('/@me') ? BOT : targetOf(before, made)) ?? null,
    action_type: typeOf(type, {
      isThread: Boolean(before.thread_metadata),
      isKnown: overwrite !== undefined,
      isOfRoles,
    }),
    ...(changes.length > 0 && { changes }),
    ...(options && { options }),
    reason: reasonOf(discord),
  })
  return answer
}

/** An invitation has no target; that of a message is its author. */
const targetOf = (before: JsonObject, made: JsonObject): Json | undefined =>
  made.code || before.code ? null : (before.author_id ?? made.id ?? made.sound_id ?? before.id)

function typeOf(type: number, is: { isThread: boolean; isKnown: boolean; isOfRoles: boolean }): number {
  if (type === OVERWRITE_MADE && is.isKnown) return OVERWRITE_CHANGED
  if (type === MEMBER_CHANGED && is.isOfRoles) return ROLES_CHANGED
  return (is.isThread ? OF_THREADS[type] : undefined) ?? type
}

function changesOf(name: string, discord: DiscordRequest, before: JsonObject, made: JsonObject): JsonObject[] {
  const isNew = name.startsWith('POST')
  const after = isNew ? made : subjectOf(name, discord)
  const isGone = name.startsWith('DELETE') && after.id === undefined
  const names = isGone
    ? ['name', 'type']
    : [...new Set(['roles', ...Object.keys(discord.body).filter((key) => key !== 'message')])]
  return names.flatMap((key): JsonObject[] => {
    const [was, is] = [isNew ? undefined : before[key], after[key]]
    if (JSON.stringify(was ?? null) === JSON.stringify(is ?? null)) return []
    if (key === 'roles') return isNew ? [] : rolesChanged(discord, was, is)
    return [{ key, ...(was != null && { old_value: was }), ...(is != null && { new_value: is }) }]
  })
}

function rolesChanged({ records }: DiscordRequest, was: Json | undefined, is: Json | undefined): JsonObject[] {
  const named = (ids: Json[]) => ids.map((id) => ({ id, name: records.roles.get(String(id))?.name ?? null }))
  const [gone, come] = [
    listed(was).filter((id) => !listed(is).includes(id)),
    listed(is).filter((id) => !listed(was).includes(id)),
  ]
  return [
    ...(come.length > 0 ? [{ key: '$add', new_value: named(come) }] : []),
    ...(gone.length > 0 ? [{ key: '$remove', new_value: named(gone) }] : []),
  ]
}
