/** How objects come, change and go. */
import { type LinkSpec, link } from './associations.ts'
import { COUNTED, countLinks, linkedTo, present, primaryOf, settled, stagesOf } from './derived.ts'
import { type CrmObject, type Fields, type Hubspot, isMissing, type Json, type Kind, listOf } from './hubspot.ts'
import { readValues } from './values.ts'

/** Creates an object of a type with the properties and associations of a body. */
export function createObject(hubspot: Hubspot, kind: Kind, body: Fields): CrmObject {
  const { iso, records } = hubspot
  const values = readValues(hubspot, kind, body)
  const lacking = kind.required.filter((name) => isMissing(values[name]))
  const message = `Error creating ${kind.singular.toUpperCase()}. Some required properties were not set.`
  if (lacking.length > 0) hubspot.invalid(message, { context: { properties: lacking } })
  if (kind.name === 'leads' && listOf(body.associations).length === 0)
    hubspot.invalid('A lead must be associated with a contact or a company')
  const first = kind.stage === '' ? undefined : stagesOf(hubspot, kind, { ...kind.initial, ...values })[0]?.id
  const given = present({ ...kind.initial, ...(first !== undefined && { [kind.stage]: first }), ...values })
  const created = records.objects.create({
    type: kind.name,
    createdAt: iso,
    updatedAt: iso,
    properties: { ...given, [kind.created]: iso, [kind.modified]: iso, ...present(values) },
    history: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [versionOf(hubspot, value)]])),
    due_at: dueOf(kind, given),
  })
  const object = records.objects.update(created, { properties: settled(hubspot, kind, created) })
  for (const { to, types } of listOf(body.associations))
    link(hubspot, object.id, (to as Fields | undefined)?.id, listOf(types) as LinkSpec[])
  const linked = records.objects.get(object.id) ?? object
  hubspot.announce(linked, 'creation', { changeFlag: 'CREATED' })
  return linked
}

/** A value as the history of a property has it. */
const versionOf = ({ iso }: Hubspot, value: Json): Fields => ({
  value: value ?? '',
  timestamp: iso,
  sourceType: 'INTEGRATION',
  sourceId: 'backlot',
})

/** When a meeting is over, and when a task is due. */
function dueOf({ name }: Kind, { hs_meeting_end_time = null, hs_timestamp = null }: Fields): Json {
  return name === 'meetings' ? hs_meeting_end_time : name === 'tasks' ? hs_timestamp : null
}

/** Gives an object the properties of a body. */
export function changeObject(hubspot: Hubspot, kind: Kind, object: CrmObject, body: Fields): CrmObject {
  const { iso, records } = hubspot
  const values = readValues(hubspot, kind, body, object)
  const changed = Object.entries(values).filter(([name, value]) => value !== (object.properties[name] ?? null))
  const versions = changed.map(([name, value]) => [name, [versionOf(hubspot, value), ...listOf(object.history[name])]])
  const properties = present({ ...object.properties, ...values, [kind.modified]: iso })
  const history = { ...object.history, ...Object.fromEntries(versions) }
  const due_at = dueOf(kind, properties)
  const updated = records.objects.update(object, { properties, history, updatedAt: iso, due_at })
  const result = records.objects.update(updated, { properties: settled(hubspot, kind, updated) })
  if (COUNTED.includes(kind.name)) for (const other of linkedTo(hubspot, object.id)) countLinks(hubspot, other)
  for (const [propertyName, value] of changed)
    hubspot.announce(result, 'propertyChange', { propertyName, propertyValue: value ?? '' })
  return result
}

/** Archives an object: it loses its associations and its lists. */
export function archiveObject(hubspot: Hubspot, object: CrmObject): void {
  const { iso, records } = hubspot
  const { id } = object
  records.objects.update(object, { archived: true, archivedAt: iso, due_at: null })
  unlink(hubspot, id)
  for (const list of records.lists) {
    const members = listOf(list.members)
    const others = members.filter(({ recordId }) => recordId !== id)
    if (others.length < members.length) records.lists.update(list, { members: others })
  }
  hubspot.announce(object, 'deletion', { changeFlag: 'DELETED' })
}

/** Deletes all associations of an object. */
function unlink(hubspot: Hubspot, id: string): void {
  const { records } = hubspot
  const others = linkedTo(hubspot, id)
  for (const field of ['from_id', 'to_id'])
    for (const association of records.associations.where({ [field]: id })) records.associations.remove(association)
  for (const other of others) countLinks(hubspot, other)
}

/** Deletes an object for good. */
export function purgeObject(hubspot: Hubspot, object: CrmObject): void {
  unlink(hubspot, object.id)
  hubspot.announce(object, 'privacyDeletion', {})
  hubspot.records.objects.remove(object)
}

/** Joins two objects of a type: the first one stays. */
export function mergeObjects(hubspot: Hubspot, kind: Kind, object: CrmObject, other: CrmObject): CrmObject {
  const { iso, records } = hubspot
  const [own, others] = [object.properties, other.properties]
  const split = (value: Json | undefined) =>
    String(value ?? '')
      .split(';')
      .filter(Boolean)
  const emails = [...split(own.hs_additional_emails), ...split(others.email), ...split(others.hs_additional_emails)]
  const properties = {
    ...others,
    ...own,
    ...(kind.name === 'contacts' && own.email && others.email && { hs_additional_emails: emails.join(';') }),
    hs_merged_object_ids: [...split(own.hs_merged_object_ids), other.id].join(';'),
  }
  const merged = records.objects.update(object, { properties, updatedAt: iso })
  records.objects.update(other, { archived: true, archivedAt: iso, merged_into: object.id, due_at: null })
  const hasPrimary = primaryOf(hubspot, object.id) !== undefined
  for (const [field, far] of [
    ['from_id', 'to_id'],
    ['to_id', 'from_id'],
  ] as const)
    for (const association of records.associations.where({ [field]: other.id })) {
      const ends = { [field]: object.id, [far]: association[far] ?? null }
      const types = listOf(association.types).filter(({ label }) => !hasPrimary || label !== 'Primary')
      if (association[far] === object.id || records.associations.some(ends)) records.associations.remove(association)
      else records.associations.update(association, { ...ends, types })
    }
  countLinks(hubspot, merged)
  hubspot.announce(merged, 'merge', {
    primaryObjectId: Number(object.id),
    mergedObjectIds: [Number(other.id)],
    newObjectId: Number(object.id),
    numberOfPropertiesMoved: Object.keys(others).length,
  })
  return records.objects.get(object.id) ?? merged
}
