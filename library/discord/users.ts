import { makeSecret } from '../../src/protocol/webhook-scheme/keys.ts'
import { getPreset } from '../../src/protocol/webhook-scheme/presets.ts'
import {
  BOT,
  type DiscordRequest,
  type Fields,
  fieldsOf,
  type Json,
  type Kept,
  listOf,
  type Operations,
  only,
  textOf,
} from './discord.ts'
import { countsIn } from './guilds.ts'
import { permissionsOf } from './permissions.ts'
import { given } from './types.ts'
import { toApplication, toChannel, toGuild, toMember, toUser } from './views.ts'

const ROLE_CONNECTION = '/users/@me/applications/{application_id}/role-connection'
const CONNECTION_METADATA = '/applications/{application_id}/role-connections/metadata'
const MOST_GUILDS = 200

/** The token of a person who has signed in; undefined for the bot's. */
const tokenOf = ({ of, records }: DiscordRequest): Kept | undefined => records.access_tokens.get(of.key)
const scopesOf = (discord: DiscordRequest): string[] => textOf(tokenOf(discord)?.scope).split(' ')
/** Who calls: a person who has signed in, or the bot. */
const callerOf = (discord: DiscordRequest): Kept => discord.get('users', tokenOf(discord)?.user_id ?? BOT)

const me = (discord: DiscordRequest): Fields => {
  const caller = callerOf(discord)
  const { email = null, verified = false } = caller
  const address = scopesOf(discord).includes('email') && { email, verified: email === null ? false : verified }
  return {
    ...toUser(caller),
    ...{ locale: 'en-US', mfa_enabled: false, flags: 0, premium_type: 0 },
    ...(tokenOf(discord) === undefined ? { email: null, verified: true } : address),
  }
}

const guildsOf = (discord: DiscordRequest): Fields[] => {
  const caller = callerOf(discord)
  const { after = '0', before = '9', limit = MOST_GUILDS } = discord.query
  const joined = new Map(discord.all('members', { user_id: caller.id }).map((one) => [one.guild_id, one]))
  return discord
    .all('guilds')
    .filter(({ id }) => joined.has(id) && id > String(after) && id < String(before))
    .slice(0, Number(limit))
    .map((guild) => ({
      ...only(toGuild(discord, guild), 'id name icon banner features'),
      owner: guild.owner_id === caller.id,
      permissions: String(permissionsOf(discord, joined.get(guild.id) ?? {})),
      ...countsIn(discord, guild.id),
    }))
}

const people: Operations = {
  'GET /users/@me': me,
  'PATCH /users/@me': ({ records, body }) => toUser(records.users.update(BOT, given(body, 'username avatar banner'))),
  'GET /users/@me/guilds': guildsOf,
  'GET /users/@me/guilds/{guild_id}/member': (discord) => {
    const { guild, records } = discord
    const member = records.members.find({ guild_id: guild.id, user_id: callerOf(discord).id })
    return member === undefined ? discord.unknown('guilds') : toMember(discord, member)
  },
  'DELETE /users/@me/guilds/{guild_id}': (discord) => {
    discord.removeAll('members', { guild_id: discord.guild.id, user_id: BOT })
    return discord.done()
  },
  'POST /users/@me/channels': (discord) => {
    const { recipient_id = null } = discord.body
    const isKnown = recipient_id !== BOT && discord.records.users.get(recipient_id as string) !== undefined
    if (!isKnown) discord.refuse(400, 50033, 'Invalid Recipient(s)')
    const dm = { type: 1, recipient_id }
    return toChannel(discord, discord.records.channels.find(dm) ?? discord.create('channels', dm))
  },
  'GET /users/{user_id}': (discord) => toUser(discord.get('users', discord.path.user_id)),
  'GET /users/@me/connections': () => [],
}

/** The application, with a pair of keys that it gets at its first use. */
function applicationOf(discord: DiscordRequest): Kept {
  const application = discord.get('applications', BOT)
  if (application.secret !== '') return application
  const hex = (bytes: number) =>
    Array.from({ length: 2 * bytes }, () => Math.floor(discord.random() * 16).toString(16)).join('')
  const { secret, publicKey = '' } = makeSecret(getPreset('discord').scheme, hex)
  return discord.records.applications.update(application, { secret, verify_key: publicKey })
}

/** Sets where the events of a kind are sent. */
function setEndpoint(discord: DiscordRequest, kind: string, url: Json | undefined, events: Json): void {
  discord.removeAll('endpoints', { kind })
  if (url) discord.create('endpoints', { url, secret: applicationOf(discord).secret, kind, events })
}

function changeApplication(discord: DiscordRequest): Fields {
  const { body, records } = discord
  const fields = given(
    { ...body, description: body.description === null ? '' : body.description } as Fields,
    'description icon tags flags interactions_endpoint_url event_webhooks_url event_webhooks_status event_webhooks_types',
  )
  const changed = records.applications.update(applicationOf(discord), fields)
  const { interactions_endpoint_url, event_webhooks_url, event_webhooks_types = [] } = changed
  if (fields.interactions_endpoint_url !== undefined)
    setEndpoint(discord, 'interactions', interactions_endpoint_url, ['INTERACTION_CREATE'])
  if (fields.event_webhooks_url !== undefined || fields.event_webhooks_types !== undefined)
    setEndpoint(discord, 'events', event_webhooks_url, event_webhooks_types)
  return toApplication(discord, changed)
}

function authorization(discord: DiscordRequest): Fields {
  const token = tokenOf(discord)
  if (token === undefined) return discord.refuse(401, 0, '401: Unauthorized')
  const application = applicationOf(discord)
  const scopes = scopesOf(discord)
  return {
    application: {
      ...only(application, 'id name icon description verify_key'),
      ...{ hook: true, bot_public: true, bot_require_code_grant: false },
    },
    scopes,
    expires: token.expires_at ?? null,
    ...(scopes.includes('identify') && { user: toUser(callerOf(discord)) }),
  }
}

/** What an application or a person has kept for linked roles. */
const linkedOf = ({ records }: DiscordRequest, id: string): Fields[] =>
  listOf(records.connection_metadata.get(id)?.records)

function link(discord: DiscordRequest, id: string, kept: readonly Fields[]): void {
  discord.removeAll('connection_metadata', { id })
  discord.records.connection_metadata.create({ id, records: [...kept] })
}

const applications: Operations = {
  'GET /applications/@me': (discord) => toApplication(discord, applicationOf(discord)),
  'GET /oauth2/applications/@me': (discord) => toApplication(discord, applicationOf(discord)),
  'PATCH /applications/@me': changeApplication,
  'GET /oauth2/@me': authorization,
  'GET /applications/{application_id}/skus': (discord) =>
    discord.get('applications', discord.path.application_id) && [],
  [`GET ${CONNECTION_METADATA}`]: (discord) =>
    linkedOf(discord, discord.get('applications', discord.path.application_id).id),
  [`PUT ${CONNECTION_METADATA}`]: (discord) => {
    const { id } = discord.get('applications', discord.path.application_id)
    link(discord, id, listOf(discord.body))
    return linkedOf(discord, id)
  },
  [`GET ${ROLE_CONNECTION}`]: (discord) =>
    linkedOf(discord, callerOf(discord).id)[0] ?? { platform_name: null, platform_username: null, metadata: {} },
  [`PUT ${ROLE_CONNECTION}`]: (discord) => {
    const { platform_name = null, platform_username = null, metadata } = discord.body
    const connection = { platform_name, platform_username, metadata: fieldsOf(metadata) }
    link(discord, callerOf(discord).id, [connection])
    return connection
  },
}

/** People, and what an application says of itself. */
export const users: Operations = { ...people, ...applications }
