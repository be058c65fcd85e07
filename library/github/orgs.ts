import { API, type Fields, type GitHubRequest, idsOf, type Json, listOf, nodeId, type Operations } from './github.ts'
import { personOf, toOrganization, toPerson } from './show-accounts.ts'

const INVITATIONS = '/orgs/{org}/invitations'
const MEMBERSHIP = '/orgs/{org}/memberships/{username}'

const invitedTo = (org: Fields): Fields[] => listOf(org.invited)
const isMember = (org: Fields, { id = null }: Fields): boolean => idsOf(org.members).includes(id)
const roleOf = (org: Fields, { id = null, me }: Fields): string =>
  me === true || idsOf(org.admins).includes(id) ? 'admin' : 'member'
const change = ({ records }: GitHubRequest, org: Fields, fields: Fields): Fields =>
  records.users.update(org.id as number, fields)
const tell = (github: GitHubRequest, org: Fields, action: string, payload: Fields): void =>
  github.happenIn(org, `organization.${action}`, { action, ...payload })

function toMembership(github: GitHubRequest, org: Fields, user: Fields, { state = 'active', role }: Fields): Fields {
  const organization_url = `${API}/orgs/${org.login}`
  return {
    ...{ url: `${organization_url}/memberships/${user.login}`, state, role: role === 'admin' ? role : 'member' },
    ...{ organization_url, user: toPerson(user), organization: toOrganization(github, org) },
  }
}

/** What a user is to an organization; undefined for nothing. */
function membershipOf(github: GitHubRequest, org: Fields, user: Fields): Fields | undefined {
  const invited = invitedTo(org).find(({ user_id }) => user_id === user.id)
  if (invited) return toMembership(github, org, user, { state: 'pending', role: invited.role ?? null })
  return isMember(org, user) ? toMembership(github, org, user, { role: roleOf(org, user) }) : undefined
}

/** Sets the role of a member; whoever is none is invited. */
function setMembership(github: GitHubRequest): Fields {
  const { organization: org, account: user } = github
  const { id = null } = user
  const { role = 'member' } = github.body
  if (!isMember(org, user)) {
    const invited = newInvitation(github, { user_id: id, role })
    change(github, org, { invited: [...invitedTo(org).filter(({ user_id }) => user_id !== id), invited] })
    tell(github, org, 'member_invited', { user: toPerson(user), invitation: invited })
    return toMembership(github, org, user, { state: 'pending', role })
  }
  const admins = idsOf(org.admins).filter((one) => one !== id)
  change(github, org, { admins: role === 'admin' ? [...admins, id] : admins })
  return toMembership(github, org, user, { role })
}

function newInvitation({ records, actorId, time }: GitHubRequest, fields: Fields): Fields {
  const ids = [...records.users].flatMap((one) => invitedTo(one).map(({ id }) => Number(id)))
  return { id: Math.max(0, ...ids) + 1, created_at: time, inviter_id: actorId, ...fields }
}

function toInvitation(github: GitHubRequest, org: Fields, one: Fields): Fields {
  const { id = null, user_id, email = null, role = null, created_at = null } = one
  return {
    ...{ id, node_id: nodeId('OI_', id), login: personOf(github, user_id)?.login ?? null, email },
    ...{ role: role === 'member' ? 'direct_member' : role, created_at, failed_at: null, failed_reason: null },
    ...{ team_count: 0, inviter: personOf(github, one.inviter_id), invitation_source: 'member' },
    invitation_teams_url: `${API}/organizations/${org.id}/invitations/${id}/teams`,
  }
}

function invite(github: GitHubRequest): object {
  const { organization: org } = github
  const { email = null, invitee_id: user_id = null, role = 'direct_member' } = github.body
  const resource = 'OrganizationInvitation'
  if (email === null && user_id === null) github.invalid({ resource, code: 'missing_field', field: 'email' })
  if (user_id !== null && isMember(org, { id: user_id }))
    github.invalid({
      ...{ resource, code: 'unprocessable', field: 'data', message: 'Invitee is already a part of this org' },
    })
  const made = newInvitation(github, { email, user_id, role })
  change(github, org, { invited: [...invitedTo(org), made] })
  const invitation = toInvitation(github, org, made)
  tell(github, org, 'member_invited', { invitation })
  return github.created(invitation)
}

/** Takes the invitation that somebody has got. */
function join(github: GitHubRequest): Fields {
  const { organization: org, me, body } = github
  const { id = null } = me
  if (body.state !== 'active') github.invalid({ resource: 'Membership', field: 'state', code: 'invalid' })
  const one = invitedTo(org).find(({ user_id }) => user_id === id)
  if (one === undefined) return membershipOf(github, org, me) ?? github.gone()
  change(github, org, {
    members: [...idsOf(org.members), id],
    invited: invitedTo(org).filter((other) => other !== one),
    ...(one.role === 'admin' && { admins: [...idsOf(org.admins), id] }),
  })
  const membership = toMembership(github, org, me, { role: one.role ?? null })
  tell(github, org, 'member_added', { membership })
  return membership
}

function leave(github: GitHubRequest): object {
  const { organization: org, account: user } = github
  const membership = membershipOf(github, org, user) ?? github.gone()
  const others = (ids: Json | undefined) => idsOf(ids).filter((id) => id !== user.id)
  const invited = invitedTo(org).filter(({ user_id }) => user_id !== user.id)
  change(github, org, { members: others(org.members), admins: others(org.admins), invited })
  if (isMember(org, user)) tell(github, org, 'member_removed', { membership })
  return github.empty
}

/** Members of organizations, and whom they invite. */
export const orgs: Operations = {
  [`PUT ${MEMBERSHIP}`]: setMembership,
  [`GET ${MEMBERSHIP}`]: (github) => membershipOf(github, github.organization, github.account) ?? github.gone(),
  [`DELETE ${MEMBERSHIP}`]: leave,
  'DELETE /orgs/{org}/members/{username}': leave,
  'GET /orgs/{org}/members': (github) => {
    const { organization: org, records, query } = github
    const { role = 'all' } = query
    const members = idsOf(org.members).map((id) => records.users.get(id as number) ?? {})
    return github.page(
      members.filter((user) => role === 'all' || roleOf(org, user) === role),
      toPerson,
    )
  },
  [`GET ${INVITATIONS}`]: (github) => {
    const { organization: org } = github
    return github.page(invitedTo(org), (one) => toInvitation(github, org, one))
  },
  [`POST ${INVITATIONS}`]: invite,
  [`DELETE ${INVITATIONS}/{invitation_id}`]: (github) => {
    const { organization: org } = github
    const invited = invitedTo(org).filter(({ id }) => id !== Number(github.path.invitation_id))
    if (invited.length === invitedTo(org).length) github.gone()
    change(github, org, { invited })
    return github.empty
  },
  'GET /user/memberships/orgs': (github) => {
    const { me, records, query } = github
    const all = records.users.where({ type: 'Organization' }).toReversed()
    const memberships = all.map((org) => membershipOf(github, org, me)).filter((one) => one !== undefined)
    return github.page(
      memberships.filter(({ state }) => query.state === undefined || state === query.state),
      (membership) => membership,
    )
  },
  'GET /user/memberships/orgs/{org}': (github) => membershipOf(github, github.organization, github.me) ?? github.gone(),
  'PATCH /user/memberships/orgs/{org}': join,
}
