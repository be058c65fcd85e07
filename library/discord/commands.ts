import { type DiscordRequest, type Fields, type Json, type Kept, listOf, type Operations } from './discord.ts'
import { FAULTS, type Fault, type Faults, hasValue, lengthFault, REQUIRED, refuseForm } from './faults.ts'
import { given, noteTypes, typed } from './types.ts'

const FIELDS =
  'name description type options default_member_permissions dm_permission nsfw contexts integration_types name_localizations description_localizations'
/** How many commands of a type there may be. */
const MOST_OF_TYPE: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 }

/** Faults in a command and in its options. @param isWhole whether the request is a new command, not a change */
function faultsOfCommand(command: Fields, at: string, isWhole: boolean, faults: Faults = new Map()): Faults {
  const { name, description, type = 1, options } = command
  const fault = (field: string, what: Fault) => faults.set(`${at}${field}`, what)
  const length = (field: string, value: Json | undefined, least: number, most: number) =>
    lengthFault(faults, `${at}${field}`, value, least, most)
  if (isWhole || name != null) length('name', name, 1, 32)
  const isNamed = /^[-_'\p{L}\p{N}]+$/u.test(String(name)) && String(name).toLowerCase() === name
  if (type === 1 && name != null && String(name).length <= 32 && !isNamed) fault('name', FAULTS.commandName)
  if (hasValue(description) && (type === 2 || type === 3)) fault('description', FAULTS.menuDescribed)
  else if (hasValue(description) || (isWhole && type === 1))
    length('description', hasValue(description) ? description : undefined, 1, 100)
  const sent = listOf(options)
  length('options', sent, 0, 25)
  const firstOptional = sent.findIndex(({ required, type: kind }) => required !== true && Number(kind) > 2)
  for (const [place, option] of sent.entries()) {
    const isLate = option.required === true && firstOptional >= 0 && firstOptional < place
    if (isLate) fault(`options.${place}`, FAULTS.optionalFirst)
    const taken = `Option name ${option.name} is already used in these options`
    if (sent.findIndex(({ name: other }) => other === option.name) < place)
      fault(`options.${place}`, ['APPLICATION_COMMAND_OPTIONS_NAME_INVALID', taken])
    if (option.type === undefined) fault(`options.${place}.type`, REQUIRED)
    const choices = listOf(option.choices)
    length(`options.${place}.choices`, choices, 0, 25)
    if (choices.length > 0 && option.autocomplete === true)
      fault(`options.${place}.autocomplete`, FAULTS.choicesCompleted)
    faultsOfCommand({ ...option, type: 1 }, `${at}options.${place}.`, true, faults)
  }
  noteTypes(faults, command, at)
  return faults
}

function show({ guild_id, contexts, dm_permission, integration_types, ...command }: Kept): Fields {
  if (guild_id !== null) return { ...command, guild_id } as Fields
  const inDms = dm_permission ?? (Array.isArray(contexts) ? contexts.includes(1) : true)
  const types = integration_types ?? [0]
  return { ...command, dm_permission: inDms, contexts: contexts ?? null, integration_types: types } as Fields
}

/** The commands of the path, global or of a guild, the oldest first. */
function commandsOf(discord: DiscordRequest): Kept[] {
  const { application_id = '', guild_id } = discord.path
  discord.get('applications', application_id)
  return discord.all('commands', { application_id, guild_id: guild_id === undefined ? null : discord.guild.id })
}

const commandOf = (discord: DiscordRequest): Kept =>
  commandsOf(discord).find(({ id }) => id === discord.path.command_id) ?? discord.unknown('commands')

const fieldsOfCommand = (sent: Fields): Fields => {
  const fields = given(sent, FIELDS)
  return fields.description === null ? { ...fields, description: '' } : fields
}

/** What a command has of what a request leaves out. */
const UNSENT: Fields = {
  ...{ description: '', options: [], nsfw: false, dm_permission: true, contexts: null, integration_types: [0] },
  ...{ default_member_permissions: null, name_localizations: null, description_localizations: null },
}

/** Makes a command, or writes over the whole one of this name and type. */
function put(discord: DiscordRequest, commands: readonly Kept[], sent: Fields): Kept {
  const { name, type = 1 } = sent
  const same = commands.find((one) => one.name === name && one.type === type)
  const { application_id, guild_id = null } = discord.path
  const fields = { ...UNSENT, ...fieldsOfCommand(sent), version: discord.snowflake() }
  return same === undefined
    ? discord.create('commands', { ...fields, application_id, guild_id })
    : discord.records.commands.update(same, fields)
}

function list(discord: DiscordRequest): Fields[] {
  const shown = commandsOf(discord).map(show)
  return discord.asks('with_localizations')
    ? shown
    : shown.map(({ name_localizations: _, description_localizations: __, ...command }) => command)
}

function create(discord: DiscordRequest): object {
  const commands = commandsOf(discord)
  refuseForm(discord, faultsOfCommand(discord.body, '', true))
  const { name, type = 1 } = discord.body
  const [others, most] = [commands.filter((one) => one.type === type), MOST_OF_TYPE[Number(type)] ?? 100]
  if (others.length >= most && !others.some((one) => one.name === name))
    discord.refuse(400, 30032, `Maximum number of application commands reached (${most})`)
  const made = put(discord, commands, discord.body)
  return discord.respond({ status: commands.some(({ id }) => id === made.id) ? 200 : 201, body: show(made) })
}

function overwrite(discord: DiscordRequest): Fields[] {
  const commands = commandsOf(discord)
  const sent = listOf(discord.body).map(typed)
  const faults: Faults = new Map()
  for (const [at, one] of sent.entries()) {
    if (sent.findIndex(({ name, type = 1 }) => name === one.name && type === (one.type ?? 1)) < at)
      faults.set(`${at}`, FAULTS.commandsAlike)
    faultsOfCommand(one, `${at}.`, true, faults)
  }
  refuseForm(discord, faults)
  const kept = sent.map((one) => put(discord, commands, one))
  for (const { id } of commands) if (!kept.some((one) => one.id === id)) discord.records.commands.remove(id)
  return kept.map(show)
}

function change(discord: DiscordRequest): Fields {
  const command = commandOf(discord)
  refuseForm(discord, faultsOfCommand({ ...discord.body, type: command.type ?? null }, '', false))
  const fields = { ...fieldsOfCommand(discord.body), version: discord.snowflake() }
  return show(discord.records.commands.update(command, fields))
}

const operationsOf = (scope: string): Operations => ({
  [`GET ${scope}`]: list,
  [`POST ${scope}`]: create,
  [`PUT ${scope}`]: overwrite,
  [`GET ${scope}/{command_id}`]: (discord) => show(commandOf(discord)),
  [`PATCH ${scope}/{command_id}`]: change,
  [`DELETE ${scope}/{command_id}`]: (discord) => {
    discord.records.commands.remove(commandOf(discord))
    return discord.done()
  },
})

const OF_GUILD = '/applications/{application_id}/guilds/{guild_id}/commands'

/** Commands of applications, global and of guilds. */
export const commands: Operations = {
  ...operationsOf('/applications/{application_id}/commands'),
  ...operationsOf(OF_GUILD),
  [`GET ${OF_GUILD}/permissions`]: ({ guild }) => guild && [],
  [`GET ${OF_GUILD}/{command_id}/permissions`]: (discord) => discord.guild && discord.unknown('permissions'),
  // A person's token is needed: https://docs.discord.com/developers/interactions/application-commands#permissions
  [`PUT ${OF_GUILD}/{command_id}/permissions`]: (discord) =>
    discord.refuse(403, 20001, 'Bots cannot use this endpoint'),
}
