import { valueText } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Form,
  fieldsOf,
  type HubspotRequest,
  type Kept,
  type Kind,
  listOf,
  type Operations,
  only,
} from './hubspot.ts'

/** Types of properties. */
const TYPES = 'bool date datetime enumeration number phone_number string json object_coordinates'.split(' ')
/** Kinds of fields for the types of properties that have a choice. */
const FIELD_TYPES: Readonly<Record<string, string>> = {
  bool: 'booleancheckbox calculation_equation',
  date: 'date',
  datetime: 'date',
  enumeration: 'booleancheckbox checkbox radio select calculation_equation',
  number: 'number calculation_equation',
  string: 'text textarea file html phonenumber calculation_equation',
}
/** Groups of HubSpot's own properties. */
const OWN_GROUP =
  /information$|_activity$|^(?:social_media|web_analytics_history|sales_properties|dealstages|dealrevenue)$/

const CHANGED: Form = {
  ...{ label: 'text', type: 'text', fieldType: 'text', groupName: 'text', description: 'text', options: 'list' },
  ...{ displayOrder: 'integer', hidden: 'flag', formField: 'flag' },
}
const CREATED: Form = { ...CHANGED, name: 'text', hasUniqueValue: 'flag', externalOptions: 'flag' }
const GROUP = { label: 'text', displayOrder: 'integer' } as const

/** The options of the properties with the pipeline and the stage of an object. */
function pipelined(hubspot: HubspotRequest, { name: objectType, pipeline, stage }: Kind, { name }: Fields): Fields[] {
  const pipelines = hubspot.having('pipelines', { objectType, archived: false })
  const all = name === pipeline ? pipelines : name === stage ? pipelines.flatMap(({ stages }) => listOf(stages)) : []
  return all.map(({ id, ...one }) => ({ ...only(one, 'label displayOrder'), value: id }) as Fields)
}

/** A definition of a property as answers show it. One of the provider's has no id. */
export function toProperty(hubspot: HubspotRequest, kind: Kind, definition: Fields): Fields {
  const { iso } = hubspot
  const isOwn = definition.id !== undefined
  const {
    id: _,
    objectType: _of,
    archivedAt = null,
    options = pipelined(hubspot, kind, definition),
    ...shown
  } = definition
  const isOwner = definition.name === 'hubspot_owner_id'
  return {
    label: valueText(definition.name).replaceAll('_', ' '),
    description: '',
    groupName: `${kind.singular}information`,
    displayOrder: -1,
    hasUniqueValue: false,
    hidden: false,
    formField: true,
    externalOptions: isOwner,
    ...(isOwner && { referencedObjectType: 'OWNER' }),
    archived: false,
    createdAt: iso,
    updatedAt: iso,
    ...shown,
    ...(archivedAt !== null && { archivedAt }),
    options: (Array.isArray(options) ? options : []).map((option) =>
      typeof option === 'object'
        ? { hidden: false, displayOrder: -1, ...fieldsOf(option) }
        : { label: option, value: option, displayOrder: -1, hidden: false },
    ),
    calculated: false,
    hubspotDefined: !isOwn,
    modificationMetadata: { archivable: isOwn, readOnlyDefinition: !isOwn, readOnlyValue: false },
  }
}

/** The definitions of a type; the archived ones are all of the account. */
const definitionsOf = (hubspot: HubspotRequest, kind: Kind, isArchived: boolean): Fields[] =>
  isArchived ? hubspot.having('properties', { objectType: kind.name, archived: true }) : hubspot.definitionsOf(kind)

/** Creates a property of a type. */
export function createProperty(hubspot: HubspotRequest, kind: Kind, input: Fields): Fields {
  hubspot.need('name label type fieldType', input)
  const given = hubspot.sent(CREATED, input)
  const name = valueText(given.name).toLowerCase()
  const { type, fieldType, groupName = `${kind.singular}information` } = given
  if (hubspot.definitionsOf(kind).some((one) => one.name === name))
    hubspot.taken(`A property named '${input.name}' already exists.`)
  if (!/^[a-z0-9_]+$/.test(name))
    hubspot.invalid(`A property name has lowercase letters, numbers and underscores only, not '${input.name}'.`)
  if (!TYPES.includes(valueText(type)))
    hubspot.invalid(`${type} is not one of the types bool, date, datetime, enumeration, number, phone_number, string`)
  if (FIELD_TYPES[valueText(type)]?.split(' ').includes(valueText(fieldType)) === false)
    hubspot.invalid(`Property type ${type} cannot have the fieldType ${fieldType}`)
  const { properties, property_groups: groups } = hubspot.records
  const isGroup = OWN_GROUP.test(valueText(groupName))
  if (!isGroup && !groups.some({ objectType: kind.name, name: groupName, archived: false }))
    hubspot.invalid(`Property group ${groupName} does not exist`)
  const times = { createdAt: hubspot.iso, updatedAt: hubspot.iso }
  return toProperty(hubspot, kind, properties.create({ ...given, objectType: kind.name, name, groupName, ...times }))
}

/** The type and the definition that the path names. */
function named(hubspot: HubspotRequest): { kind: Kind; definition: Fields } {
  const kind = hubspot.kind()
  const name = hubspot.path.propertyName?.toLowerCase()
  const found = definitionsOf(hubspot, kind, hubspot.isArchived).find((one) => one.name === name)
  return { kind, definition: found ?? hubspot.missing() }
}

/** The definition that the path names, if it is the account's own. */
function own(hubspot: HubspotRequest): { kind: Kind; definition: Kept } {
  const { kind, definition } = named(hubspot)
  if (definition.id === undefined)
    hubspot.invalid(`The property ${definition.name} is defined by the provider and stays.`)
  return { kind, definition: definition as Kept }
}

const archive = ({ records, iso }: HubspotRequest, property: Kept): void => {
  records.properties.update(property, { archived: true, archivedAt: iso })
}

/** The group of a type that is always there. */
const ownGroup = ({ singular }: Kind): Fields => ({
  name: `${singular}information`,
  label: `${singular} information`,
  displayOrder: 0,
  archived: false,
})

const toGroup = (group: Fields): Fields => only(group, 'name label displayOrder archived')

/** The group that the path names. One that is always there has no id. */
function groupOf(hubspot: HubspotRequest): Fields {
  const kind = hubspot.kind()
  const { groupName: name = '' } = hubspot.path
  const kept = hubspot.records.property_groups.find({ objectType: kind.name, name, archived: false })
  return kept ?? (name === ownGroup(kind).name ? ownGroup(kind) : hubspot.missing())
}

function changeGroup(hubspot: HubspotRequest, fields: Fields): Fields {
  const group = groupOf(hubspot)
  if (group.id === undefined) hubspot.invalid(`The property group ${group.name} is defined by the provider and stays.`)
  return toGroup(hubspot.records.property_groups.update(group, fields))
}

export const properties: Operations = {
  'GET /crm/v3/properties/{objectType}': (hubspot) => {
    const kind = hubspot.kind()
    return { results: definitionsOf(hubspot, kind, hubspot.isArchived).map((one) => toProperty(hubspot, kind, one)) }
  },
  'POST /crm/v3/properties/{objectType}': (hubspot) => createProperty(hubspot, hubspot.kind(), hubspot.body),
  'GET /crm/v3/properties/{objectType}/{propertyName}': (hubspot) => {
    const { kind, definition } = named(hubspot)
    return toProperty(hubspot, kind, definition)
  },
  'PATCH /crm/v3/properties/{objectType}/{propertyName}': (hubspot) => {
    const { kind, definition } = own(hubspot)
    const fields = { ...hubspot.sent(CHANGED), updatedAt: hubspot.iso }
    return toProperty(hubspot, kind, hubspot.records.properties.update(definition, fields))
  },
  'DELETE /crm/v3/properties/{objectType}/{propertyName}': (hubspot) => archive(hubspot, own(hubspot).definition),
  'POST /crm/v3/properties/{objectType}/batch/create': (hubspot) => {
    const kind = hubspot.kind()
    return hubspot.batch(hubspot.parts().map((input) => createProperty(hubspot, kind, input)))
  },
  'POST /crm/v3/properties/{objectType}/batch/read': (hubspot) => {
    const kind = hubspot.kind()
    const names = hubspot.parts().map(({ name }) => valueText(name ?? ''))
    const all = definitionsOf(hubspot, kind, hubspot.body.archived === true)
    const found = all.filter(({ name }) => names.includes(valueText(name)))
    const errors = names
      .filter((name) => !found.some((one) => one.name === name))
      .map((name) => ({
        status: 'error',
        category: 'OBJECT_NOT_FOUND',
        message: `property ${name} does not exist`,
        context: { name: [name] },
        errors: [],
        links: {},
      }))
    return hubspot.batch(
      found.map((one) => toProperty(hubspot, kind, one)),
      errors,
    )
  },
  'POST /crm/v3/properties/{objectType}/batch/archive': (hubspot) => {
    const { name: objectType } = hubspot.kind()
    for (const { name = '' } of hubspot.parts()) {
      const property = hubspot.records.properties.find({ objectType, name, archived: false })
      if (property !== undefined) archive(hubspot, property)
    }
  },
  'GET /crm/v3/properties/{objectType}/groups': (hubspot) => {
    const kind = hubspot.kind()
    const groups = hubspot.having('property_groups', { objectType: kind.name, archived: false })
    return { results: [ownGroup(kind), ...groups.map(toGroup)] }
  },
  'POST /crm/v3/properties/{objectType}/groups': (hubspot) => {
    const { name: objectType } = hubspot.kind()
    hubspot.need('name label')
    const given = hubspot.sent({ ...GROUP, name: 'text' })
    const { property_groups: groups } = hubspot.records
    if (groups.some({ objectType, name: given.name, archived: false }))
      hubspot.taken(`A property group named '${given.name}' already exists.`)
    return toGroup(groups.create({ ...given, objectType }))
  },
  'GET /crm/v3/properties/{objectType}/groups/{groupName}': (hubspot) => toGroup(groupOf(hubspot)),
  'PATCH /crm/v3/properties/{objectType}/groups/{groupName}': (hubspot) => changeGroup(hubspot, hubspot.sent(GROUP)),
  'DELETE /crm/v3/properties/{objectType}/groups/{groupName}': (hubspot) => {
    changeGroup(hubspot, { archived: true })
  },
}
