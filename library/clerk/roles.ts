import {
  type Clerk,
  type ClerkRequest,
  type Fields,
  filled,
  type Kept,
  type Operations,
  operationsOf,
  textOf,
  textsOf,
  without,
} from './clerk.ts'
import { toPermission, toRole } from './views.ts'

const checkKey = (collection: 'roles' | 'permissions') => (clerk: ClerkRequest) => {
  if (clerk.records[collection].some({ key: textOf(clerk.body.key) })) clerk.taken('key')
}

/** Gives a role a permission, or takes it away. */
const setsPermission = (isGiven: boolean) => (clerk: ClerkRequest) => {
  const role = clerk.find('roles', clerk.path.role_id)
  const { id } = clerk.find('permissions', clerk.path.permission_id)
  const others = textsOf(role.permissions).filter((one) => one !== id)
  return toRole(clerk.records.roles.update(role, { permissions: isGiven ? [...others, id] : others }), clerk)
}

const toItem = (role: Fields): Fields => ({
  object: 'role_set_item',
  ...without(role, 'permissions is_creator_eligible'),
})

const toRoleSet = (set: Kept, { records }: Clerk): Fields => {
  const keys = textsOf(set.roles)
  const itemOf = (key: Fields[string] | undefined): Fields | null => {
    const role = records.roles.find({ key: textOf(key) })
    return role ? toItem(role) : null
  }
  return {
    object: 'role_set',
    role_set_migration: null,
    ...set,
    roles: [...records.roles]
      .filter(({ key }) => keys.includes(textOf(key)))
      .reverse()
      .map(toItem),
    default_role: itemOf(set.default_role),
    creator_role: itemOf(set.creator_role),
  }
}

/** The role set that the path names by its id or its key. */
function roleSetIn(clerk: ClerkRequest): Kept {
  const key = clerk.path.role_set ?? ''
  return clerk.records.role_sets.find({ key }) ?? clerk.find('role_sets')
}

const rolesOf = ({ default_role_key, creator_role_key }: Fields): Fields =>
  filled(
    { default_role: default_role_key ?? null, creator_role: creator_role_key ?? null },
    'default_role creator_role',
  )

export const roles: Operations = {
  ...operationsOf({
    collection: 'permissions',
    path: '/v1/organization_permissions',
    param: 'permission_id',
    needed: 'name key',
    fields: 'name key description',
    show: toPermission,
    check: checkKey('permissions'),
    hasEvents: true,
  }),
  ...operationsOf({
    collection: 'roles',
    path: '/v1/organization_roles',
    param: 'role_id',
    needed: 'name key',
    fields: 'name key description permissions',
    show: toRole,
    check: checkKey('roles'),
    hasEvents: true,
  }),
  'POST /v1/organization_roles/{role_id}/permissions/{permission_id}': setsPermission(true),
  'DELETE /v1/organization_roles/{role_id}/permissions/{permission_id}': setsPermission(false),
  ...operationsOf({
    collection: 'role_sets',
    path: '/v1/role_sets',
    param: 'role_set',
    needed: 'name',
    fields: 'name description roles',
    show: toRoleSet,
    made: (clerk) => ({
      id: `roleset_${clerk.letters(27)}`,
      key: clerk.body.key ?? `role_set:${clerk.body.name}`,
      ...rolesOf(clerk.body),
    }),
    has: 'list create',
  }),
  'GET /v1/role_sets/{role_set}': (clerk) => toRoleSet(roleSetIn(clerk), clerk),
  'PATCH /v1/role_sets/{role_set}': (clerk) => {
    const fields = { ...filled(clerk.body, 'name key description'), ...rolesOf(clerk.body) }
    return toRoleSet(clerk.update('role_sets', roleSetIn(clerk), fields), clerk)
  },
  'POST /v1/role_sets/{role_set}/roles': (clerk) => {
    const set = roleSetIn(clerk)
    const keys = [...new Set([...textsOf(set.roles), ...textsOf(clerk.body.role_keys)])]
    return toRoleSet(clerk.records.role_sets.update(set, { roles: keys }), clerk)
  },
}
