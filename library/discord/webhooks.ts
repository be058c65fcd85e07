import {
  BOT,
  type DiscordRequest,
  EPHEMERAL,
  type Fields,
  fieldsOf,
  isForum,
  type Kept,
  LOADING,
  type Operations,
  referenceTo,
} from './discord.ts'
import { hasValue, refuseForm } from './faults.ts'
import { githubMessage, slackMessage } from './foreign-webhooks.ts'
import { endedToken } from './interactions.ts'
import { checkChange, checkNew } from './message-parts.ts'
import { changesOf, partsOf, pollOf, post, webhookAuthor } from './messages.ts'
import { given } from './types.ts'
import { pictureOf, toMessage, toTokenWebhook, toWebhook } from './views.ts'

const WEBHOOK = '/webhooks/{webhook_id}'
const TOKENED = `${WEBHOOK}/{webhook_token}`
const MESSAGE = `${TOKENED}/messages/{message_id}`
const MOST_OF_WEBHOOKS = 15
const TOKEN_LENGTH = 68
const [PLAIN, REPLY] = [0, 19]

const webhookOf = (discord: DiscordRequest): Kept => discord.get('webhooks', discord.path.webhook_id)

function tokenedOf(discord: DiscordRequest): Kept {
  const hook = webhookOf(discord)
  return hook.token === discord.path.webhook_token ? hook : wrongToken(discord)
}

const wrongToken = (discord: DiscordRequest): never => discord.refuse(401, 50027, 'Invalid Webhook Token')

/** Refuses names that webhooks may not have. */
function checkName(discord: DiscordRequest, field: string): void {
  const name = String(discord.body[field]).toLowerCase()
  const word = ['discord', 'clyde'].find((one) => name.includes(one))
  if (word !== undefined)
    refuseForm(discord, new Map([[field, ['USERNAME_INVALID_CONTAINS', `Username cannot contain "${word}"`]]]))
}

function create(discord: DiscordRequest): Fields {
  const { channel, body, records } = discord
  if (records.webhooks.count({ channel_id: channel.id }) >= MOST_OF_WEBHOOKS)
    discord.refuse(400, 30007, `Maximum number of webhooks reached (${MOST_OF_WEBHOOKS})`)
  checkName(discord, 'name')
  const made = discord.create('webhooks', {
    ...{ guild_id: channel.guild_id, channel_id: channel.id, application_id: BOT, user_id: BOT },
    ...given(body, 'name avatar'),
    token: discord.id(TOKEN_LENGTH),
    origin: discord.of.origin,
  })
  return toWebhook(discord, made)
}

function change(discord: DiscordRequest, hook: Kept, fields: Fields = {}): Kept {
  checkName(discord, 'name')
  return discord.records.webhooks.update(hook, { ...given(discord.body, 'name avatar'), ...fields })
}

/** Where a webhook is moved to. */
function placeIn(discord: DiscordRequest): Fields {
  const { channel_id } = discord.body
  return channel_id == null ? {} : { channel_id: discord.get('channels', channel_id).id }
}

function remove(discord: DiscordRequest, hook: Kept): object {
  discord.records.webhooks.remove(hook)
  return discord.done()
}

const listed = (discord: DiscordRequest, test: Fields): Fields[] =>
  discord.all('webhooks', test).map((one) => toWebhook(discord, one))

/** What a token is of: a webhook, or an interaction whose application answers. */
interface Sender {
  readonly hook: Kept | undefined
  readonly interaction: Kept | undefined
  readonly channel: Kept
}

function senderOf(discord: DiscordRequest): Sender {
  endedToken(discord)
  const { records, path } = discord
  const { webhook_id = '', webhook_token: token = '' } = path
  const hook = records.webhooks.get(webhook_id)
  const interaction = records.interactions.find({ application_id: webhook_id, token })
  if (hook === undefined && interaction === undefined) discord.unknown('webhooks')
  if (hook !== undefined && hook.token !== token) wrongToken(discord)
  return { hook, interaction, channel: discord.get('channels', (hook ?? interaction)?.channel_id) }
}

/** A webhook of a forum posts into threads, others do not make them. */
function checkPlace(discord: DiscordRequest, { hook, channel }: Sender): void {
  if (hook === undefined) return
  const [named, placed] = [hasValue(discord.body.thread_name), hasValue(discord.query.thread_id)]
  if (isForum(channel) && !named && !placed)
    discord.refuse(400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id')
  if (isForum(channel) && named && placed)
    discord.refuse(400, 220002, 'Webhooks posted to forum channels cannot have both a thread_name and thread_id')
  if (named && !isForum(channel)) discord.refuse(400, 220003, 'Webhooks can only create threads in forum channels')
}

const authorOf = ({ body }: DiscordRequest, { id, name, avatar }: Kept): Fields =>
  webhookAuthor(id, body.username ?? name, body.avatar_url ?? pictureOf(avatar))

/** A thread of a forum whose first message is the webhook's. */
function postThread(discord: DiscordRequest, hook: Kept): Kept {
  const { thread_name, applied_tags = [], ...message } = discord.body
  const thread = { name: thread_name, applied_tags, message }
  const { status, body } = discord.call('POST', `/channels/${hook.channel_id}/threads`, thread)
  if (status >= 400) discord.refuse(status, Number(body.code), String(body.message), fieldsOf(body.errors))
  return discord.records.messages.update(String(body.id), { webhook_id: hook.id, author: authorOf(discord, hook) })
}

/** Posts as the webhook. */
function postOf(discord: DiscordRequest, hook: Kept, channel: Kept): Kept {
  if (hasValue(discord.body.thread_name)) return postThread(discord, hook)
  const place = hasValue(discord.query.thread_id) ? discord.get('channels', discord.query.thread_id) : channel
  return post(discord, {
    ...{ channel_id: place.id, author_id: hook.id, webhook_id: hook.id, type: PLAIN, nonce: discord.body.nonce },
    ...partsOf(discord, discord.body),
    ...pollOf(discord, discord.body.poll),
    author: authorOf(discord, hook),
  })
}

/**
 * A follow-up refers to the answer. Right after a deferred answer it becomes that answer:
 * https://docs.discord.com/developers/interactions/receiving-and-responding#create-followup-message
 */
function followUp(discord: DiscordRequest, interaction: Kept, { id: channel_id, guild_id = null }: Kept): Kept {
  const { records, body, path } = discord
  const { response_id = null } = interaction
  const parts = partsOf(discord, body)
  const answer = records.messages.get(response_id as string)
  if (answer !== undefined && (Number(answer.flags) & LOADING) !== 0)
    return records.messages.update(answer, { ...parts, flags: Number(answer.flags) - LOADING })
  return post(discord, {
    ...{ channel_id, author_id: BOT, webhook_id: path.webhook_id, type: REPLY, interaction_id: interaction.id },
    ...parts,
    ...pollOf(discord, body.poll),
    // Only the person of the interaction sees it.
    hidden: (Number(parts.flags) & EPHEMERAL) !== 0,
    message_reference: answer === undefined ? null : referenceTo(answer, guild_id),
  })
}

function execute(discord: DiscordRequest): object {
  const sender = senderOf(discord)
  const { hook, interaction, channel } = sender
  checkPlace(discord, sender)
  checkName(discord, 'username')
  checkNew(discord, discord.body)
  const made = hook === undefined ? followUp(discord, interaction as Kept, channel) : postOf(discord, hook, channel)
  const isShown = hook === undefined || discord.asks('wait')
  return isShown ? discord.respond({ status: 200, body: toMessage(discord, made) }) : discord.done()
}

/** The message of a webhook, or of an interaction, that the path names. */
function messageOf(discord: DiscordRequest): Kept {
  const { hook, interaction, channel } = senderOf(discord)
  const { webhook_id, message_id } = discord.path
  const isOriginal = message_id === '@original'
  const message = discord.get('messages', isOriginal ? interaction?.response_id : message_id)
  const isElsewhere = hook !== undefined && message.channel_id !== (discord.query.thread_id ?? channel.id)
  const isOfOther = message.webhook_id !== webhook_id && !isOriginal
  return isElsewhere || isOfOther ? discord.unknown('messages') : message
}

/** An answer that was waited for is there with its first change. */
function edit(discord: DiscordRequest): Fields {
  const { body, records } = discord
  const message = messageOf(discord)
  checkChange(discord, message)
  const flags = Number(message.flags) & ~LOADING
  return toMessage(discord, records.messages.update(message, { flags, ...changesOf(discord, message, body) }))
}

export const webhooks: Operations = {
  'POST /channels/{channel_id}/webhooks': create,
  'GET /channels/{channel_id}/webhooks': (discord) => listed(discord, { channel_id: discord.channel.id }),
  'GET /guilds/{guild_id}/webhooks': (discord) => listed(discord, { guild_id: discord.guild.id }),
  [`GET ${WEBHOOK}`]: (discord) => toWebhook(discord, webhookOf(discord)),
  [`PATCH ${WEBHOOK}`]: (discord) => toWebhook(discord, change(discord, webhookOf(discord), placeIn(discord))),
  [`DELETE ${WEBHOOK}`]: (discord) => remove(discord, webhookOf(discord)),
  [`GET ${TOKENED}`]: (discord) => toTokenWebhook(tokenedOf(discord)),
  // A token moves no webhook: https://docs.discord.com/developers/resources/webhook#modify-webhook-with-token
  [`PATCH ${TOKENED}`]: (discord) => toTokenWebhook(change(discord, tokenedOf(discord))),
  [`DELETE ${TOKENED}`]: (discord) => remove(discord, tokenedOf(discord)),
  [`POST ${TOKENED}`]: execute,
  [`POST ${TOKENED}/slack`]: slackMessage,
  [`POST ${TOKENED}/github`]: githubMessage,
  [`GET ${MESSAGE}`]: (discord) => toMessage(discord, messageOf(discord)),
  [`PATCH ${MESSAGE}`]: edit,
  [`DELETE ${MESSAGE}`]: (discord) => {
    discord.records.messages.remove(messageOf(discord))
    return discord.done()
  },
}
