import { type Fields, type GitHubRequest, type Json, type Operations, textOf } from './github.ts'
import { personOf, toPerson } from './show-accounts.ts'
import { repoOf, rightsOf, roleOf, toInvitation } from './show-repo.ts'

const REPO = '/repos/{owner}/{repo}'
const ONE = `${REPO}/collaborators/{username}`
const INVITATION = `${REPO}/invitations/{invitation_id}`

/** The user of the path, and what the repository knows of him. */
function personIn(github: GitHubRequest): { person: Fields; existing: Fields | undefined; isOwner: boolean } {
  const { repo, account: person, records } = github
  const test = { repository_id: repo.id ?? null, user_id: person.id ?? null }
  return { person, existing: records.collaborators.find(test), isOwner: repo.owner_id === person.id }
}

function join(github: GitHubRequest, collaborator: Fields): void {
  const changes = { permission: { to: collaborator.permission ?? null } }
  const member = personOf(github, collaborator.user_id)
  github.happen(repoOf(github, collaborator), 'member.added', { action: 'added', member, changes })
}

/** https://docs.github.com/rest/collaborators/collaborators#add-a-repository-collaborator */
function add(github: GitHubRequest): object {
  const { person, existing, isOwner } = personIn(github)
  const { repo, records, me } = github
  const { permission = 'push' } = github.sent({ permission: '' })
  if (isOwner) github.refuse(422, 'Repository owner cannot be a collaborator')
  if (existing) {
    const changed = records.collaborators.update(existing.id as number, { permission })
    return changed.pending === true ? github.created(toInvitation(github, changed)) : github.empty
  }
  const isOrgs = records.users.get(repo.owner_id as number)?.type === 'Organization'
  const made = records.collaborators.create({
    ...{ repository_id: repo.id, user_id: person.id, permission, pending: !isOrgs, inviter_id: me.id },
    created_at: github.time,
  })
  if (!isOrgs) return github.created(toInvitation(github, made))
  join(github, made)
  return github.empty
}

function remove(github: GitHubRequest): object {
  const { person, existing } = personIn(github)
  if (existing === undefined) return github.empty
  github.records.collaborators.remove(existing.id as number)
  github.happen(github.repo, 'member.removed', { action: 'removed', member: toPerson(person) })
  return github.empty
}

/** What old names of permissions are now. https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
const LEGACY: Readonly<Record<string, string>> = { pull: 'read', triage: 'read', push: 'write', maintain: 'write' }

function permissionOf(github: GitHubRequest): Fields {
  const { person, existing, isOwner } = personIn(github)
  const own = existing?.pending === false ? existing.permission : undefined
  const permission = isOwner ? 'admin' : (LEGACY[textOf(own)] ?? own ?? 'read')
  const user = {
    ...{ ...toPerson(person), permissions: rightsOf(own ?? permission), role_name: own ?? permission },
  }
  return { permission, role_name: own === 'triage' || own === 'maintain' ? own : permission, user }
}

const listInvitations = (github: GitHubRequest, test: Fields): object =>
  github.page(github.records.collaborators.where({ ...test, pending: true }).toReversed(), (one) =>
    toInvitation(github, one),
  )

/** An invitation of the path that is of these. */
const invitation = (github: GitHubRequest, test: Fields): Fields =>
  github.find('collaborators', Number(github.path.invitation_id), { ...test, pending: true })

const inRepo = ({ repo }: GitHubRequest): Fields => ({ repository_id: repo.id ?? null })
const ofMe = ({ me }: GitHubRequest): Fields => ({ user_id: me.id ?? null })

function withdraw(github: GitHubRequest, test: Fields): object {
  github.records.collaborators.remove(invitation(github, test).id as number)
  return github.empty
}

function accept(github: GitHubRequest): object {
  const { id } = invitation(github, ofMe(github))
  join(github, github.records.collaborators.update(id as number, { pending: false }))
  return github.empty
}

export const collaborators: Operations = {
  [`GET ${REPO}/collaborators`]: (github) => {
    const { repo, records } = github
    const others = records.collaborators.where({ repository_id: repo.id ?? null, pending: false }).toReversed()
    const owner: Fields = { user_id: repo.owner_id ?? null, permission: 'admin' }
    return github.page([owner, ...others], ({ user_id, permission }: Fields) => ({
      ...personOf(github, user_id as Json),
      ...{ permissions: rightsOf(permission), role_name: roleOf(permission) },
    }))
  },
  [`GET ${ONE}`]: (github) => {
    const { existing, isOwner } = personIn(github)
    return github.isThere(isOwner || existing?.pending === false)
  },
  [`PUT ${ONE}`]: add,
  [`DELETE ${ONE}`]: remove,
  [`GET ${ONE}/permission`]: permissionOf,
  [`GET ${REPO}/invitations`]: (github) => listInvitations(github, inRepo(github)),
  [`PATCH ${INVITATION}`]: (github) => {
    const { id } = invitation(github, inRepo(github))
    const { permissions } = github.sent({ permissions: '' })
    return toInvitation(github, github.records.collaborators.update(id as number, { permission: permissions }))
  },
  [`DELETE ${INVITATION}`]: (github) => withdraw(github, inRepo(github)),
  'GET /user/repository_invitations': (github) => listInvitations(github, ofMe(github)),
  'PATCH /user/repository_invitations/{invitation_id}': accept,
  'DELETE /user/repository_invitations/{invitation_id}': (github) => withdraw(github, ofMe(github)),
}
