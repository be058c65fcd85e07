import type { Json, JsonObject } from '../../src/protocol/json.ts'

export type Fault = readonly [code: string, message: string]
/** Faults of a form by the dotted path of the field. */
export type Faults = Map<string, Fault>

export const REQUIRED = ['BASE_TYPE_REQUIRED', 'This field is required'] as const

/** What Discord always says in the same words. */
export const FAULTS = {
  choicesCompleted: ['APPLICATION_COMMAND_AUTOCOMPLETE_INVALID', 'Options with choices cannot be autocompleted'],
  commandsAlike: ['APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'],
  commandName: ['APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid'],
  customIdMissing: ['BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required'],
  customIdTwice: ['COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated'],
  customIdWithUrl: [
    'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
    'A custom id and url cannot both be specified',
  ],
  menuDescribed: [
    'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
    'Context menu commands cannot have description',
  ],
  noList: ['LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'],
  noModel: ['MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType'],
  optionalFirst: [
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
    'Required options must be placed before non-required options',
  ],
  selectTwice: ['SELECT_COMPONENT_OPTION_VALUE_DUPLICATED', 'The specified option value is already used'],
  setTwice: ['SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value'],
  style: ['BASE_TYPE_CHOICES', 'Value must be one of {1, 2, 3, 4, 5, 6}.'],
  tooWide: ['COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified component exceeds the maximum width'],
  unknownMessage: ['MESSAGE_REFERENCE_UNKNOWN_MESSAGE', 'Unknown message'],
  urlMissing: ['BUTTON_COMPONENT_LINK_URL_REQUIRED', 'A url is required'],
} as const satisfies Readonly<Record<string, Fault>>

export const hasValue = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && String(value).trim() !== ''

/** Notes a text or a list that is missing, or longer or shorter than its bounds. */
export function lengthFault(faults: Faults, path: string, value: Json | undefined, least: number, most: number): void {
  const { length } = Array.isArray(value) ? value : [...String(value ?? '')]
  if ((value === undefined || value === null) && least > 0) faults.set(path, REQUIRED)
  else if (least > 0 && (length < least || length > most))
    faults.set(path, ['BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`])
  else if (length > most) faults.set(path, ['BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`])
}

interface Refusing {
  refuse(status: number, reason: number, message: string, errors: JsonObject): never
}

/** Refuses a form with faults, nested as the fields are. */
export function refuseForm(discord: Refusing, faults: Faults): void {
  if (faults.size === 0) return
  const errors: JsonObject = {}
  for (const [path, [code, message]] of faults) {
    let at = errors
    for (const name of path.split('.')) {
      at[name] ??= {}
      at = at[name] as JsonObject
    }
    at._errors = [{ code, message }]
  }
  discord.refuse(400, 50035, 'Invalid Form Body', errors)
}
