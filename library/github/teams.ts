import {
  type Fields,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  type Operations,
  textOf,
  textsOf,
} from './github.ts'
import { toPerson, toTeam, toWholeTeam } from './show-accounts.ts'
import { rightsOf, roleOf, toRepo } from './show-repo.ts'

const TEAMS = '/orgs/{org}/teams'
const TEAM = `${TEAMS}/{team_slug}`
const MEMBERSHIP = `${TEAM}/memberships/{username}`
const GRANT = `${TEAM}/repos/{owner}/{repo}`

/** `Web Team` is `web-team`. */
const slugOf = (name: Json | undefined): string =>
  textOf(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** The team of the path. */
function teamOf(github: GitHubRequest): Fields {
  const org_id = github.organization.id ?? null
  return github.records.teams.find({ org_id, slug: github.path.team_slug ?? '' }) ?? github.gone()
}

const say = (github: GitHubRequest, action: string, team: Fields, more: Fields = {}): void =>
  github.happenIn(github.organization, `team.${action}`, { action, ...more, team: toTeam(github, team) })

const FORM = { name: '', description: '', privacy: '', notification_setting: '', permission: '' }

/** https://docs.github.com/rest/teams/teams#create-a-team */
function create(github: GitHubRequest): object {
  const { organization: org, records, me } = github
  const sent = github.sent({ ...FORM, parent_team_id: 0, maintainers: [], repo_names: [] })
  const { name, description, privacy, notification_setting, permission: asked, parent_team_id } = sent
  const slug = slugOf(name)
  if (records.teams.some({ org_id: org.id ?? null, slug })) github.custom('Team', 'Name must be unique for this org')
  const permission = asked ?? 'pull'
  const named = (login: Json | undefined) => textsOf(sent.maintainers).includes(textOf(login))
  const maintainers = [...records.users].filter(({ login }) => named(login)).toReversed()
  const granted = records.repos.where({ owner_id: org.id ?? null }).toReversed()
  const isGranted = ({ full_name }: Fields) => textsOf(sent.repo_names).includes(textOf(full_name))
  const team = github.create('teams', {
    ...{ org_id: org.id ?? null, name: name ?? null, slug, permission, privacy: privacy ?? 'secret' },
    ...(description != null && { description }),
    notification_setting: notification_setting ?? 'notifications_enabled',
    ...(parent_team_id != null && { parent_id: parent_team_id }),
    maintainer_ids: [...new Set([me.id ?? null, ...maintainers.map(({ id = null }) => id)])],
    grants: granted.filter(isGranted).map(({ id = null }) => ({ id, permission })),
  })
  say(github, 'created', team)
  return github.created(toWholeTeam(github, team))
}

function change(github: GitHubRequest): Fields {
  const sent = Object.fromEntries(Object.entries(github.sent(FORM)).filter(([, value]) => value !== null))
  const slug = sent.name ? { slug: slugOf(sent.name) } : {}
  const team = github.update('teams', teamOf(github), { ...sent, ...slug })
  say(github, 'edited', team, { changes: {} })
  return toWholeTeam(github, team)
}

function remove(github: GitHubRequest): object {
  const team = teamOf(github)
  github.records.teams.remove(team.id as number)
  say(github, 'deleted', team)
  return github.empty
}

function members(github: GitHubRequest): object {
  const { maintainer_ids, member_ids } = teamOf(github)
  const { role } = github.query
  const ids = [...(role === 'member' ? [] : idsOf(maintainer_ids)), ...(role === 'maintainer' ? [] : idsOf(member_ids))]
  const users = [...github.records.users].filter(({ id }) => ids.includes(id ?? null))
  return github.page(users.toReversed(), toPerson)
}

/** The team and the user of the path, and what he is in it. */
function memberOf(github: GitHubRequest): { team: Fields; member: Fields; role: string | undefined } {
  const team = teamOf(github)
  const member = github.accountNamed(github.path.username) ?? github.gone()
  const isIn = (ids: Json | undefined) => idsOf(ids).includes(member.id ?? null)
  return { team, member, role: isIn(team.maintainer_ids) ? 'maintainer' : isIn(team.member_ids) ? 'member' : undefined }
}

const toMembership = (team: Fields, member: Fields, role: string): Fields => ({
  url: `https://api.github.example/organizations/${team.org_id}/team/${team.id}/memberships/${member.login}`,
  ...{ role, state: 'active' },
})

/** Makes somebody a member with a role, or with none. */
function setRole(github: GitHubRequest, { team, member }: { team: Fields; member: Fields }, role?: string): void {
  const { id = null } = member
  const idsFor = (field: string, wanted: string) => [
    ...idsOf(team[field]).filter((one) => one !== id),
    ...(role === wanted ? [id] : []),
  ]
  const changed = github.records.teams.update(team.id as number, {
    member_ids: idsFor('member_ids', 'member'),
    maintainer_ids: idsFor('maintainer_ids', 'maintainer'),
  })
  const action = role === undefined ? 'removed' : 'added'
  const payload = { action, scope: 'team', member: toPerson(member), team: toTeam(github, changed) }
  github.happenIn(github.organization, `membership.${action}`, payload)
}

const grantOf = (team: Fields, repo: Fields): Fields | undefined => listOf(team.grants).find(({ id }) => id === repo.id)

/** Grants a team a permission for the repository of the path, or takes it away. */
function setGrant(github: GitHubRequest, permission?: Json): object {
  const [team, { id = null }] = [teamOf(github), github.repo]
  const others = listOf(team.grants).filter((grant) => grant.id !== id)
  const grants =
    permission === undefined ? others : [...others, { id, permission: permission ?? team.permission ?? null }]
  github.records.teams.update(team.id as number, { grants })
  return github.empty
}

export const teams: Operations = {
  [`GET ${TEAMS}`]: (github) => {
    const found = github.records.teams.where({ org_id: github.organization.id ?? null })
    return github.page(found.toReversed(), (team) => toTeam(github, team))
  },
  [`POST ${TEAMS}`]: create,
  [`GET ${TEAM}`]: (github) => toWholeTeam(github, teamOf(github)),
  [`PATCH ${TEAM}`]: change,
  [`DELETE ${TEAM}`]: remove,
  [`GET ${TEAM}/members`]: members,
  [`GET ${TEAM}/teams`]: (github) => {
    const found = github.records.teams.where({ parent_id: teamOf(github).id ?? null })
    return github.page(found.toReversed(), (team) => toTeam(github, team))
  },
  [`GET ${MEMBERSHIP}`]: (github) => {
    const { team, member, role } = memberOf(github)
    return role === undefined ? github.gone() : toMembership(team, member, role)
  },
  [`PUT ${MEMBERSHIP}`]: (github) => {
    const { team, member } = memberOf(github)
    const role = textOf(github.sent({ role: '' }).role ?? 'member')
    setRole(github, { team, member }, role)
    return toMembership(team, member, role)
  },
  [`DELETE ${MEMBERSHIP}`]: (github) => {
    const found = memberOf(github)
    if (found.role === undefined) return github.gone()
    setRole(github, found)
    return github.empty
  },
  [`GET ${TEAM}/repos`]: (github) => {
    const team = teamOf(github)
    const repos = [...github.records.repos].filter((repo) => grantOf(team, repo)).toReversed()
    return github.page(repos, (repo) => {
      const permission = grantOf(team, repo)?.permission
      return { ...toRepo(github, repo), permissions: rightsOf(permission), role_name: roleOf(permission) }
    })
  },
  [`GET ${GRANT}`]: (github) => github.isThere(grantOf(teamOf(github), github.repo) !== undefined),
  [`PUT ${GRANT}`]: (github) => setGrant(github, github.sent({ permission: '' }).permission ?? null),
  [`DELETE ${GRANT}`]: (github) => setGrant(github),
  'GET /repos/{owner}/{repo}/teams': (github) => {
    const { repo, records } = github
    const found = records.teams.where({ org_id: repo.owner_id ?? null }).toReversed()
    const granted = found.filter((team) => grantOf(team, repo))
    return github.page(granted, (team) => ({
      ...{ ...toTeam(github, team), permission: grantOf(team, repo)?.permission ?? null },
    }))
  },
  'GET /user/teams': (github) => {
    const { id = null } = github.me
    const all = [...github.records.teams].toReversed()
    const withMe = (field: string) => all.filter((team) => idsOf(team[field]).includes(id))
    return github.page([...withMe('maintainer_ids'), ...withMe('member_ids')], (team) => toWholeTeam(github, team))
  },
}
