import { valueText } from '../../src/protocol/json.ts'
import { archiveObject, changeObject, createObject, mergeObjects, purgeObject } from './changes.ts'
import {
  ACCOUNT,
  type CrmObject,
  type Fields,
  type Hubspot,
  type HubspotRequest,
  isMissing,
  type Json,
  type Kind,
  listOf,
  namesIn,
  type Operations,
} from './hubspot.ts'
import { namesOfTypes, toObject, wantedIn } from './shown.ts'
import { isCalled, isEmail } from './values.ts'

const PAGE = { usual: 10, most: 100 }

/** An object of a list or a read, with its associations to the types that the query names. */
function toListed(hubspot: HubspotRequest, kind: Kind, object: CrmObject): Fields {
  const links = hubspot.having('associations', { from_id: object.id })
  const associations = namesIn(hubspot.query.associations).flatMap((name): [string, Fields][] => {
    const far = hubspot.kindCalled(name)
    if (far === undefined) return []
    const results = links.flatMap(({ to_type, to_id: id = null, types }) =>
      to_type === far.name ? namesOfTypes(kind, far, listOf(types)).map((type) => ({ id, type })) : [],
    )
    return results.length === 0 ? [] : [[far.name.replaceAll('_', ' '), { results }]]
  })
  return {
    ...toObject(kind, object, wantedIn(hubspot.query)),
    ...(associations.length > 0 && { associations: Object.fromEntries(associations) }),
  }
}

/** The object of a type with an id, or with this value of another property. An object that was merged is the one it became. */
export function objectCalled(
  { records }: Hubspot,
  { name: type }: Kind,
  { id, idProperty, archived = false }: { id?: Json | undefined; idProperty?: Json | undefined; archived?: boolean },
): CrmObject | undefined {
  const text = valueText(id ?? '')
  const property = valueText(idProperty ?? '')
  const fits = (one: CrmObject | undefined) => one?.type === type && one.archived === archived
  if (['', 'hs_object_id', 'id'].includes(property)) {
    const object = records.objects.get(text)
    return fits(object) ? object : [records.objects.get(valueText(object?.merged_into ?? ''))].find(fits)
  }
  if (text === '') return undefined
  return records.objects.where({ type, archived }).findLast((one) => isCalled(one, property, text))
}

/** The contact with an email address. */
export function contactCalled(hubspot: Hubspot, email: Json | undefined): CrmObject | undefined {
  const kind = hubspot.kindCalled('contacts')
  return kind && objectCalled(hubspot, kind, { id: email, idProperty: 'email' })
}

/** The type and the object that the path names. */
function named(hubspot: HubspotRequest): { kind: Kind; object: CrmObject } {
  const kind = hubspot.kind()
  const asked = { id: hubspot.path.objectId, idProperty: hubspot.query.idProperty, archived: hubspot.isArchived }
  return { kind, object: objectCalled(hubspot, kind, asked) ?? hubspot.missing() }
}

/** Archives the object of the path's type with an id. HubSpot answers alike when there is none (n8n-io/n8n#3219). */
function archive(hubspot: HubspotRequest, id: Json | undefined): void {
  const kind = hubspot.kind()
  const object = hubspot.records.objects.get(valueText(id ?? ''))
  if (object?.type === kind.name && !object.archived) archiveObject(hubspot, object)
}

/** The inputs of a batch. Refuses one that names an object twice, or by a property that is not unique (segmentio/action-destinations#3957). */
function inputsOf(hubspot: HubspotRequest, kind: Kind): Fields[] {
  const inputs = hubspot.inputs()
  for (const { idProperty = null } of inputs)
    if (!isMissing(idProperty) && !hubspot.uniqueOf(kind).includes(valueText(idProperty)))
      hubspot.invalid(
        `Unable to perform update/upsert by non-unique ${kind.id} property ${idProperty} in portal ID ${ACCOUNT.portalId}`,
      )
  const ids = inputs.flatMap(({ id }) => (isMissing(id) ? [] : [valueText(id)]))
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))]
  if (twice.length > 0) hubspot.invalid(`Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`)
  return inputs
}

/** The answer to a batch whose inputs may name no object. */
function found(
  hubspot: HubspotRequest,
  kind: Kind,
  inputs: Fields[],
  show: (input: Fields) => Fields | undefined,
): object {
  const shown = inputs.map((input) => ({ id: input.id ?? null, result: show(input) }))
  const ids = shown.filter(({ result }) => result === undefined).map(({ id }) => id)
  const error = {
    status: 'error',
    category: 'OBJECT_NOT_FOUND',
    message: `Could not get some ${kind.singular.toUpperCase()} objects, they may be deleted or not exist. Check that ids are valid.`,
    context: { ids },
    errors: [],
    links: {},
  }
  return hubspot.batch(
    shown.flatMap(({ result }) => (result === undefined ? [] : [result])),
    ids.length === 0 ? [] : [error],
  )
}

/** A submission of a form creates or changes the contact with its email address. */
function submit(hubspot: HubspotRequest): Fields {
  const kind = hubspot.kindCalled('contacts') ?? hubspot.missing()
  const own = hubspot.parts('fields').filter(({ objectTypeId }) => isMissing(objectTypeId) || objectTypeId === kind.id)
  const properties = Object.fromEntries(own.map(({ name, value = null }) => [valueText(name), value]))
  const refuse = (errorType: string, fault: string): never =>
    hubspot.of.refuse(400, {
      code: 'form',
      errors: [{ message: `Error in 'fields.email'. ${fault}`, errorType }],
    } as Fields)
  if (isMissing(properties.email)) refuse('REQUIRED_FIELD', "Required field 'email' is missing")
  // https://integrate.hubspot.com/t/inconsistent-email-validation-using-forms-api/13055
  if (!isEmail(valueText(properties.email))) refuse('INVALID_EMAIL', 'Invalid email address')
  const contact = contactCalled(hubspot, properties.email)
  if (contact === undefined) createObject(hubspot, kind, { properties })
  else changeObject(hubspot, kind, contact, { properties })
  return { inlineMessage: 'Thanks for submitting the form.' }
}

export const objects: Operations = {
  'GET /crm/v3/objects/{objectType}': (hubspot) => {
    const kind = hubspot.kind()
    const all = hubspot.having('objects', { type: kind.name, archived: hubspot.isArchived })
    return hubspot.list(all, PAGE, (object) => toListed(hubspot, kind, object))
  },
  'POST /crm/v3/objects/{objectType}': (hubspot) => {
    const kind = hubspot.kind()
    hubspot.need('properties')
    return toObject(kind, createObject(hubspot, kind, hubspot.body))
  },
  'GET /crm/v3/objects/{objectType}/{objectId}': (hubspot) => {
    const { kind, object } = named(hubspot)
    return toListed(hubspot, kind, object)
  },
  'PATCH /crm/v3/objects/{objectType}/{objectId}': (hubspot) => {
    const { kind, object } = named(hubspot)
    if (Object.keys(hubspot.body.properties ?? {}).length === 0)
      hubspot.invalid('No properties found to update, please provide at least one.')
    return toObject(kind, changeObject(hubspot, kind, object, hubspot.body))
  },
  'DELETE /crm/v3/objects/{objectType}/{objectId}': (hubspot) => archive(hubspot, hubspot.path.objectId),
  'POST /crm/v3/objects/{objectType}/batch/read': (hubspot) => {
    const kind = hubspot.kind()
    const { idProperty } = hubspot.body
    const { isArchived: archived } = hubspot
    return found(hubspot, kind, hubspot.inputs(), ({ id }) => {
      const object = objectCalled(hubspot, kind, { id, idProperty, archived })
      return object && toObject(kind, object, wantedIn(hubspot.body))
    })
  },
  'POST /crm/v3/objects/{objectType}/batch/create': (hubspot) => {
    const kind = hubspot.kind()
    return hubspot.batch(inputsOf(hubspot, kind).map((input) => toObject(kind, createObject(hubspot, kind, input))))
  },
  'POST /crm/v3/objects/{objectType}/batch/update': (hubspot) => {
    const kind = hubspot.kind()
    return found(hubspot, kind, inputsOf(hubspot, kind), (input) => {
      const object = objectCalled(hubspot, kind, { id: input.id, idProperty: input.idProperty })
      return object && toObject(kind, changeObject(hubspot, kind, object, input))
    })
  },
  'POST /crm/v3/objects/{objectType}/batch/upsert': (hubspot) => {
    const kind = hubspot.kind()
    const inputs = inputsOf(hubspot, kind)
    if (inputs.some(({ idProperty }) => isMissing(idProperty))) hubspot.invalid('An idProperty is required to upsert')
    return hubspot.batch(
      inputs.map((input) => {
        const { id = null, idProperty } = input
        const object = objectCalled(hubspot, kind, { id, idProperty })
        if (object) return { ...toObject(kind, changeObject(hubspot, kind, object, input)), new: false }
        const properties = { [valueText(idProperty)]: id, ...(input.properties as Fields) }
        return { ...toObject(kind, createObject(hubspot, kind, { ...input, properties })), new: true }
      }),
    )
  },
  'POST /crm/v3/objects/{objectType}/batch/archive': (hubspot) => {
    for (const { id } of hubspot.parts()) archive(hubspot, id)
  },
  'POST /crm/v3/objects/{objectType}/merge': (hubspot) => {
    const kind = hubspot.kind()
    const { primaryObjectId, objectIdToMerge } = hubspot.body
    const [object, other] = [primaryObjectId, objectIdToMerge].map((id) => objectCalled(hubspot, kind, { id }))
    if (object === undefined || other === undefined) return hubspot.missing()
    if (object.id === other.id) hubspot.invalid('Cannot merge a record with itself')
    return toObject(kind, mergeObjects(hubspot, kind, object, other))
  },
  'POST /crm/v3/objects/{objectType}/gdpr-delete': (hubspot) => {
    const { objectId: id, idProperty } = hubspot.body
    const object = objectCalled(hubspot, hubspot.kind(), { id, idProperty })
    if (object !== undefined) purgeObject(hubspot, object)
  },
  'POST /submissions/v3/integration/submit/{portalId}/{formGuid}': submit,
  'POST /submissions/v3/integration/secure/submit/{portalId}/{formGuid}': submit,
}
