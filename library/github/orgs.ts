import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { type Handler, isThere, paged, refused, secondsOf } from './answers.ts'

const idsIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? [...value] : [])
const orgOf = ({ records, path }: OperationContext): JsonObject | undefined =>
  records.users?.find({ key: String(path.org).toLowerCase(), type: 'Organization' })
const me = ({ call }: OperationContext): JsonObject => fieldsOf(call('GET', '/user').body)
const simple = (context: OperationContext, id: Json | undefined): JsonObject => {
  const login = context.records.users?.get(String(id))?.login
  return fieldsOf(fieldsOf(listOf(context.call('GET', '/users?per_page=100').body).find((one) => one.login === login)))
}
const invitedTo = (org: JsonObject): JsonObject[] => listOf(org.invited)

/** Tells of a member that comes or goes. */
function tell(context: OperationContext, org: JsonObject, action: string, payload: JsonObject): void {
  const { status, body } = context.call('GET', `/orgs/${org.login}`)
  context.records.happenings?.create({
    ...{ type: `organization.${action}`, repository_id: 0, org_id: org.id ?? 0, created_at: secondsOf(context) },
    payload: { action, ...payload, organization: status < 400 ? body : {}, sender: simple(context, me(context).id) },
  })
}

function membership(context: OperationContext, org: JsonObject, id: Json, state: string, role: string): JsonObject {
  const user = simple(context, id)
  const url = `https://api.github.example/orgs/${org.login}/memberships/${user.login}`
  const organization_url = `https://api.github.example/orgs/${org.login}`
  const organization = context.call('GET', organization_url.slice('https://api.github.example'.length)).body
  return { url, state, role, organization_url, user, organization }
}

const roleOf = (org: JsonObject, user: JsonObject): string =>
  user.me === true || idsIn(org.admins).includes(user.id ?? null) ? 'admin' : 'member'

/** Sets the role of a member; whoever is none is invited. */
const set: Handler = (context) => {
  const { records, path, body } = context
  const [org, user] = [orgOf(context), records.users?.find({ key: String(path.username).toLowerCase() })]
  if (org === undefined || user === undefined) return isThere(context, false)
  const [id, role] = [user.id ?? null, String(body.role ?? 'member')]
  if (!idsIn(org.members).includes(id)) {
    const invited = [...invitedTo(org).filter(({ user_id }) => user_id !== id), invite(context, { user_id: id, role })]
    records.users?.update(Number(org.id), { invited })
    tell(context, org, 'member_invited', { user: simple(context, id), invitation: invited.at(-1) ?? {} })
    return membership(context, org, id, 'pending', role)
  }
  const admins = idsIn(org.admins).filter((one) => one !== id)
  records.users?.update(Number(org.id), { admins: role === 'admin' ? [...admins, id] : admins })
  return membership(context, org, id, 'active', role)
}

const invite = (context: OperationContext, fields: JsonObject): JsonObject => {
  const [last = 0] = (context.records.users ? [...context.records.users] : [])
    .flatMap((one) => invitedTo(one).map(({ id }) => Number(id)))
    .toSorted((left, right) => right - left)
  return { id: last + 1, created_at: secondsOf(context), inviter_id: me(context).id ?? null, ...fields }
}

const shown = (context: OperationContext, org: JsonObject, one: JsonObject): JsonObject => {
  const login = one.user_id == null ? null : (simple(context, one.user_id).login ?? null)
  const role = { member: 'direct_member' }[String(one.role)] ?? String(one.role)
  const url = `https://api.github.example/organizations/${org.id}/invitations/${one.id}/teams`
  return {
    ...{ id: one.id ?? 0, node_id: Buffer.from(`OI_${one.id}`).toString('base64'), login, email: one.email ?? null },
    ...{
      role,
      created_at: one.created_at ?? null,
      failed_at: null,
      failed_reason: null,
      team_count: 0,
    },
    ...{ inviter: simple(context, one.inviter_id), invitation_teams_url: url, invitation_source: 'member' },
  }
}

const withOrg =
  (act: (context: OperationContext, org: JsonObject) => object): Handler =>
  (context) => {
    const org = orgOf(context)
    return org === undefined ? isThere(context, false) : act(context, org)
  }

const INVITATIONS = '/orgs/{org}/invitations'

/** Members of organizations, and whom they invite. */
export const orgs: Record<string, Handler> = {
  'PUT /orgs/{org}/memberships/{username}': set,
  'GET /orgs/{org}/memberships/{username}': withOrg((context, org) => {
    const user = context.records.users?.find({ key: String(context.path.username).toLowerCase() }) ?? {}
    const invited = invitedTo(org).find(({ user_id }) => user_id === user.id)
    if (invited) return membership(context, org, user.id ?? null, 'pending', String(invited.role))
    if (!idsIn(org.members).includes(user.id ?? null)) return isThere(context, false)
    return membership(context, org, user.id ?? null, 'active', roleOf(org, user))
  }),
  'GET /orgs/{org}/members': withOrg((context, org) => {
    const users = idsIn(org.members).map((id) => fieldsOf(context.records.users?.get(String(id))))
    const { role = 'all' } = context.query as { role?: string }
    const found = users.filter((user) => role === 'all' || roleOf(org, user) === role)
    return paged(
      context,
      '/orgs/{org}/members',
      found.map(({ id }) => simple(context, id)),
    )
  }),
  [`GET ${INVITATIONS}`]: withOrg((context, org) =>
    paged(
      context,
      INVITATIONS,
      invitedTo(org).map((one) => shown(context, org, one)),
    ),
  ),
  [`POST ${INVITATIONS}`]: withOrg((context, org) => {
    const { email, invitee_id, role = 'direct_member' } = context.body
    if (email === undefined && invitee_id === undefined)
      return refused(context, 422, 'Validation Failed', [
        { resource: 'OrganizationInvitation', code: 'missing_field', field: 'email' },
      ])
    if (invitee_id !== undefined && idsIn(org.members).includes(invitee_id))
      return refused(context, 422, 'Validation Failed', [
        {
          resource: 'OrganizationInvitation',
          code: 'unprocessable',
          field: 'data',
          message: 'Invitee is already a part of this org',
        },
      ])
    const made = invite(context, { email: email ?? null, user_id: invitee_id ?? null, role })
    context.records.users?.update(Number(org.id), { invited: [...invitedTo(org), made] })
    tell(context, org, 'member_invited', { invitation: shown(context, org, made) })
    return context.respond({ status: 201, body: shown(context, org, made) })
  }),
  [`DELETE ${INVITATIONS}/{invitation_id}`]: withOrg((context, org) => {
    const left = invitedTo(org).filter(({ id }) => id !== Number(context.path.invitation_id))
    const isKnown = left.length < invitedTo(org).length
    if (isKnown) context.records.users?.update(Number(org.id), { invited: left })
    return isThere(context, isKnown)
  }),
  'PATCH /user/memberships/orgs/{org}': withOrg((context, org) => {
    const id = me(context).id ?? null
    const one = invitedTo(org).find(({ user_id }) => user_id === id)
    if (one === undefined)
      return idsIn(org.members).includes(id)
        ? membership(context, org, id, 'active', 'member')
        : isThere(context, false)
    const role = one.role === 'admin' ? 'admin' : 'member'
    context.records.users?.update(Number(org.id), {
      members: [...idsIn(org.members), id],
      invited: invitedTo(org).filter((other) => other !== one),
      ...(role === 'admin' && { admins: [...idsIn(org.admins), id] }),
    })
    const joined = membership(context, org, id, 'active', role)
    tell(context, org, 'member_added', { membership: joined })
    return joined
  }),
  ...Object.fromEntries(
    ['members', 'memberships'].map((kind): [string, Handler] => [
      `DELETE /orgs/{org}/${kind}/{username}`,
      withOrg((context, org) => {
        const user = context.records.users?.find({ key: String(context.path.username).toLowerCase() })
        const id = user?.id ?? null
        const invited = invitedTo(org).filter(({ user_id }) => user_id !== id)
        const isMember = idsIn(org.members).includes(id)
        if (!isMember && invited.length === invitedTo(org).length) return isThere(context, false)
        const gone = membership(context, org, id, 'active', roleOf(org, user ?? {}))
        const without = (value: Json | undefined) => idsIn(value).filter((one) => one !== id)
        context.records.users?.update(Number(org.id), {
          members: without(org.members),
          admins: without(org.admins),
          invited,
        })
        if (isMember) tell(context, org, 'member_removed', { membership: gone })
        return isThere(context, true)
      }),
    ]),
  ),
}
