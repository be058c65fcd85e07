import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { listOf } from '../shared/values.ts'
import {
  DISCORD_EPOCH_MS,
  FAULTS,
  type Fault,
  type Faults,
  formError,
  hasValue,
  lengthFault,
  REQUIRED,
  refused,
  unknown,
} from './faults.ts'

type Command = JsonObject & { readonly id: string; readonly name: string; readonly type: number }
type Context = OperationContext<AnyOperation, { commands: Command; applications: JsonObject; guilds: JsonObject }>

const FIELDS =
  'name description type options default_member_permissions dm_permission nsfw contexts integration_types name_localizations description_localizations'.split(
    ' ',
  )
/** How many commands of a type there may be. */
const MOST_OF_TYPE: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 }
/** Parts of an answer that only a list with `with_localizations` lacks. */
const LOCALIZED = ['name_localizations', 'description_localizations']

/** Faults in a command and in its options. @param isWhole whether the request is a new command, not a change */
function faultsOfCommand(command: JsonObject, at: string, isWhole: boolean, faults: Faults = new Map()): Faults {
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
  const given = listOf(options)
  length('options', given, 0, 25)
  const firstOptional = given.findIndex(({ required, type: kind }) => required !== true && Number(kind) > 2)
  for (const [place, option] of given.entries()) {
    const isLate = option.required === true && firstOptional >= 0 && firstOptional < place
    if (isLate) fault(`options.${place}`, FAULTS.optionalFirst)
    const taken = `Option name ${option.name} is already used in these options`
    if (given.findIndex(({ name: other }) => other === option.name) < place)
      fault(`options.${place}`, ['APPLICATION_COMMAND_OPTIONS_NAME_INVALID', taken])
    if (option.type === undefined) fault(`options.${place}.type`, REQUIRED)
    const choices = listOf(option.choices)
    length(`options.${place}.choices`, choices, 0, 25)
    if (choices.length > 0 && option.autocomplete === true)
      fault(`options.${place}.autocomplete`, FAULTS.choicesCompleted)
    faultsOfCommand({ ...option, type: 1 }, `${at}options.${place}.`, true, faults)
  }
  return faults
}

/** An id of this time. @param place orders ids of one time @default at random */
export const snowflake = (
  { now, random }: Pick<OperationContext, 'now' | 'random'>,
  place = random() * 2 ** 22,
): string => String((BigInt(now.getTime() - DISCORD_EPOCH_MS) << 22n) | BigInt(Math.floor(place)))

function show({ guild_id, contexts, dm_permission, integration_types, ...command }: Command): JsonObject {
  if (guild_id !== null) return { ...command, guild_id } as JsonObject
  const inDms = dm_permission ?? (Array.isArray(contexts) ? contexts.includes(1) : true)
  const types = integration_types ?? [0]
  return { ...command, dm_permission: inDms, contexts: contexts ?? null, integration_types: types } as JsonObject
}

/** The commands of the path, global or of a guild, the oldest first; what is missing is an answer. */
function scopeOf(context: Context): Command[] | object {
  const { records, path } = context
  const { application_id, guild_id = null } = path
  if (guild_id !== null && records.guilds.get(guild_id) === undefined) return unknown(context, 10004, 'Guild')
  if (records.applications.get(application_id) === undefined) return unknown(context, 10002, 'Application')
  return records.commands.where({ application_id, guild_id }).toReversed()
}

const inScope = (act: (context: Context, commands: Command[]) => object) => (context: Context) => {
  const commands = scopeOf(context)
  return Array.isArray(commands) ? act(context, commands) : commands
}

const withOne = (act: (context: Context, command: Command) => object) =>
  inScope((context, commands) => {
    const one = commands.find(({ id }) => id === context.path.command_id)
    return one === undefined ? unknown(context, 10063, 'application command') : act(context, one)
  })

/** Sets a command of this name and type, or makes it. */
function put(context: Context, commands: readonly Command[], sent: JsonObject): Command {
  const { name, type = 1 } = sent
  const same = commands.find((one) => one.name === name && one.type === type)
  const { application_id, guild_id = null } = context.path
  const fields = { ...picked(sent), version: snowflake(context) }
  return same === undefined
    ? context.records.commands.create({ ...fields, id: snowflake(context), application_id, guild_id })
    : context.records.commands.update(same, fields)
}

const picked = (sent: JsonObject): JsonObject =>
  Object.fromEntries(FIELDS.flatMap((field) => (sent[field] === undefined ? [] : [[field, sent[field]]])))

const list = inScope(({ query }, commands) =>
  commands.map((command) => {
    const shown = show(command)
    if (String(query.with_localizations) !== 'true') for (const name of LOCALIZED) delete shown[name]
    return shown
  }),
)

const create = inScope((context, commands) => {
  const fault = formError(context, faultsOfCommand(context.body, '', true))
  if (fault !== undefined) return fault
  const { name, type = 1 } = context.body
  const [others, most] = [commands.filter((one) => one.type === type), MOST_OF_TYPE[Number(type)] ?? 100]
  if (others.length >= most && !others.some((one) => one.name === name))
    return refused(context, 400, 30032, `Maximum number of application commands reached (${most})`)
  const made = put(context, commands, context.body)
  return context.respond({ status: commands.some(({ id }) => id === made.id) ? 200 : 201, body: show(made) })
})

const overwrite = inScope((context, commands) => {
  const sent = listOf(context.body)
  const faults: Faults = new Map()
  for (const [at, one] of sent.entries()) {
    if (sent.findIndex(({ name, type = 1 }) => name === one.name && type === (one.type ?? 1)) < at)
      faults.set(`${at}`, FAULTS.commandsAlike)
    faultsOfCommand(one, `${at}.`, true, faults)
  }
  const fault = formError(context, faults)
  if (fault !== undefined) return fault
  const kept = sent.map((one) => put(context, commands, one))
  for (const { id } of commands) if (!kept.some((one) => one.id === id)) context.records.commands.remove(id)
  return kept.map(show)
})

const change = withOne(
  (context, command) =>
    formError(context, faultsOfCommand(context.body, '', false)) ??
    show(context.records.commands.update(command, { ...picked(context.body), version: snowflake(context) })),
)

const remove = withOne((context, { id }) => {
  context.records.commands.remove(id)
  return context.respond({ status: 204 })
})

const ofScope = (scope: string) => ({
  [`GET ${scope}`]: list,
  [`POST ${scope}`]: create,
  [`PUT ${scope}`]: overwrite,
  [`GET ${scope}/{command_id}`]: withOne((_, command) => show(command)),
  [`PATCH ${scope}/{command_id}`]: change,
  [`DELETE ${scope}/{command_id}`]: remove,
})

/** Commands of applications, global and of guilds. */
export const commands = {
  ...ofScope('/applications/{application_id}/commands'),
  ...ofScope('/applications/{application_id}/guilds/{guild_id}/commands'),
}
