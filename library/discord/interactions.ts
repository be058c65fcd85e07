import {
  ADA,
  BOT,
  type DiscordRequest,
  EPHEMERAL,
  type Fields,
  fieldsOf,
  GENERAL,
  type Json,
  type Kept,
  LOADING,
  listOf,
  type Operations,
  only,
  present,
  referenceTo,
  timeOf,
  without,
} from './discord.ts'
import { type Faults, lengthFault, refuseForm } from './faults.ts'
import { COMPLETION, MODAL as MODAL_FORM, noteFaults } from './forms.ts'
import { checkNew, faultsOfMessage, SELECTS } from './message-parts.ts'
import { changesOf, partsOf, pollOf, post } from './messages.ts'
import { ALL, permissionsOf } from './permissions.ts'
import { typed } from './types.ts'
import { toChannel, toMember, toMessage, toRole, userOf } from './views.ts'

/** Types of interactions. */
const [COMMAND, COMPONENT, COMPLETION_ASKED, MODAL] = [2, 3, 4, 5]
/** Types of answers. */
const [MESSAGE, DEFERRED, UPDATE] = [4, 5, 7]
const ANSWERS = [1, 4, 5, 6, 7, 8, 9, 12]
/** Types of messages. */
const [REPLY, OF_COMMAND, CONTEXT_MENU] = [19, 20, 23]
const TOKEN_LENGTH = 80
/** If the clock is turned. */
const ANSWERED_WITHIN_MS = 3_000
const TOKEN_LIVES_MS = 15 * 60_000
/** What a value of an option, or of a select menu, names. */
const NAMES_BY_OPTION: Readonly<Record<number, readonly string[]>> = {
  6: ['users'],
  7: ['channels'],
  8: ['roles'],
  9: ['users', 'roles'],
}
const NAMES_BY_SELECT: typeof NAMES_BY_OPTION = { 5: ['users'], 6: ['roles'], 7: ['users', 'roles'], 8: ['channels'] }
/** Adds what the ids name: whole users, roles and messages, and what an interaction has of members and channels. */
function resolve(discord: DiscordRequest, into: Fields, kinds: readonly string[], ids: readonly Json[]): void {
  const { records } = discord
  const { guild_id = null } = placeOf(discord)
  const put = (kind: string, id: string, value: Fields | undefined) => {
    if (value !== undefined) into[kind] = { ...fieldsOf(into[kind]), [id]: value }
  }
  for (const id of ids.map(String)) {
    if (kinds.includes('users')) {
      put('users', id, userOf(discord, id))
      const member = records.members.find({ user_id: id, guild_id })
      const shown = member && without(toMember(discord, member), 'user deaf mute')
      put('members', id, member && { ...shown, permissions: String(permissionsOf(discord, member)) })
    }
    const role = kinds.includes('roles') ? records.roles.get(id) : undefined
    put('roles', id, role && toRole(role))
    const channel = kinds.includes('channels') ? records.channels.get(id) : undefined
    const { thread_metadata } = channel === undefined ? {} : toChannel(discord, channel)
    put(
      'channels',
      id,
      channel && present({ ...only(channel, 'id name type parent_id'), permissions: String(ALL), thread_metadata }),
    )
    const message = kinds.includes('messages') ? records.messages.get(id) : undefined
    put('messages', id, message && toMessage(discord, message))
  }
}

/** Options as they are sent: with the types that the command gives them. */
const typedOptions = (discord: DiscordRequest, sent: Json | undefined, known: Json | undefined, into: Fields) =>
  listOf(sent).map((option): Fields => {
    const definition = listOf(known).find(({ name }) => name === option.name) ?? {}
    const type = Number(option.type ?? definition.type ?? 3)
    if (option.value !== undefined) resolve(discord, into, NAMES_BY_OPTION[type] ?? [], [option.value])
    const below = option.options && { options: typedOptions(discord, option.options, definition.options, into) }
    return { ...option, type, ...below }
  })

/** The component of a message with this id, at any depth. */
function componentOf(components: Json | undefined, id: Json | undefined): Fields | undefined {
  const all = listOf(components).flatMap((one) => [one, ...(one.accessory ? [fieldsOf(one.accessory)] : [])])
  const below = () => all.flatMap((one) => [componentOf(one.components, id) ?? []].flat())
  return all.find(({ custom_id }) => custom_id === id) ?? below()[0]
}

/** What an interaction has in `data`: of a command with what its options name, of a component, or of a modal. */
function dataOf(discord: DiscordRequest, type: number): Fields {
  const { body, records } = discord
  const { name, options, custom_id, target_id, message_id, values } = body
  const resolved: Fields = {}
  const shown = () => (Object.keys(resolved).length > 0 ? { resolved } : {})
  if (type === MODAL) return { custom_id: custom_id ?? null, components: body.components ?? [], ...shown() }
  if (type === COMPONENT) {
    const component = componentOf(records.messages.get(String(message_id))?.components, custom_id)
    const component_type = Number(body.component_type ?? component?.type ?? 2)
    const chosen = Array.isArray(values) ? values : []
    resolve(discord, resolved, NAMES_BY_SELECT[component_type] ?? [], chosen)
    const id = component?.id ?? 1
    const picked = SELECTS.has(component_type) ? { values: chosen } : {}
    return { id, custom_id: custom_id ?? null, component_type, ...picked, ...shown() }
  }
  const command = records.commands.find({ name: name ?? null })
  if (target_id !== undefined) resolve(discord, resolved, [command?.type === 2 ? 'users' : 'messages'], [target_id])
  const chosen = typedOptions(discord, options, command?.options, resolved)
  const { id, type: kind, guild_id }: Fields = command ?? {}
  return {
    ...{ id, name, type: kind, options: chosen },
    ...(guild_id && { guild_id }),
    ...(target_id !== undefined && { target_id }),
    ...shown(),
  } as Fields
}

/** Where a person acts. */
const placeOf = (discord: DiscordRequest): Kept => discord.get('channels', discord.body.channel_id ?? GENERAL)

/** What a person does in the application: the interaction says who, where, and what is named in it. */
function act(discord: DiscordRequest): Fields {
  const { records, body } = discord
  const channel = placeOf(discord)
  const { guild_id = null, id: channel_id } = channel
  const { message_id = null } = body
  const user_id = body.user_id ?? ADA
  const type = Number(body.type ?? (body.custom_id ? COMPONENT : COMMAND))
  const isKnown = records.commands.some({ name: body.name ?? null })
  if ((type === COMMAND || type === COMPLETION_ASKED) && !isKnown) discord.unknown('commands')
  const data = body.data === undefined ? dataOf(discord, type) : fieldsOf(body.data)
  const shared = { application_id: BOT, type, token: discord.id(TOKEN_LENGTH), channel_id, data }
  const owners = { authorizing_integration_owners: { 0: guild_id ?? '0' } }
  const kept = { ...shared, ...owners, guild_id, user_id, message_id, ahead: discord.ahead }
  const { id } = discord.create('interactions', kept)
  const message = records.messages.get(message_id as string)
  const bot = records.members.find({ guild_id, user_id: BOT })
  const payload = present({
    ...{ id, ...shared, ...owners, version: 1, locale: 'en-US', entitlements: [], attachment_size_limit: 10_485_760 },
    channel: toChannel(discord, channel),
    message: message && toMessage(discord, message),
    app_permissions: String(bot === undefined ? ALL : permissionsOf(discord, bot, channel)),
    ...(guild_id === null
      ? { user: userOf(discord, user_id), context: 1 }
      : { ...inGuild(discord, channel, user_id), context: 0 }),
  })
  discord.create('happenings', { event_name: 'INTERACTION_CREATE', payload })
  return { id, token: shared.token, type, application_id: BOT, data }
}

/** What an interaction of a guild says of it, and of the member. */
function inGuild(discord: DiscordRequest, channel: Kept, user_id: Json): Fields {
  const { guild_id = null } = channel
  const { features = [] }: Fields = discord.records.guilds.get(guild_id as string) ?? {}
  const member = discord.records.members.find({ guild_id, user_id })
  const permissions = member && String(permissionsOf(discord, member, channel))
  return {
    ...{ guild_id, guild: { id: guild_id, locale: 'en-US', features }, guild_locale: 'en-US' },
    member: present({ ...(member && toMember(discord, member)), permissions }),
  }
}

/** Refuses a token of an interaction after its fifteen minutes. */
export function endedToken(discord: DiscordRequest): void {
  const { records, path, now } = discord
  const one = records.interactions.find({ token: path.webhook_token ?? '' })
  if (one !== undefined && now.getTime() - timeOf(one.id) > TOKEN_LIVES_MS)
    discord.refuse(401, 50027, 'Invalid Webhook Token')
}

/** Faults in the choices of an autocompletion, or in a modal. */
function faultsOfAnswer(discord: DiscordRequest, type: Json | undefined, data: Fields): Faults {
  const faults: Faults = new Map()
  if (type === 8) noteFaults(faults, COMPLETION, data, discord, 'data.')
  if (type !== 9) return faults
  noteFaults(faults, MODAL_FORM, data, discord, 'data.')
  for (const [at, row] of listOf(data.components).entries())
    for (const [place, { type: kind, label }] of listOf(row.components).entries())
      if (kind === 4 && row.type === 1)
        lengthFault(faults, `data.components.${at}.components.${place}.label`, label, 1, 45)
  return faults
}

/** The interaction of the path: unknown when the clock was turned by three seconds without an answer. */
function interactionOf(discord: DiscordRequest): Kept {
  const { interaction_id: id = '', interaction_token: token = '' } = discord.path
  const interaction = discord.find('interactions', { id, token })
  return discord.ahead - Number(interaction.ahead) > ANSWERED_WITHIN_MS ? discord.unknown('interactions') : interaction
}

/** Refuses an answer with faulty or missing parts. */
function checkAnswer(discord: DiscordRequest, type: Json | undefined, data: Fields): void {
  if (type === MESSAGE) checkNew(discord, data, 'data.')
  else
    refuseForm(discord, type === UPDATE ? faultsOfMessage(discord, data, 'data.') : faultsOfAnswer(discord, type, data))
  const fault = ['BASE_TYPE_CHOICES', `Value must be one of {${ANSWERS.join(', ')}}.`] as const
  if (!ANSWERS.includes(Number(type))) refuseForm(discord, new Map([['type', fault]]))
}

/** The message that answers an interaction, or that will. */
function messageOf(discord: DiscordRequest, interaction: Kept, isLoading: boolean): Kept {
  const data = typed(fieldsOf(discord.body.data))
  const { channel_id, guild_id = null } = interaction
  const { type, target_id } = fieldsOf(interaction.data)
  // The message of a component, or the one that a command of the context menu is for.
  const target = discord.records.messages.get((type === 3 ? target_id : interaction.message_id) as string)
  const parts = partsOf(discord, data)
  return post(discord, {
    ...{ channel_id, author_id: BOT, webhook_id: BOT, interaction_id: interaction.id },
    ...parts,
    ...pollOf(discord, data.poll),
    flags: Number(parts.flags) | (isLoading ? LOADING : 0),
    // Only the person of the interaction sees it.
    hidden: (Number(parts.flags) & EPHEMERAL) !== 0,
    type: type === 2 || type === 3 ? CONTEXT_MENU : target === undefined ? OF_COMMAND : REPLY,
    ...(target !== undefined && { message_reference: referenceTo(target, guild_id) }),
  })
}

/** Answers an interaction. */
function answer(discord: DiscordRequest): object {
  const { body, records } = discord
  const { type } = body
  const data = typed(fieldsOf(body.data))
  const interaction = interactionOf(discord)
  checkAnswer(discord, type, data)
  if (interaction.acknowledged === true) discord.refuse(400, 40060, 'Interaction has already been acknowledged.')
  const made = type === MESSAGE || type === DEFERRED ? messageOf(discord, interaction, type === DEFERRED) : undefined
  const shown = records.messages.get(interaction.message_id as string)
  const changed =
    type === UPDATE && shown !== undefined ? records.messages.update(shown, changesOf(discord, shown, data)) : undefined
  const response_id = made?.id ?? interaction.message_id ?? null
  records.interactions.update(interaction, { acknowledged: true, response_id })
  if (!discord.asks('with_response')) return discord.done()
  const { id, type: kind } = interaction
  const message = made ?? changed
  const response = made && {
    response_message_id: made.id,
    response_message_loading: type === DEFERRED,
    response_message_ephemeral: made.hidden,
  }
  const resource = present({ type, message: message && toMessage(discord, message) })
  return discord.respond({ status: 200, body: { interaction: { id, type: kind, ...response }, resource } })
}

export const interactions: Operations = {
  'POST /interactions/{interaction_id}/{interaction_token}/callback': answer,
  'POST /test_helpers/interactions': act,
  /** Something happens to the application: https://docs.discord.com/developers/events/webhook-events */
  'POST /test_helpers/events': (discord) => {
    const { type: kind, data } = discord.body
    const type = String(kind)
    const event = { type, timestamp: discord.time, data: fieldsOf(data) }
    const payload = { version: 1, application_id: BOT, type: 1, event }
    discord.create('happenings', { event_name: type, payload })
    return payload
  },
}
