/** Values that a request gives to properties. */
import { valueText } from '../../src/protocol/json.ts'
import { stagesOf } from './derived.ts'
import { type CrmObject, type Fields, fieldsOf, type Hubspot, isMissing, type Json, type Kind } from './hubspot.ts'

const LIFE_CYCLE = 'subscriber lead marketingqualifiedlead salesqualifiedlead opportunity customer evangelist'.split(
  ' ',
)
/** Milliseconds. */
const MS = /^-?\d{6,15}$/
const READ_ONLY = ['hs_object_id', 'hs_createdate', 'hs_lastmodifieddate', 'lastmodifieddate']

/** The values of a body as they are kept. Refuses values that no object of the type may have. @param object undefined for a new one */
export function readValues(hubspot: Hubspot, kind: Kind, body: Fields, object?: CrmObject): Fields {
  const sent = body.properties ?? {}
  const definitions = new Map(hubspot.definitionsOf(kind).map((one) => [valueText(one.name ?? ''), one]))
  if (typeof sent !== 'object' || Array.isArray(sent))
    return hubspot.invalid('Invalid input JSON on line 1, column 2: properties must be an object')
  const read = ([name, value]: [string, Json]): [string, Json] => {
    if (isMissing(value)) return [name, null]
    if (typeof value === 'object')
      return hubspot.invalid(`Invalid input JSON on line 1, column 2: the property ${name} must be a string`)
    const text = String(value)
    if (kind.name === 'contacts' && name === 'email') return [name, text.toLowerCase()]
    return [name, asKept(text, definitions.get(name), object?.properties[name])]
  }
  const values = Object.fromEntries(Object.entries(sent).map(read))
  const places = { ...kind.initial, ...object?.properties, ...values }
  const stages = kind.stage === '' ? [] : stagesOf(hubspot, kind, places).map(({ id }) => id)
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const fault = faultOf(hubspot, { kind, name, text: valueText(value), definition: definitions.get(name), stages })
    if (fault === undefined) return []
    const [error, message] = fault
    return { isValid: false, message, error, name, localizedErrorMessage: message, portalId: 1 }
  })
  const errors = faults.map(({ message, error, name }) => ({ message, code: error, context: { propertyName: [name] } }))
  if (faults.length > 0) hubspot.invalid(`Property values were not valid: ${JSON.stringify(faults)}`, { errors })
  checkUnique(hubspot, kind, values, object)
  return values
}

/**
 * A value of a property as it is kept: a time in UTC, with milliseconds of a time or a day as a text. A life cycle only goes on; choices
 * after a semicolon are added.
 */
function asKept(text: string, definition: Fields | undefined, before: Json | undefined): string {
  const { type, name } = definition ?? {}
  const was = valueText(before ?? '')
  if (name === 'lifecyclestage' && LIFE_CYCLE.indexOf(was) > LIFE_CYCLE.indexOf(text))
    return LIFE_CYCLE.includes(text) ? was : text
  if (type === 'enumeration' && text.startsWith(';'))
    return [...new Set(`${was}${text}`.split(';').filter(Boolean))].join(';')
  if (type !== 'date' && type !== 'datetime') return text
  const at = MS.test(text) ? Number(text) : type === 'datetime' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return text
  const time = new Date(at).toISOString()
  if (type === 'datetime') return time.replace('.000Z', 'Z')
  return time.endsWith('T00:00:00.000Z') ? time.slice(0, 10) : text
}

export const isEmail = (text: string): boolean => /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(text)

interface Given {
  readonly kind: Kind
  readonly name: string
  /** Empty to clear the property. */
  readonly text: string
  readonly definition: Fields | undefined
  /** The stages that the object can be in. */
  readonly stages: readonly unknown[]
}

/** What is wrong with a value: HubSpot's name of the error, and its message. */
function faultOf({ records }: Hubspot, { kind, name, text, definition, stages }: Given): [string, string] | undefined {
  if (definition === undefined && !name.startsWith('hs_'))
    return ['PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`]
  if (READ_ONLY.includes(name))
    return ['READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`]
  if (text === '') return undefined
  const { type, options } = fieldsOf(definition)
  const isNumber = !Number.isNaN(Number(text))
  const allowed = Array.isArray(options) ? options.map((one) => fieldsOf(one).value ?? one) : []
  if (type === 'number' && !isNumber) return ['INVALID_INTEGER', `${text} was not a valid number.`]
  // https://github.com/HubSpot/hubspot-api-php/issues/74
  if (type === 'date' && MS.test(text))
    return ['INVALID_DATE', `${text} is at ${new Date(Number(text)).toISOString().slice(11, -1)} UTC, not midnight!`]
  if (/^date/.test(String(type)) && !isNumber && Number.isNaN(Date.parse(text)))
    return ['INVALID_LONG', `${text} was not a valid long.`]
  if (name === 'email' && kind.name === 'contacts' && !isEmail(text))
    return ['INVALID_EMAIL', `Email address ${text} is invalid`]
  if (name === 'hubspot_owner_id' && records.owners.get(text) === undefined)
    return ['INVALID_OWNER_ID', `${text} is not a valid owner id`]
  const isAllowed =
    name === kind.pipeline
      ? records.pipelines.some({ objectType: kind.name, id: text })
      : name === kind.stage && stages.length > 0
        ? stages.includes(text)
        : allowed.length === 0 || text.split(';').every((one) => allowed.includes(one))
  return isAllowed ? undefined : ['INVALID_OPTION', `${text} was not one of the allowed options`]
}

/** Whether a unique property of an object has a value. A contact has the email addresses of those that it was merged with too. */
export function isCalled({ properties }: CrmObject, name: string, value: Json | undefined): boolean {
  const more = name === 'email' ? valueText(properties.hs_additional_emails ?? '').split(';') : []
  const wanted = valueText(value ?? '').toLowerCase()
  return [valueText(properties[name] ?? ''), ...more].some((text) => text.toLowerCase() === wanted)
}

/** Refuses values that have to be unique and that another object has. */
function checkUnique(hubspot: Hubspot, kind: Kind, values: Fields, object?: CrmObject): void {
  const wanted = hubspot.uniqueOf(kind).filter((name) => !isMissing(values[name]))
  if (wanted.length === 0) return
  const others = hubspot.having('objects', { type: kind.name, archived: false }).filter(({ id }) => id !== object?.id)
  for (const name of wanted) {
    const rival = others.find((one) => isCalled(one, name, values[name]))
    if (rival === undefined) continue
    if (kind.unique.includes(name)) hubspot.conflict(`Contact already exists. Existing ID: ${rival.id}`)
    const value = `PropertyValueCoordinates{portalId=1, objectTypeId=${kind.id}, propertyName=${name}, value=${values[name]}}`
    const message = `Cannot set ${value} on ${object?.id ?? 'a new object'}. ${rival.id} already has that value.`
    hubspot.invalid(message, {
      errors: [{ message, code: 'CONFLICTING_UNIQUE_VALUE', context: { propertyName: [name] } }],
    })
  }
}
