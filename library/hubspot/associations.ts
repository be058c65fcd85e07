import { valueText } from '../../src/protocol/json.ts'
import { countLinks, primaryOf } from './derived.ts'
import {
  type CrmObject,
  type Fields,
  fieldsOf,
  type Hubspot,
  type HubspotRequest,
  isMissing,
  type Json,
  type Kept,
  type Kind,
  listOf,
  type Operations,
  only,
} from './hubspot.ts'
import { namesOfTypes, toObject } from './shown.ts'

/** How a request names a type of associations. */
export type LinkSpec = Fields & { associationTypeId?: Json }

/** A type of associations between two types of objects; `back` is that of the way back. */
type LinkType = { category: string; typeId: number; label: string | null; back: number }

/** Between types of objects that HubSpot does not associate itself. */
const PLAIN: LinkType = { category: 'USER_DEFINED', typeId: 1_000, label: null, back: 1_000 }
const PAGE = { usual: 500, most: 500 }

/** HubSpot's types of associations between two types of objects, then the account's labels. */
const typesOf = (hubspot: Hubspot, from: Kind, to: Kind): LinkType[] =>
  [
    ...listOf(from.links[to.name]),
    ...hubspot.having('association_labels', { from: from.name, to: to.name }),
  ] as unknown as LinkType[]

const toType = (type: Fields | LinkType): Fields => only(type as Fields, 'category typeId label')

/** The types that a request names, of those that there are. */
const asked = (types: readonly LinkType[], specs: readonly LinkSpec[]): LinkType[] =>
  specs.flatMap((spec) => types.find(({ typeId }) => typeId === Number(spec.associationTypeId)) ?? [])

/** The type that v3 calls by its name: `contact_to_company`. */
const specsCalled = (hubspot: Hubspot, from: Kind, to: Kind, name: string): LinkSpec[] =>
  [...typesOf(hubspot, from, to), PLAIN]
    .filter((type) => namesOfTypes(from, to, [type]).includes(name))
    .slice(0, 1)
    .map(({ typeId }) => ({ associationTypeId: typeId }))

/** The association from an object to another. */
const linkFrom = ({ records }: Hubspot, from_id: string, to_id: string): Kept | undefined =>
  records.associations.find({ from_id, to_id })

const linksOf = (hubspot: Hubspot, from_id: Json | undefined, to: Kind): Kept[] =>
  hubspot.having('associations', { from_id: valueText(from_id ?? ''), to_type: to.name })

/** Associates two objects in both directions: by the type without a label, and by those that a request names. */
export function link(
  hubspot: Hubspot,
  fromId: Json | undefined,
  toId: Json | undefined,
  specs: readonly LinkSpec[],
): void {
  const [from, to] = [fromId, toId].map((id) => hubspot.records.objects.get(valueText(id ?? '')))
  if (from === undefined || from.archived) hubspot.missing()
  if (to === undefined || to.archived) hubspot.invalid(`No object of the association exists with id ${toId}`)
  const [fromKind, toKind] = [hubspot.kindOf(from), hubspot.kindOf(to)]
  const known = typesOf(hubspot, fromKind, toKind)
  // HubSpot has types between more objects than the seed: all are taken as they are named.
  const typeIds = specs.map(({ associationTypeId }) => Number(associationTypeId)).filter((typeId) => typeId > 0)
  const unlisted = typeIds.map((typeId): LinkType => ({ ...PLAIN, category: 'HUBSPOT_DEFINED', typeId, back: typeId }))
  const types = known.length > 0 ? known : unlisted.length > 0 ? unlisted : [PLAIN]
  const named = asked(types, specs)
  const pair = `${fromKind.singular} and ${toKind.singular}`
  if (named.length < specs.length)
    hubspot.invalid(`One of the association types ${JSON.stringify(specs)} does not exist between ${pair}`)
  const chosen = [...types.filter(({ label }) => label === null).slice(0, 1), ...named]
  const primary = types.find(({ label }) => label === 'Primary')
  if (primary && [from.type, to.type].includes('companies')) {
    // The first company of a record is its primary one, and there is one alone (https://developers.hubspot.com/docs/api/crm/associations).
    const [record, company] = to.type === 'companies' ? [from, to] : [to, from]
    const before = primaryOf(hubspot, record.id)
    const isAsked = named.includes(primary)
    if (before === undefined && !isAsked) chosen.push(primary)
    if (before !== undefined && before !== company.id && isAsked) dropPrimary(hubspot, record.id, before)
  }
  const backs = [...typesOf(hubspot, toKind, fromKind), ...unlisted, PLAIN]
  addTypes(hubspot, from, to, chosen)
  addTypes(
    hubspot,
    to,
    from,
    chosen.flatMap(({ back }) => backs.find(({ typeId }) => typeId === back) ?? []),
  )
  announceLink(hubspot, from, to, {
    associationRemoved: false,
    isPrimaryAssociation: !!primary && chosen.includes(primary),
  })
}

function dropPrimary(hubspot: Hubspot, id: string, company: Json): void {
  const isPrimary = ({ label }: Fields) => label === 'Primary'
  dropTypes(hubspot, [id, company], isPrimary)
  dropTypes(hubspot, [company, id], isPrimary)
}

/** Removes types from the association of an object with another. */
function dropTypes(
  hubspot: Hubspot,
  [fromId, toId]: readonly (Json | undefined)[],
  isGone: (type: Fields) => boolean,
): void {
  const kept = linkFrom(hubspot, valueText(fromId ?? ''), valueText(toId ?? ''))
  const types = listOf(kept?.types).filter((type) => !isGone(type))
  if (kept !== undefined) hubspot.records.associations.update(kept, { types })
}

/** Adds types to the association from an object to another, which is made where it is missing. */
function addTypes(hubspot: Hubspot, from: CrmObject, to: CrmObject, added: readonly LinkType[]): void {
  const { associations } = hubspot.records
  const kept = linkFrom(hubspot, from.id, to.id)
  const types = new Map([...listOf(kept?.types), ...added.map(toType)].map((type) => [type.typeId, type]))
  const fields = { types: [...types.values()] }
  if (kept !== undefined) associations.update(kept, fields)
  else associations.create({ from_type: from.type, from_id: from.id, to_type: to.type, to_id: to.id, ...fields })
}

function unlink(hubspot: Hubspot, fromId: Json | undefined, toId: Json | undefined): void {
  const { associations, objects } = hubspot.records
  const [from, to] = [fromId, toId].map((id) => objects.get(valueText(id ?? '')))
  if (from === undefined || to === undefined || linkFrom(hubspot, from.id, to.id) === undefined) return
  const isPrimaryAssociation = primaryOf(hubspot, from.id) === to.id || primaryOf(hubspot, to.id) === from.id
  for (const kept of [linkFrom(hubspot, from.id, to.id), linkFrom(hubspot, to.id, from.id)])
    if (kept !== undefined) associations.remove(kept)
  announceLink(hubspot, from, to, { associationRemoved: true, isPrimaryAssociation })
}

/** Counts the associations of both objects, and sends an event of each. */
function announceLink(hubspot: Hubspot, from: CrmObject, to: CrmObject, facts: Fields): void {
  countLinks(hubspot, from)
  countLinks(hubspot, to)
  for (const [one, other] of [[from, to] as const, [to, from] as const])
    hubspot.announce(one, 'associationChange', {
      associationType: `${hubspot.kindOf(one).singular}_TO_${hubspot.kindOf(other).singular}`.toUpperCase(),
      fromObjectId: Number(one.id),
      toObjectId: Number(other.id),
      ...facts,
    })
}

const pairOf = (hubspot: HubspotRequest): { from: Kind; to: Kind } => ({
  from: hubspot.kind('fromObjectType'),
  to: hubspot.kind('toObjectType'),
})

/** The ids of the objects that an input of a batch associates. */
const endsOf = ({ from, to }: Fields): [Json | undefined, Json | undefined] => [fieldsOf(from).id, fieldsOf(to).id]

/** What the answer to a labelled association says. */
function toLabelled(
  hubspot: Hubspot,
  from: Kind,
  to: Kind,
  [fromId = null, toId = null]: (Json | undefined)[],
  specs: LinkSpec[],
): Fields {
  const labels = asked(typesOf(hubspot, from, to), specs).flatMap(({ label }) => label ?? [])
  return { fromObjectTypeId: from.id, fromObjectId: fromId, toObjectTypeId: to.id, toObjectId: toId, labels }
}

/** Associates pairs of objects without labels. The answer names all ways there, then all ways back. */
function linkDefault(
  hubspot: HubspotRequest,
  { from, to }: { from: Kind; to: Kind },
  pairs: readonly Fields[],
): object {
  const specOf = (one: Kind, other: Kind): Fields => {
    const { category, typeId } = typesOf(hubspot, one, other).find(({ label }) => label === null) ?? PLAIN
    return { associationCategory: category, associationTypeId: typeId }
  }
  const [there, back] = [specOf(from, to), specOf(to, from)]
  const ends = pairs.map((pair) => endsOf(pair))
  for (const [fromId, toId] of ends) link(hubspot, fromId, toId, [])
  const show = (fromId: Json | undefined, toId: Json | undefined, associationSpec: Fields): Fields => ({
    from: { id: fromId ?? null },
    to: { id: toId ?? null },
    associationSpec,
  })
  return hubspot.batch([
    ...ends.map(([fromId, toId]) => show(fromId, toId, there)),
    ...ends.map(([fromId, toId]) => show(toId, fromId, back)),
  ])
}

/** Reads the associations of objects. @param show an association */
const readBatch = (show: (association: Kept, from: Kind, to: Kind) => Fields[]) => (hubspot: HubspotRequest) => {
  const { from, to } = pairOf(hubspot)
  const read = hubspot.parts().map(({ id = null }) => ({ id, links: linksOf(hubspot, id, to) }))
  const linked = read.filter(({ links }) => links.length > 0)
  const errors = read
    .filter(({ links }) => links.length === 0)
    .map(({ id }) => ({
      ...{ status: 'error', category: 'OBJECT_NOT_FOUND', subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND' },
      message: `No ${to.singular} is associated with ${from.singular} ${id}.`,
      context: { fromObjectId: [id], fromObjectType: [from.singular], toObjectType: [to.singular] },
    }))
  const results = linked.map(({ id, links }) => ({ from: { id }, to: links.flatMap((one) => show(one, from, to)) }))
  return hubspot.batch(results, errors)
}

const toLink = ({ to_id = null, types = [] }: Fields): Fields => ({ toObjectId: to_id, associationTypes: types })

/** The label that a request names, and that of the way back. */
function labelsOf(hubspot: HubspotRequest, id: Json | undefined): (Kept | undefined)[] {
  const { from, to } = pairOf(hubspot)
  const { association_labels: labels } = hubspot.records
  const there = labels.find({ from: from.name, to: to.name, typeId: Number(id) })
  return [there, there && labels.find({ from: to.name, typeId: there.back ?? null })]
}

/** Renames a label of the account, or deletes it, also where objects have it. */
function relabel({ records }: Hubspot, label: Kept, name?: Json): void {
  for (const association of records.associations.where({ from_type: valueText(label.from ?? '') })) {
    const types = listOf(association.types)
    const others = types.filter(({ typeId }) => typeId !== label.typeId)
    const renamed =
      name === undefined ? others : types.map((type) => (others.includes(type) ? type : { ...type, label: name }))
    if (others.length < types.length) records.associations.update(association, { types: renamed })
  }
  if (name === undefined) records.association_labels.remove(label)
  else records.association_labels.update(label, { label: name })
}

export const associations: Operations = {
  'GET /crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}': (hubspot) => {
    hubspot.kind()
    const object = hubspot.find('objects', hubspot.path.objectId)
    if (object.archived) return hubspot.missing()
    return hubspot.list(linksOf(hubspot, object.id, hubspot.kind('toObjectType')), PAGE, toLink)
  },
  'PUT /crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}/{toObjectId}': (hubspot) => {
    const [from, to] = [hubspot.kind(), hubspot.kind('toObjectType')]
    const { objectId, toObjectId } = hubspot.path
    const specs: LinkSpec[] = listOf(hubspot.of.body)
    link(hubspot, objectId, toObjectId, specs)
    return toLabelled(hubspot, from, to, [objectId, toObjectId], specs)
  },
  'DELETE /crm/v4/objects/{objectType}/{objectId}/associations/{toObjectType}/{toObjectId}': (hubspot) =>
    unlink(hubspot, hubspot.path.objectId, hubspot.path.toObjectId),
  'PUT /crm/v4/objects/{fromObjectType}/{fromObjectId}/associations/default/{toObjectType}/{toObjectId}': (hubspot) => {
    const { fromObjectId = '', toObjectId = '' } = hubspot.path
    return linkDefault(hubspot, pairOf(hubspot), [{ from: { id: fromObjectId }, to: { id: toObjectId } }])
  },
  'PUT /crm/v3/objects/{fromObjectType}/{fromObjectId}/associations/{toObjectType}/{toObjectId}/{associationType}': (
    hubspot,
  ) => {
    const { from, to } = pairOf(hubspot)
    const { fromObjectId, toObjectId, associationType = '' } = hubspot.path
    const specs = specsCalled(hubspot, from, to, associationType)
    link(hubspot, fromObjectId, toObjectId, specs.length > 0 ? specs : [{ associationTypeId: associationType }])
    return toObject(from, hubspot.find('objects', fromObjectId))
  },
  'DELETE /crm/v3/objects/{fromObjectType}/{fromObjectId}/associations/{toObjectType}/{toObjectId}/{associationType}': (
    hubspot,
  ) => unlink(hubspot, hubspot.path.fromObjectId, hubspot.path.toObjectId),
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/batch/create': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    return hubspot.batch(
      hubspot.parts().map((input) => {
        const specs: LinkSpec[] = hubspot.parts('types', input)
        const [fromId, toId] = endsOf(input)
        link(hubspot, fromId, toId, specs)
        return toLabelled(hubspot, from, to, [fromId, toId], specs)
      }),
    )
  },
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/batch/associate/default': (hubspot) =>
    linkDefault(hubspot, pairOf(hubspot), hubspot.parts()),
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/batch/archive': (hubspot) => {
    for (const input of hubspot.parts())
      for (const { id } of hubspot.parts('to', input)) unlink(hubspot, fieldsOf(input.from).id, id)
  },
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/batch/labels/archive': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    for (const input of hubspot.parts()) {
      const gone = asked(typesOf(hubspot, from, to), hubspot.parts('types', input))
      const [fromId, toId] = endsOf(input)
      dropTypes(hubspot, [fromId, toId], (type) => gone.some(({ typeId }) => typeId === type.typeId))
      dropTypes(hubspot, [toId, fromId], (type) => gone.some(({ back }) => back === type.typeId))
    }
  },
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/batch/read': readBatch((one) => [toLink(one)]),
  'GET /crm/v4/associations/{fromObjectType}/{toObjectType}/labels': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    return { results: typesOf(hubspot, from, to).map(toType) }
  },
  'POST /crm/v4/associations/{fromObjectType}/{toObjectType}/labels': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    const { association_labels: labels } = hubspot.records
    hubspot.need('label name')
    const {
      label = null,
      name = '',
      inverseLabel,
    } = hubspot.sent({ label: 'text', name: 'text', inverseLabel: 'text' })
    if (labels.some({ from: from.name, to: to.name, name }))
      hubspot.conflict(`A label with the name ${name} exists already.`)
    const typeId = Math.max(100, ...[...labels].map((one) => Number(one.typeId))) + 1
    const there = labels.create({ from: from.name, to: to.name, typeId, label, name, back: typeId + 1 })
    const inverse = { typeId: typeId + 1, label: inverseLabel ?? label, name: `${name}_inverse`, back: typeId }
    const back = labels.create({ from: to.name, to: from.name, ...inverse })
    return { results: [there, back].map(toType) }
  },
  'PUT /crm/v4/associations/{fromObjectType}/{toObjectType}/labels': (hubspot) => {
    hubspot.need('associationTypeId label')
    const { label, inverseLabel } = hubspot.sent({ label: 'text', inverseLabel: 'text' })
    const [there, back] = labelsOf(hubspot, hubspot.body.associationTypeId)
    if (there === undefined) return hubspot.missing()
    relabel(hubspot, there, label)
    if (back !== undefined && !isMissing(inverseLabel)) relabel(hubspot, back, inverseLabel)
  },
  'DELETE /crm/v4/associations/{fromObjectType}/{toObjectType}/labels/{associationTypeId}': (hubspot) => {
    for (const label of labelsOf(hubspot, hubspot.path.associationTypeId))
      if (label !== undefined) relabel(hubspot, label)
  },
  'GET /crm/v3/associations/{fromObjectType}/{toObjectType}/types': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    const toNamed = (type: LinkType) => ({ id: String(type.typeId), name: namesOfTypes(from, to, [type])[0] })
    return { results: typesOf(hubspot, from, to).map(toNamed) }
  },
  'POST /crm/v3/associations/{fromObjectType}/{toObjectType}/batch/create': (hubspot) => {
    const { from, to } = pairOf(hubspot)
    return hubspot.batch(
      hubspot.parts().map((input) => {
        const [fromId = null, toId = null] = endsOf(input)
        link(hubspot, fromId, toId, specsCalled(hubspot, from, to, valueText(input.type ?? '')))
        return { from: { id: fromId }, to: { id: toId }, type: input.type ?? null }
      }),
    )
  },
  'POST /crm/v3/associations/{fromObjectType}/{toObjectType}/batch/archive': (hubspot) => {
    for (const input of hubspot.parts()) unlink(hubspot, ...endsOf(input))
  },
  'POST /crm/v3/associations/{fromObjectType}/{toObjectType}/batch/read': readBatch(
    ({ to_id = null, types }, from, to) => namesOfTypes(from, to, listOf(types)).map((type) => ({ id: to_id, type })),
  ),
}
