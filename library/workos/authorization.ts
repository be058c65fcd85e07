import { showMembership } from './memberships.ts'
import {
  type Fields,
  filled,
  idsOf,
  type Kept,
  type Operations,
  sent,
  textOf,
  type WorkOSRequest,
  without,
} from './workos.ts'

const toRole = (role: Fields): Fields => ({ ...without(role, 'organization_id'), object: 'role' })

/** The organization that the path names, for roles of an organization. */
const ownerOf = (workos: WorkOSRequest): string | null => {
  const { organization_id } = workos.path
  return organization_id === undefined ? null : workos.find('organizations', organization_id).id
}

/** The role that the path names. */
const roleOf = (workos: WorkOSRequest, organization_id = ownerOf(workos)): Kept => {
  const { slug = '' } = workos.path
  return workos.findBy('roles', { slug, organization_id }, slug)
}

const permissionOf = (workos: WorkOSRequest, slug = workos.path.slug ?? ''): Kept =>
  workos.findBy('permissions', { slug }, slug)

/** What the body sets of a role, a permission, a resource. */
const described = ({ body }: WorkOSRequest): Fields => ({ ...filled(body, 'name'), ...sent(body, 'description') })

const setPermissions = (workos: WorkOSRequest, role: Kept, permissions: string[]): Fields =>
  toRole(workos.update('roles', role, { permissions }))

const rolesAt = (path: string, type: string, conflict: string): Operations => ({
  [`GET ${path}`]: (workos) => {
    const owners = [...new Set([null, ownerOf(workos)])]
    const found = owners.flatMap((organization_id) => workos.records.roles.where({ organization_id }).reverse())
    return { object: 'list', data: found.map(toRole) }
  },
  [`POST ${path}`]: (workos) => {
    const organization_id = ownerOf(workos)
    const { slug = `org-${textOf(workos.body.name).toLowerCase().replaceAll(' ', '-')}` } = filled(workos.body, 'slug')
    const fields = filled(workos.body, 'name description resource_type_slug')
    if (workos.records.roles.some({ slug, organization_id }))
      workos.refuse(conflict, 'A role of this slug exists already.', 409)
    const object = organization_id === null ? 'role' : 'organization_role'
    return toRole(workos.create('roles', { ...fields, slug, object, organization_id, type }))
  },
  [`PATCH ${path}/{slug}`]: (workos) => toRole(workos.update('roles', roleOf(workos), described(workos))),
  [`PUT ${path}/{slug}/permissions`]: (workos) => {
    const role = roleOf(workos)
    const permissions = idsOf(workos.body.permissions)
    for (const slug of permissions) permissionOf(workos, slug)
    return setPermissions(workos, role, permissions)
  },
  [`POST ${path}/{slug}/permissions`]: (workos) => {
    const role = roleOf(workos)
    const { slug } = permissionOf(workos, textOf(workos.body.slug))
    return setPermissions(workos, role, [...new Set([...idsOf(role.permissions), textOf(slug)])])
  },
})

const OF_ORGANIZATION = '/authorization/organizations/{organization_id}/roles'

export const roles: Operations = {
  ...rolesAt('/authorization/roles', 'EnvironmentRole', 'role_slug_conflict'),
  ...rolesAt(OF_ORGANIZATION, 'OrganizationRole', 'organization_role_slug_conflict'),
  'GET /authorization/roles/{slug}': (workos) => toRole(roleOf(workos)),
  [`GET ${OF_ORGANIZATION}/{slug}`]: (workos) => {
    const { slug = '' } = workos.path
    const organization_id = ownerOf(workos)
    return toRole(workos.records.roles.find({ slug, organization_id }) ?? roleOf(workos, null))
  },
  [`DELETE ${OF_ORGANIZATION}/{slug}/permissions/{permission}`]: (workos) => {
    const role = roleOf(workos)
    const others = idsOf(role.permissions).filter((slug) => slug !== workos.path.permission)
    return setPermissions(workos, role, others)
  },
  [`DELETE ${OF_ORGANIZATION}/{slug}`]: (workos) => {
    const role = roleOf(workos)
    const { organization_id = null, slug } = role
    const members = workos.records.organization_memberships.where({ organization_id })
    if (members.some(({ role_slugs }) => idsOf(role_slugs).includes(textOf(slug))))
      workos.refuse('role_has_assignments', 'The role is assigned to members.', 409)
    return workos.remove('roles', role)
  },
  'GET /authorization/permissions': (workos) => workos.list([...workos.records.permissions]),
  'POST /authorization/permissions': (workos) => {
    const fields = filled(workos.body, 'slug name description resource_type_slug')
    if (workos.records.permissions.some({ slug: textOf(fields.slug) }))
      workos.refuse('permission_slug_conflict', 'A permission of this slug exists already.', 409)
    return workos.create('permissions', fields)
  },
  'GET /authorization/permissions/{slug}': (workos) => permissionOf(workos),
  'PATCH /authorization/permissions/{slug}': (workos) =>
    workos.update('permissions', permissionOf(workos), described(workos)),
  'DELETE /authorization/permissions/{slug}': (workos) => {
    const permission = permissionOf(workos)
    const slug = textOf(permission.slug)
    for (const role of workos.records.roles.where(({ permissions }) => idsOf(permissions).includes(slug)))
      workos.join('roles', role, { list: 'permissions', id: slug, isIn: false })
    return workos.remove('permissions', permission)
  },
}

type Names = { readonly id?: unknown; readonly type?: unknown; readonly external?: unknown }

/** The resource with this id, or with this type and external id. */
function findResource(workos: WorkOSRequest, organization_id: string, { id, type, external }: Names): Kept | undefined {
  const { resources } = workos.records
  if (id) return resources.get(String(id))
  const resource_type_slug = String(type ?? '')
  return resources.find({ organization_id, resource_type_slug, external_id: String(external ?? '') })
}

/** The resource that the path names by its external id. */
const externalOf = (workos: WorkOSRequest): Kept => {
  const { organization_id = '', type, external_id } = workos.path
  const found = findResource(workos, organization_id, { type, external: external_id })
  return found ?? workos.gone('resources', external_id)
}

/** Deletes a resource, and with `cascade_delete` those below. */
function removeResource(workos: WorkOSRequest, resource: Kept): object {
  const below = { parent_resource_id: resource.id }
  const message = 'The resource has children. Delete them first or cascade.'
  if (workos.records.resources.some(below) && workos.query.cascade_delete !== 'true')
    workos.refuse('resource_has_children', message, 409)
  workos.removeAll('resources', below)
  workos.removeAll('role_assignments', { resource_id: resource.id })
  return workos.remove('resources', resource)
}

/** The membership that the path names, and the resource that the body names. */
function named(workos: WorkOSRequest): { readonly membership: Kept; readonly resource: Kept } {
  const membership = workos.find('organization_memberships')
  const { resource_id: id, resource_type_slug: type, resource_external_id: external } = workos.body
  const resource = findResource(workos, textOf(membership.organization_id), { id, type, external })
  return { membership, resource: resource ?? workos.gone('resources', id ?? external) }
}

const parentOf = (workos: WorkOSRequest, resource: Kept): Kept | undefined =>
  workos.records.resources.get(textOf(resource.parent_resource_id))

/** Slugs of the permissions that a membership has on a resource: its own, and those by the resource and two above. */
function allowed(workos: WorkOSRequest, membership: Kept, resource: Kept | undefined, levels: number): Set<string> {
  const line: Kept[] = []
  for (let one = resource; one !== undefined && line.length < levels; one = parentOf(workos, one)) line.push(one)
  const own = workos.records.role_assignments.where({ organization_membership_id: membership.id })
  const here = own.filter(({ resource_id }) => line.some(({ id }) => id === resource_id))
  const slugs = [...idsOf(membership.role_slugs), ...here.map(({ role_slug }) => textOf(role_slug))]
  const found = workos.records.roles.where(({ slug }) => slugs.includes(textOf(slug)))
  return new Set(found.flatMap(({ permissions }) => idsOf(permissions)))
}

/** What assignments of roles with the wanted permission say in a field. */
function assigned(workos: WorkOSRequest, test: Fields, field: 'resource_id' | 'organization_membership_id'): string[] {
  const { permission_slug = '' } = workos.query
  const able = workos.records.roles.where(({ permissions }) => idsOf(permissions).includes(permission_slug))
  const found = workos.records.role_assignments.where(test)
  return found.filter((one) => able.some(({ slug }) => slug === one.role_slug)).map((one) => textOf(one[field]))
}

const toAssignment = (workos: WorkOSRequest, assignment: Kept): Fields => {
  const { id, organization_membership_id = null, role_slug = null, resource_id, created_at, updated_at } = assignment
  const resource = workos.records.resources.get(textOf(resource_id)) ?? {}
  return {
    ...{ object: 'role_assignment', id, organization_membership_id, role: { slug: role_slug } },
    resource: sent(resource, 'id external_id resource_type_slug'),
    source: { type: 'direct', group_role_assignment_id: null },
    ...{ created_at: created_at ?? null, updated_at: updated_at ?? null },
  }
}

const assignmentOf = (workos: WorkOSRequest): Fields => {
  const { membership, resource } = named(workos)
  const role_slug = textOf(workos.body.role_slug)
  return { organization_membership_id: membership.id, role_slug, resource_id: resource.id }
}

const MEMBERSHIP = '/authorization/organization_memberships/{id}'
const EXTERNAL = '/authorization/organizations/{organization_id}/resources/{type}/{external_id}'

export const resources: Operations = {
  'POST /authorization/resources': (workos) => {
    const { body } = workos
    if (!body.external_id) workos.refuseInvalid('external_id_required', 'external_id must be given.')
    const { id: organization_id } = workos.find('organizations', body.organization_id)
    const { external_id: external, resource_type_slug: type } = body
    const message = 'A resource of this type and external id exists already.'
    if (findResource(workos, organization_id, { type, external })) workos.refuse('duplicate_external_id', message, 409)
    const names = { type: body.parent_resource_type_slug, external: body.parent_resource_external_id }
    const parent_resource_id = body.parent_resource_id ?? findResource(workos, organization_id, names)?.id ?? null
    const fields = filled(body, 'external_id name description resource_type_slug organization_id')
    return workos.create('resources', { ...fields, parent_resource_id })
  },
  'GET /authorization/resources': (workos) => {
    const { organization_id = null, resource_type_slug = null, parent_resource_id, ...query } = workos.query
    const byName = {
      resource_type_slug: query.parent_resource_type_slug ?? '',
      external_id: query.parent_external_id ?? '',
    }
    const parent = parent_resource_id ?? workos.records.resources.find(byName)?.id ?? null
    const wanted = { organization_id, resource_type_slug, parent_resource_id: parent }
    return workos.list(workos.matching('resources', wanted))
  },
  'GET /authorization/resources/{id}': (workos) => workos.find('resources'),
  'PATCH /authorization/resources/{id}': (workos) =>
    workos.update('resources', workos.find('resources'), described(workos)),
  'DELETE /authorization/resources/{id}': (workos) => removeResource(workos, workos.find('resources')),
  [`GET ${EXTERNAL}`]: externalOf,
  [`PATCH ${EXTERNAL}`]: (workos) => workos.update('resources', externalOf(workos), described(workos)),
  [`DELETE ${EXTERNAL}`]: (workos) => removeResource(workos, externalOf(workos)),
  [`POST ${MEMBERSHIP}/check`]: (workos) => {
    const { membership, resource } = named(workos)
    return { authorized: allowed(workos, membership, resource, 3).has(textOf(workos.body.permission_slug)) }
  },
  [`POST ${MEMBERSHIP}/role_assignments`]: (workos) => {
    const fields = assignmentOf(workos)
    workos.findBy('roles', { slug: fields.role_slug ?? '' }, fields.role_slug)
    if (workos.records.role_assignments.some(fields))
      workos.refuse('role_assignment_exists', 'The role is assigned already.', 409)
    return toAssignment(workos, workos.create('role_assignments', fields))
  },
  [`DELETE ${MEMBERSHIP}/role_assignments`]: (workos) => {
    const fields = assignmentOf(workos)
    return workos.remove('role_assignments', workos.findBy('role_assignments', fields, fields.role_slug))
  },
  [`DELETE ${MEMBERSHIP}/role_assignments/{assignment_id}`]: (workos) => {
    const { id = '', assignment_id = '' } = workos.path
    const test = { organization_membership_id: id, id: assignment_id }
    return workos.remove('role_assignments', workos.findBy('role_assignments', test, assignment_id))
  },
  [`GET ${MEMBERSHIP}/role_assignments`]: (workos) => {
    const organization_membership_id = workos.find('organization_memberships').id
    const { resource_id = null } = workos.query
    const found = workos.matching('role_assignments', { organization_membership_id, resource_id })
    return workos.list(found, (assignment) => toAssignment(workos, assignment))
  },
  'GET /authorization/resources/{id}/role_assignments': (workos) => {
    const { role_slug = null } = workos.query
    const found = workos.matching('role_assignments', { resource_id: workos.find('resources').id, role_slug })
    return workos.list(found, (assignment) => toAssignment(workos, assignment))
  },
  [`GET ${MEMBERSHIP}/resources`]: (workos) => {
    const { id, organization_id = '' } = workos.find('organization_memberships')
    const { query } = workos
    const names = { type: query.parent_resource_type_slug, external: query.parent_resource_external_id }
    const parent_resource_id =
      query.parent_resource_id ?? findResource(workos, textOf(organization_id), names)?.id ?? null
    const direct = assigned(workos, { organization_membership_id: id }, 'resource_id')
    const found = workos.records.resources.where({ organization_id, parent_resource_id })
    return workos.list(
      found.filter((one) => direct.includes(one.id) || direct.includes(textOf(one.parent_resource_id))),
    )
  },
  'GET /authorization/resources/{resource_id}/organization_memberships/{id}/permissions': (workos) => {
    const membership = workos.find('organization_memberships')
    const slugs = allowed(workos, membership, workos.records.resources.get(workos.path.resource_id), 2)
    return workos.list(workos.records.permissions.where(({ slug }) => slugs.has(textOf(slug))))
  },
  'GET /authorization/resources/{id}/organization_memberships': (workos) => {
    const test = { resource_id: workos.find('resources').id }
    const members = assigned(workos, test, 'organization_membership_id')
    const found = workos.records.organization_memberships.where((one) => members.includes(one.id))
    return workos.list(found, (membership) => showMembership(workos, membership))
  },
}
