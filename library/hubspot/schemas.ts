/** Types of objects of the account's own. */
import { valueText } from '../../src/protocol/json.ts'
import { present } from './derived.ts'
import {
  ACCOUNT,
  type Fields,
  type Form,
  type HubspotRequest,
  type Kind,
  listOf,
  type Operations,
  without,
} from './hubspot.ts'
import { createProperty, toProperty } from './properties.ts'

const CHANGED: Form = {
  ...{ labels: 'object', description: 'text', primaryDisplayProperty: 'text', secondaryDisplayProperties: 'list' },
  ...{ requiredProperties: 'list', searchableProperties: 'list' },
}

const toSchema = ({ schema, id, name, archived, createdAt = null, updatedAt = null }: Kind): Fields => ({
  ...schema,
  ...{ id, objectTypeId: id, fullyQualifiedName: `p1_${name}`, name, archived, createdAt, updatedAt },
  ...{ createdByUserId: ACCOUNT.userId, updatedByUserId: ACCOUNT.userId },
})

const withProperties = (hubspot: HubspotRequest, kind: Kind): Fields => ({
  ...toSchema(kind),
  properties: hubspot.definitionsOf(kind).map((one) => toProperty(hubspot, kind, one)),
})

/** The type that the path names, if it is the account's own. */
function own(hubspot: HubspotRequest): Kind {
  const kind = hubspot.kind()
  return kind.custom ? kind : hubspot.missing()
}

function create(hubspot: HubspotRequest): Fields {
  const { records, body, iso } = hubspot
  hubspot.need('name labels')
  const given = hubspot.sent({ ...CHANGED, name: 'text', associatedObjects: 'list' })
  const name = valueText(given.name).toLowerCase()
  // https://developers.hubspot.com/docs/guides/api/crm/objects/custom-objects
  if (!/^[a-z][a-z0-9_-]*$/.test(name))
    hubspot.invalid(`A schema name begins with a letter and has letters, numbers and underscores, not '${given.name}'.`)
  if (records.object_types.some({ name, archived: false }))
    hubspot.taken(`An object schema named ${given.name} already exists`)
  const id = `2-1${hubspot.digits(7)}`
  const { requiredProperties = [], searchableProperties = [], primaryDisplayProperty, associatedObjects } = given
  const associations = [associatedObjects ?? []].flat().map((other) => {
    const far = hubspot.kindCalled(other) ?? hubspot.invalid(`Unable to infer object type from: ${valueText(other)}`)
    return { id: hubspot.digits(6), fromObjectTypeId: id, toObjectTypeId: far.id, name: `${name}_to_${far.singular}` }
  })
  const kind = records.object_types.create({
    ...{ id, name, singular: name, custom: true, names: [name, `p1_${name}`, `p_${name}`, id] },
    shown: [
      ...new Set([
        'hs_createdate',
        'hs_lastmodifieddate',
        'hs_object_id',
        valueText(primaryDisplayProperty ?? 'hs_object_id'),
      ]),
    ],
    searched: searchableProperties as string[],
    required: requiredProperties as string[],
    ...{ createdAt: iso, updatedAt: iso },
    schema: { ...present(without(body, 'properties associatedObjects')), requiredProperties, associations },
  })
  for (const input of hubspot.parts('properties')) createProperty(hubspot, kind, input)
  return withProperties(hubspot, kind)
}

function change(hubspot: HubspotRequest): Fields {
  const kind = own(hubspot)
  const given = hubspot.sent(CHANGED)
  const { requiredProperties = kind.required, searchableProperties = kind.searched } = given
  return toSchema(
    hubspot.records.object_types.update(kind, {
      schema: { ...kind.schema, ...given },
      required: requiredProperties as string[],
      searched: searchableProperties as string[],
      updatedAt: hubspot.iso,
    }),
  )
}

function remove(hubspot: HubspotRequest): void {
  const { records, iso } = hubspot
  const kind = own(hubspot)
  if (records.objects.some({ type: kind.name, archived: false }))
    hubspot.invalid(`The schema ${kind.name} has records: archive these first`)
  records.object_types.update(kind, { archived: true, updatedAt: iso })
}

const setAssociations = (hubspot: HubspotRequest, kind: Kind, associations: Fields[]): void => {
  const schema = { ...kind.schema, associations }
  hubspot.records.object_types.update(kind, { schema, updatedAt: hubspot.iso })
}

function createAssociation(hubspot: HubspotRequest): Fields {
  const { iso } = hubspot
  const kind = own(hubspot)
  hubspot.need('toObjectTypeId')
  const { toObjectTypeId = '', name = null } = hubspot.sent({ toObjectTypeId: 'text', name: 'text' })
  const times = { createdAt: iso, updatedAt: iso }
  const made = { id: hubspot.digits(6), fromObjectTypeId: kind.id, toObjectTypeId, name, ...times }
  setAssociations(hubspot, kind, [...listOf(kind.schema.associations), made])
  return made
}

function removeAssociation(hubspot: HubspotRequest): void {
  const kind = own(hubspot)
  const others = listOf(kind.schema.associations).filter(({ id }) => id !== hubspot.path.associationIdentifier)
  setAssociations(hubspot, kind, others)
}

/** The SDK calls the first paths, the guides the others. */
const PREFIXES = ['/crm-object-schemas/v3/schemas', '/crm/v3/schemas']

export const schemas: Operations = Object.assign(
  {},
  ...PREFIXES.map(
    (prefix): Operations => ({
      [`GET ${prefix}`]: (hubspot) => {
        const kinds = hubspot.having('object_types', { custom: true, archived: hubspot.isArchived })
        return { results: kinds.map((kind) => withProperties(hubspot, kind)) }
      },
      [`POST ${prefix}`]: create,
      [`GET ${prefix}/{objectType}`]: (hubspot) => withProperties(hubspot, hubspot.kind()),
      [`PATCH ${prefix}/{objectType}`]: change,
      [`DELETE ${prefix}/{objectType}`]: remove,
      [`POST ${prefix}/{objectType}/associations`]: createAssociation,
      [`DELETE ${prefix}/{objectType}/associations/{associationIdentifier}`]: removeAssociation,
    }),
  ),
)
