import { linksBelow } from './links.ts'
import { API, type Fields, idsOf, type Json, nodeId, type Reader, SITE, sent, sha1 } from './records.ts'

const headOf = ({ login, id, type }: Fields): Fields => ({
  ...{ login: login ?? null, id: id ?? null, node_id: nodeId(`04:${type}`, id) },
  avatar_url: `https://avatars.github.example/u/${id}?v=4`,
})

/** What other records show of a user. */
export const toPerson = (user: Fields): Fields => ({
  ...headOf(user),
  gravatar_id: '',
  url: `${API}/users/${user.login}`,
  html_url: `${SITE}/${user.login}`,
  ...linksBelow(
    `${API}/users/${user.login}`,
    'followers following gists starred subscriptions organizations=/orgs repos events received_events',
  ),
  type: user.type ?? null,
  user_view_type: 'public',
  site_admin: user.site_admin ?? null,
})

/** The same of an id; null where there is none. */
export const personOf = ({ records }: Reader, id: Json | undefined): Fields | null => {
  const user = records.users.get(id as number)
  return user ? toPerson(user) : null
}

/** What other records show of an organization. */
export const toAccount = (org: Fields): Fields => ({
  ...headOf(org),
  url: `${API}/orgs/${org.login}`,
  ...linksBelow(`${API}/orgs/${org.login}`, 'repos events hooks issues members public_members'),
  description: org.description ?? null,
})

const profileOf = ({ records }: Reader, user: Fields): Fields => ({
  ...sent(user, 'name company blog location email bio twitter_username hireable'),
  public_repos: records.repos.count({ owner_id: user.id ?? null, private: false }),
  public_gists: 0,
  followers: [...records.users].filter(({ following }) => idsOf(following).includes(user.id ?? null)).length,
  following: idsOf(user.following).length,
  ...sent(user, 'created_at updated_at'),
})

/** A user as in the own answer. */
export const toUser = (reader: Reader, user: Fields): Fields => ({ ...toPerson(user), ...profileOf(reader, user) })

/** An organization as in the own answer. */
export const toOrganization = (reader: Reader, org: Fields): Fields => ({
  ...toAccount(org),
  ...{ html_url: `${SITE}/${org.login}`, type: 'Organization' },
  ...{ has_organization_projects: true, has_repository_projects: true },
  ...profileOf(reader, org),
  ...{ default_repository_permission: 'read', members_can_create_repositories: true },
})

const organizationOf = ({ records }: Reader, id: Json | undefined) => records.users.get(id as number)

/** What other records show of a team. */
export function toTeam(reader: Reader, team: Fields): Fields {
  const { id, org_id, slug, parent_id } = team
  const url = `${API}/organizations/${org_id}/team/${id}`
  const parent = parent_id == null ? undefined : reader.records.teams.get(parent_id as number)
  return {
    ...{ id: id ?? null, node_id: nodeId('T_', id) },
    ...sent(team, 'name slug description privacy notification_setting permission'),
    ...{ type: 'organization', organization_id: org_id ?? null, url },
    html_url: `${SITE}/orgs/${organizationOf(reader, org_id)?.login}/teams/${slug}`,
    ...{ members_url: `${url}/members{/member}`, repositories_url: `${url}/repos` },
    parent: parent ? toTeam(reader, parent) : null,
  }
}

/** A team as in the own answer. */
export function toWholeTeam(reader: Reader, team: Fields): Fields {
  const org = organizationOf(reader, team.org_id)
  return {
    ...toTeam(reader, team),
    members_count: idsOf(team.member_ids).length + idsOf(team.maintainer_ids).length,
    repos_count: idsOf(team.grants).length,
    ...(org && { organization: toOrganization(reader, org) }),
    ...sent(team, 'created_at updated_at'),
  }
}

export function toUserKey(key: Fields): Fields {
  const { id = null, title = null, created_at = null } = key
  if (key.kind === 'gpg')
    return {
      ...{ id, name: title, primary_key_id: null, key_id: sha1(String(key.key)).slice(-16).toUpperCase() },
      ...{ public_key: key.key ?? null, raw_key: key.key ?? null, emails: [], subkeys: [], can_sign: true },
      ...{ can_encrypt_comms: false, can_encrypt_storage: false, can_certify: true, revoked: false },
      ...{ created_at, expires_at: null },
    }
  return {
    ...{ id, key: key.key ?? null, title, url: `${API}/user/keys/${id}`, created_at },
    ...{ verified: true, read_only: false },
  }
}
