import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { typeOfFile } from '../resend/media-type.ts'

/** Faults of a form by the dotted path of the field: code and message. */
type Faults = Map<string, readonly [code: string, message: string]>

const V2 = 1 << 15
const BUTTON_LINK = 5
const BUTTON_PREMIUM = 6
const REQUIRED = ['BASE_TYPE_REQUIRED', 'This field is required'] as const
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

const hasValue = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== ''

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

/** Faults in a command and in its options. @param isWhole whether the request is a new command, not a change */
function faultsOfCommand(command: JsonObject, at: string, isWhole: boolean, faults: Faults = new Map()): Faults {
  const { name, description, type = 1, options } = command
  const fault = (field: string, code: string, message: string) => faults.set(`${at}${field}`, [code, message])
  const isNamed = type === 1 ? /^[-_'\p{L}\p{N}]+$/u.test(String(name)) && String(name).toLowerCase() === name : true
  if (name === undefined || name === null) isWhole && fault('name', ...REQUIRED)
  else if (String(name).length > 32) fault('name', 'BASE_TYPE_MAX_LENGTH', 'Must be 32 or fewer in length.')
  else if (!isNamed) fault('name', 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  if (!hasValue(description)) isWhole && type === 1 && fault('description', ...REQUIRED)
  else if (String(description).length > 100)
    fault('description', 'BASE_TYPE_MAX_LENGTH', 'Must be 100 or fewer in length.')
  const given = listOf(options)
  if (given.length > 25) fault('options', 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.')
  const firstOptional = given.findIndex(({ required, type: kind }) => required !== true && Number(kind) > 2)
  for (const [place, option] of given.entries()) {
    if (option.required === true && firstOptional >= 0 && firstOptional < place)
      fault(
        `options.${place}`,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      )
    faultsOfCommand({ ...option, type: 1 }, `${at}options.${place}.`, true, faults)
  }
  return faults
}

/** The error of a form's faults, nested as the fields are; undefined without faults: the row of effects answers. */
function formError({ respond }: OperationContext, faults: Faults): object | undefined {
  if (faults.size === 0) return undefined
  const errors: JsonObject = {}
  for (const [path, [code, message]] of faults) {
    let at = errors
    for (const name of path.split('.')) {
      at[name] ??= {}
      at = at[name] as JsonObject
    }
    at._errors = [{ code, message }]
  }
  return respond({ status: 400, body: { code: 50035, message: 'Invalid Form Body', errors } })
}

/** The JSON of a request, which stands in a field of a form beside files. */
const bodyOf = ({ body }: OperationContext): JsonObject =>
  typeof body.payload_json === 'string' ? JSON.parse(body.payload_json) : body

const message = (context: OperationContext) => formError(context, faultsOfMessage(bodyOf(context)))

const callback = (context: OperationContext) => {
  const { type, data } = bodyOf(context)
  const isMessage = type === 4 || type === 7
  return isMessage ? formError(context, faultsOfMessage(fieldsOf(data), 'data.')) : undefined
}

const command = (isWhole: boolean) => (context: OperationContext) =>
  formError(context, faultsOfCommand(context.body, '', isWhole))

const commands = (context: OperationContext) => {
  const faults: Faults = new Map()
  for (const [at, one] of listOf(context.body).entries()) faultsOfCommand(one, `${at}.`, true, faults)
  return formError(context, faults)
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

const scopes = ['/applications/{application_id}', '/applications/{application_id}/guilds/{guild_id}']

export default {
  'POST /channels/{channel_id}/messages': message,
  'PATCH /channels/{channel_id}/messages/{message_id}': message,
  'POST /webhooks/{webhook_id}/{webhook_token}': message,
  'PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}': message,
  'POST /interactions/{interaction_id}/{interaction_token}/callback': callback,
  'POST /test_helpers/interactions': interaction,
  ...Object.fromEntries(
    scopes.flatMap((of) => [
      [`POST ${of}/commands`, command(true)],
      [`PATCH ${of}/commands/{command_id}`, command(false)],
      [`PUT ${of}/commands`, commands],
    ]),
  ),
  $mediaType: typeOfFile,
}
