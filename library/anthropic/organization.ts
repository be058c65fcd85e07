import { after } from '../shared/times.ts'
import { type Context, type Fields, type Kept, toPage } from './context.ts'

const BASE = '/v1/organizations'
/** Seconds that an invite is good for. */
const INVITE_S = 21 * 86_400

type Collection = 'api_keys' | 'invites' | 'members' | 'users' | 'workspaces'

/** The record that the path names. */
const finding =
  (collection: Collection, noun: string) =>
  ({ records, path, refuse }: Context, given = path[`${noun}_id`]): Kept => {
    const id = String(given)
    return records[collection].get(id) ?? refuse(404, { code: 'not_found', message: `${noun}_id: ${id} not found` })
  }

const removing = (collection: Collection, noun: string) => (context: Context) => {
  const { id } = finding(collection, noun)(context)
  context.records[collection].remove(id)
  return { id, type: `${noun}_deleted` }
}

/** The records that have what the query asks for: `statuses=pending` those whose `status` is among them. */
function listing(
  collection: Collection,
  fields: readonly string[],
  show = (record: Kept, _: Context): Fields => record,
) {
  return (context: Context) => {
    const shown = [...context.records[collection]].map((record) => show(record, context))
    const fits = (record: Fields) =>
      fields.every((field) => {
        const wanted = context.query[field] ?? context.query[`${field.replace(/s$/, 'se')}s`]
        return wanted === undefined || [wanted].flat().includes(record[field] ?? null)
      })
    return toPage(context, shown.filter(fits) as Kept[])
  }
}

/** An invite that nobody took is over after three weeks. */
const shownInvite = (invite: Kept, { now }: Pick<Context, 'now'>): Fields => ({
  ...invite,
  status: Date.parse(String(invite.expires_at)) > now.getTime() ? 'pending' : 'expired',
})

const findInvite = finding('invites', 'invite')
const findUser = finding('users', 'user')
const findKey = finding('api_keys', 'api_key')
const findWorkspace = finding('workspaces', 'workspace')

/** A member of the path's workspace, by the id of the user. */
function findMember(context: Context): Kept {
  const { records, path, refuse } = context
  const [workspace_id, user_id] = [findWorkspace(context).id, String(path.user_id)]
  const found = records.members.find({ workspace_id, user_id })
  return found ?? refuse(404, { code: 'not_found', message: `user_id: ${user_id} not found` })
}

const shownMember = ({ id: _, ...member }: Fields): Fields => member

/** What an administrator of an organization does. */
export const organization = {
  [`GET ${BASE}/me`]: () => ({
    id: '00000000-0000-4000-8000-000000000000',
    type: 'organization',
    name: 'Simulated organization',
  }),
  [`GET ${BASE}/invites`]: listing('invites', ['email', 'status', 'role'], shownInvite),
  [`GET ${BASE}/invites/{invite_id}`]: (context: Context) => shownInvite(findInvite(context), context),
  [`DELETE ${BASE}/invites/{invite_id}`]: removing('invites', 'invite'),
  [`POST ${BASE}/invites`]: ({ body, now, records }: Context) => {
    const { email, role, rbac_group_ids = [] } = body
    const facts = { type: 'invite', email, role, rbac_group_ids, status: 'pending', accepted_at: null }
    return records.invites.create({ ...facts, invited_at: now.toISOString(), expires_at: after(now, INVITE_S) })
  },
  [`GET ${BASE}/users`]: listing('users', ['email', 'role']),
  [`GET ${BASE}/users/{user_id}`]: findUser,
  [`POST ${BASE}/users/{user_id}`]: (context: Context) =>
    context.records.users.update(findUser(context).id, { role: context.body.role }),
  [`DELETE ${BASE}/users/{user_id}`]: removing('users', 'user'),
  [`GET ${BASE}/api_keys`]: listing('api_keys', ['status']),
  [`GET ${BASE}/api_keys/{api_key_id}`]: findKey,
  [`POST ${BASE}/api_keys/{api_key_id}`]: (context: Context) => {
    const { id, ...key } = findKey(context)
    const { name = key.name, status = key.status } = context.body
    return context.records.api_keys.update(id, { name, status })
  },
  [`GET ${BASE}/workspaces`]: (context: Context) => {
    const { include_archived } = context.query
    return toPage(
      context,
      [...context.records.workspaces].filter(({ archived_at }) => include_archived === true || archived_at === null),
    )
  },
  [`GET ${BASE}/workspaces/{workspace_id}`]: findWorkspace,
  [`POST ${BASE}/workspaces`]: ({ body, now, records }: Context) => {
    const { name, display_color = '#6C5BB9', external_key_id = null, tags = {}, user_profile_id = null } = body
    const data_residency = {
      workspace_geo: 'us',
      allowed_inference_geos: 'unrestricted',
      default_inference_geo: 'global',
    }
    return records.workspaces.create({
      ...{ type: 'workspace', name, display_color, external_key_id, tags, user_profile_id, archived_at: null },
      ...{ data_residency, created_at: now.toISOString() },
    })
  },
  [`POST ${BASE}/workspaces/{workspace_id}`]: (context: Context) =>
    context.records.workspaces.update(findWorkspace(context).id, context.body),
  [`POST ${BASE}/workspaces/{workspace_id}/archive`]: (context: Context) =>
    context.records.workspaces.update(findWorkspace(context).id, { archived_at: context.now.toISOString() }),
  [`GET ${BASE}/workspaces/{workspace_id}/members`]: (context: Context) => {
    const members = context.records.members.where({ workspace_id: findWorkspace(context).id })
    const page = toPage(context, members)
    return { ...page, data: page.data.map(shownMember) }
  },
  [`POST ${BASE}/workspaces/{workspace_id}/members`]: (context: Context) => {
    const { user_id, workspace_role } = context.body
    const workspace_id = findWorkspace(context).id
    findUser(context, String(user_id))
    const facts = { type: 'workspace_member', user_id, workspace_id, workspace_role }
    return shownMember(context.records.members.create(facts))
  },
  [`GET ${BASE}/workspaces/{workspace_id}/members/{user_id}`]: (context: Context) => shownMember(findMember(context)),
  [`POST ${BASE}/workspaces/{workspace_id}/members/{user_id}`]: (context: Context) => {
    const { workspace_role } = context.body
    return shownMember(context.records.members.update(findMember(context).id, { workspace_role }))
  },
  [`DELETE ${BASE}/workspaces/{workspace_id}/members/{user_id}`]: (context: Context) => {
    const { id, user_id = null, workspace_id = null } = findMember(context)
    context.records.members.remove(id)
    return { type: 'workspace_member_deleted', user_id, workspace_id }
  },
}
