import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { type Faults, lengthFault, refused, timeOf, unknown } from './faults.ts'
import { COMPLETION, MODAL as MODAL_FORM, noteFaults, SELECTS } from './forms.ts'
import { ALL, permissionsOf } from './permissions.ts'

/** If the clock is turned. */
const ANSWERED_WITHIN_MS = 3_000
const TOKEN_LIVES_MS = 15 * 60_000
const COMPONENT = 3
const MODAL = 5
const EPHEMERAL = 64
const LOADING = 128
/** What a value of an option, or of a select menu, names. */
const NAMES_BY_OPTION: Readonly<Record<number, readonly string[]>> = {
  6: ['users'],
  7: ['channels'],
  8: ['roles'],
  9: ['users', 'roles'],
}
const NAMES_BY_SELECT: typeof NAMES_BY_OPTION = { 5: ['users'], 6: ['roles'], 7: ['users', 'roles'], 8: ['channels'] }
/** Adds what the ids name: whole users, roles and messages, and what an interaction has of members and channels. */
function resolve(context: OperationContext, into: JsonObject, kinds: readonly string[], ids: readonly Json[]): void {
  const { call, records } = context
  const guild_id = records.guilds?.find({})?.id ?? null
  const put = (kind: string, id: string, value: Json) => {
    into[kind] = { ...fieldsOf(into[kind]), [id]: value }
  }
  for (const id of ids.map(String)) {
    if (kinds.includes('users') && records.users?.get(id)) {
      put('users', id, call('GET', `/users/${id}`).body as Json)
      const member = records.members?.find({ user_id: id, guild_id })
      if (member === undefined) continue
      const whole = fieldsOf(call('GET', `/guilds/${guild_id}/members/${id}`).body)
      const { user: _, deaf: _deaf, mute: _mute, ...shown } = whole
      put('members', id, { ...shown, permissions: String(permissionsOf(context, member)) })
    }
    if (kinds.includes('roles') && records.roles?.get(id))
      put('roles', id, call('GET', `/guilds/${guild_id}/roles/${id}`).body as Json)
    if (kinds.includes('channels') && records.channels?.get(id)) {
      const { name = '', type = 0, parent_id = null, thread_metadata } = fieldsOf(call('GET', `/channels/${id}`).body)
      put('channels', id, {
        ...{ id, name, type, parent_id, permissions: String(ALL) },
        ...(thread_metadata && { thread_metadata }),
      })
    }
    const message = kinds.includes('messages') && records.messages?.get(id)
    if (message) put('messages', id, call('GET', `/channels/${message.channel_id}/messages/${id}`).body as Json)
  }
}

/** Options as they are sent: with the types that the command gives them. */
const typedOptions = (context: OperationContext, sent: Json | undefined, known: Json | undefined, into: JsonObject) =>
  listOf(sent).map((option): JsonObject => {
    const definition = listOf(known).find(({ name }) => name === option.name) ?? {}
    const type = Number(option.type ?? definition.type ?? 3)
    if (option.value !== undefined) resolve(context, into, NAMES_BY_OPTION[type] ?? [], [option.value])
    const below = option.options && { options: typedOptions(context, option.options, definition.options, into) }
    return { ...option, type, ...below }
  })

/** The component of a message with this id, at any depth. */
function componentOf(components: Json | undefined, id: Json | undefined): JsonObject | undefined {
  const all = listOf(components).flatMap((one) => [one, ...(one.accessory ? [fieldsOf(one.accessory)] : [])])
  const below = () => all.flatMap((one) => [componentOf(one.components, id) ?? []].flat())
  return all.find(({ custom_id }) => custom_id === id) ?? below()[0]
}

/** What an interaction has in `data`: of a command with what its options name, of a component, or of a modal. */
function dataOf(context: OperationContext, type: number): JsonObject {
  const { body, records } = context
  const { name, options, custom_id, target_id, message_id, values } = body
  const resolved: JsonObject = {}
  const shown = () => (Object.keys(resolved).length > 0 ? { resolved } : {})
  if (type === MODAL) return { custom_id: custom_id ?? null, components: body.components ?? [], ...shown() }
  if (type === COMPONENT) {
    const component = componentOf(records.messages?.get(String(message_id))?.components, custom_id)
    const component_type = Number(body.component_type ?? component?.type ?? 2)
    const chosen = Array.isArray(values) ? values : []
    resolve(context, resolved, NAMES_BY_SELECT[component_type] ?? [], chosen)
    const id = component?.id ?? 1
    const picked = SELECTS.has(component_type) ? { values: chosen } : {}
    return { id, custom_id: custom_id ?? null, component_type, ...picked, ...shown() }
  }
  const command = records.commands?.find({ name: name ?? null })
  if (target_id !== undefined) resolve(context, resolved, [command?.type === 2 ? 'users' : 'messages'], [target_id])
  const typed = typedOptions(context, options, command?.options, resolved)
  const { id, type: kind, guild_id } = command ?? {}
  return {
    ...{ id, name, type: kind, options: typed },
    ...(guild_id && { guild_id }),
    ...(target_id !== undefined && { target_id }),
    ...shown(),
  } as JsonObject
}

/** What a person does in the application: the interaction says who, where, and what is named in it. */
export function interaction(context: OperationContext): object {
  const made = context.next() as JsonObject
  const { records, body } = context
  const happening = records.happenings?.find({ event_name: 'INTERACTION_CREATE' })
  const one = records.interactions?.get(String(made.id))
  if (happening === undefined || one === undefined) return made
  const data = body.data === undefined ? dataOf(context, Number(one.type)) : fieldsOf(body.data)
  const { member: shown, guild_id: _, guild, guild_locale, ...payload } = fieldsOf(happening.payload)
  const { guild_id, user_id } = one
  const member = records.members?.find({ user_id: user_id ?? null, guild_id: guild_id ?? null })
  const who =
    guild_id === null
      ? { user: context.call('GET', `/users/${user_id}`).body as Json, context: 1 }
      : {
          ...{ guild_id: guild_id ?? null, guild: guild ?? null, guild_locale: guild_locale ?? null },
          member: { ...fieldsOf(shown), ...(member && { permissions: String(permissionsOf(context, member)) }) },
        }
  const authorizing_integration_owners = { 0: guild_id ?? '0' }
  records.interactions?.update(one, { data, authorizing_integration_owners, ahead: context.ahead })
  records.happenings?.update(happening, { payload: { ...payload, data, authorizing_integration_owners, ...who } })
  return { ...made, data }
}

/** Refuses an answer that comes when the clock was turned by three seconds: the interaction is unknown by then. */
export function tooLate(context: OperationContext): object | undefined {
  const one = context.records.interactions?.get(String(context.path.interaction_id))
  const isOpen = one !== undefined && context.ahead - Number(one.ahead) <= ANSWERED_WITHIN_MS
  return isOpen ? undefined : unknown(context, 10062, 'interaction')
}

/** Refuses a token of an interaction after its fifteen minutes. */
export function endedToken(context: OperationContext): object | undefined {
  const { records, path, now } = context
  const one = records.interactions?.find({ token: path.webhook_token ?? null })
  return one !== undefined && now.getTime() - timeOf(one.id) > TOKEN_LIVES_MS
    ? refused(context, 401, 50027, 'Invalid Webhook Token')
    : undefined
}

/** Faults in the choices of an autocompletion, or in a modal. */
export function faultsOfAnswer(context: OperationContext, type: Json | undefined, data: JsonObject): Faults {
  const faults: Faults = new Map()
  if (type === 8) noteFaults(faults, COMPLETION, data, context, 'data.')
  if (type !== 9) return faults
  noteFaults(faults, MODAL_FORM, data, context, 'data.')
  for (const [at, row] of listOf(data.components).entries())
    for (const [place, { type: kind, label }] of listOf(row.components).entries())
      if (kind === 4 && row.type === 1)
        lengthFault(faults, `data.components.${at}.components.${place}.label`, label, 1, 45)
  return faults
}

/** Answers an interaction; only the person of the interaction sees an ephemeral message. */
export function answered(context: OperationContext, flags: Json | undefined): object {
  const answer = context.next() as JsonObject
  const made = context.records.messages?.find({})
  const isEphemeral = (Number(flags) & EPHEMERAL) !== 0
  if (isEphemeral && made?.interaction_id) context.records.messages?.update(made, { hidden: true })
  const interaction = fieldsOf(answer?.interaction)
  if (!interaction.response_message_id) return answer
  const parts = { response_message_loading: context.body.type === 5, response_message_ephemeral: isEphemeral }
  return { ...answer, interaction: { ...interaction, ...parts } }
}

/**
 * A follow-up refers to the answer. Right after a deferred answer it becomes that answer:
 * https://docs.discord.com/developers/interactions/receiving-and-responding#create-followup-message
 */
export function followedUp(context: OperationContext, flags: Json | undefined): object {
  const { records, path, call, next } = context
  const { response_id } = records.interactions?.find({ token: path.webhook_token ?? null }) ?? {}
  const waiting = records.messages?.get(String(response_id))
  if (waiting === undefined || (Number(waiting.flags) & LOADING) === 0) return answered(context, flags)
  const { last_message_id = null, message_count = 0 } = records.channels?.get(String(waiting.channel_id)) ?? {}
  next()
  const made = records.messages?.find({})
  const { content, embeds, components, attachments, allowed_mentions } = made ?? {}
  const shown = { content, embeds, components, attachments, allowed_mentions, flags: Number(waiting.flags) - LOADING }
  records.messages?.update(waiting, shown as JsonObject)
  records.messages?.remove(String(made?.id))
  records.channels?.update(String(waiting.channel_id), { last_message_id, message_count })
  return call('GET', `/webhooks/${path.webhook_id}/${path.webhook_token}/messages/@original`).body as object
}

/** What a message shows of the interaction that it answers. */
export function interactionMetadata(facts: JsonObject): JsonObject {
  const { id, type, authorizing_integration_owners, response_id, ...one } = fieldsOf(facts.interaction)
  const { type: command, target_id, resolved } = fieldsOf(one.data)
  const isFollowUp = response_id != null && response_id !== facts.message_id
  return {
    ...{ id, type, authorizing_integration_owners, user: facts.user },
    ...(isFollowUp && { original_response_message_id: response_id }),
    ...(type === COMPONENT && { interacted_message_id: one.message_id }),
    ...(command === 2 && { target_user: fieldsOf(fieldsOf(resolved).users)[String(target_id)] }),
    ...(command === 3 && { target_message_id: target_id }),
  } as JsonObject
}
