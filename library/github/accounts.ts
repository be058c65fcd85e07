import { type Fields, type GitHubRequest, idsOf, type Json, type Operations, sorted, textOf } from './github.ts'
import { checkKey } from './repo-parts.ts'
import { toAccount, toOrganization, toPerson, toUser, toUserKey } from './show-accounts.ts'

/** The account itself, with what only its owner sees. */
function showMe(github: GitHubRequest, me: Fields): object {
  const { records, of } = github
  const owned = records.repos.count({ owner_id: me.id ?? null, private: true })
  const headers = { 'X-OAuth-Scopes': 'repo, user, admin:org, admin:repo_hook' }
  // A token of a sign-in has the scopes that it was given.
  const isSignedIn = records.access_tokens.get(of.key) !== undefined
  return of.respond({
    status: 200,
    headers: isSignedIn ? {} : headers,
    body: {
      ...toUser(github, me),
      ...{ private_gists: 0, total_private_repos: owned, owned_private_repos: owned, disk_usage: 0, collaborators: 0 },
      two_factor_authentication: true,
      plan: { name: 'pro', space: 976_562_499, private_repos: 9_999, collaborators: 0 },
    },
  })
}

const PROFILE = { name: '', email: '', blog: '', company: '', location: '' }
const USER = { ...PROFILE, bio: '', twitter_username: '', hireable: true }

/** https://docs.github.com/rest/users/emails: needs a scope, where the token is of a sign-in. */
function emails(github: GitHubRequest): object {
  const { me, records, of } = github
  const token = records.access_tokens.get(of.key)
  const scopes = textOf(token?.scope).split(',')
  if (token && !scopes.includes('user:email') && !scopes.includes('user')) of.refuse(404, { code: 'needs_email_scope' })
  const email = { email: me.email ?? null, primary: true, verified: true, visibility: 'public' }
  const headers = { 'X-Accepted-OAuth-Scopes': 'user:email, user' }
  return of.respond({ status: 200, headers, body: [email] })
}

/** The organizations that a user is a member of. */
const orgsOf = (github: GitHubRequest, user: Fields): object => {
  const isMember = ({ members }: Fields) => idsOf(members).includes(user.id ?? null)
  const all = github.records.users.where({ type: 'Organization' }).toReversed()
  return github.page(all.filter(isMember), toAccount)
}

const followersOf = (github: GitHubRequest, user: Fields): object => {
  const { users } = github.records
  const found = users.where(({ following }) => idsOf(following).includes(user.id ?? null))
  return github.page(found.toReversed(), toPerson)
}

const usersWith = ({ records }: GitHubRequest, ids: Json | undefined): Fields[] =>
  idsOf(ids).flatMap((id): Fields[] => {
    const user = records.users.get(id as number)
    return user ? [user] : []
  })

const followingOf = (github: GitHubRequest, user: Fields): object =>
  github.page(usersWith(github, user.following), toPerson)

const isFollowing = (github: GitHubRequest, user: Fields, other: Fields | undefined): object =>
  github.isThere(other !== undefined && idsOf(user.following).includes(other.id ?? null))

function setFollowing(github: GitHubRequest, isOn: boolean): object {
  const { me, account, records } = github
  const others = idsOf(me.following).filter((id) => id !== account.id)
  records.users.update(me.id as number, { following: isOn ? [...others, account.id ?? null] : others })
  return github.empty
}

function publicMembers(github: GitHubRequest): object {
  const { role } = github.query
  const members = usersWith(github, github.organization.members)
  const chosen = members.filter(({ me }) => (role === 'admin' ? me === true : role !== 'member' || me !== true))
  return github.page(chosen, toPerson)
}

/** https://docs.github.com/rest/users/keys */
function keysOf(kind: 'ssh' | 'gpg', path: string, keyField: string): Operations {
  const own = (github: GitHubRequest): Fields =>
    github.find('user_keys', Number(github.path.key_id), { user_id: github.me.id ?? null, kind })
  const list = (github: GitHubRequest, user: Fields, show: (key: Fields) => Fields): object =>
    github.page(github.records.user_keys.where({ user_id: user.id ?? null, kind }).toReversed(), show)
  const toPublicKey = ({ id = null, key = null }: Fields): Fields => ({ id, key })
  return {
    [`GET /user/${path}`]: (github) => list(github, github.me, toUserKey),
    [`GET /users/{username}/${path}`]: (github) =>
      list(github, github.account, kind === 'ssh' ? toPublicKey : toUserKey),
    [`POST /user/${path}`]: (github) => {
      const { me, records, time } = github
      const { title, name, [keyField]: key = null } = github.sent({ title: '', name: '', [keyField]: '' })
      if (kind === 'ssh') checkKey(github, key)
      if (records.user_keys.some({ kind, key })) github.taken('PublicKey', 'key', 'key is already in use')
      const fields = { user_id: me.id, kind, title: title ?? name ?? '', key, created_at: time }
      return github.created(toUserKey(records.user_keys.create(fields)))
    },
    [`GET /user/${path}/{key_id}`]: (github) => toUserKey(own(github)),
    [`DELETE /user/${path}/{key_id}`]: (github) => {
      github.records.user_keys.remove(own(github).id as number)
      return github.empty
    },
  }
}

export const accounts: Operations = {
  'GET /user': (github) =>
    showMe(github, github.installed ? github.refuse(403, 'Resource not accessible by integration') : github.me),
  'PATCH /user': (github) => showMe(github, github.update('users', github.me, github.sent(USER))),
  'GET /users': (github) => {
    const since = Number(github.query.since ?? 0)
    const users = [...github.records.users].filter(({ id }) => Number(id) > since)
    return github.page(sorted(users, 'id'), toPerson)
  },
  'GET /users/{username}': (github) => toUser(github, github.account),
  'GET /user/{account_id}': (github) => toUser(github, github.find('users', github.path.account_id)),
  'GET /user/emails': emails,
  'GET /user/orgs': (github) => orgsOf(github, github.me),
  'GET /users/{username}/orgs': (github) => orgsOf(github, github.account),
  'GET /organizations': (github) => {
    const since = Number(github.query.since ?? 0)
    const orgs = github.records.users.where({ type: 'Organization' }).filter(({ id }) => Number(id) > since)
    return github.page(sorted(orgs, 'id'), toAccount)
  },
  'GET /orgs/{org}': (github) => toOrganization(github, github.organization),
  'PATCH /orgs/{org}': (github) => {
    const fields = github.sent({ ...PROFILE, description: '' })
    return toOrganization(github, github.update('users', github.organization, fields))
  },
  'GET /orgs/{org}/public_members': publicMembers,
  'GET /orgs/{org}/members/{username}': (github) => {
    const { id = null } = github.accountNamed(github.path.username) ?? github.gone()
    const org = github.accountNamed(github.path.org)
    return github.isThere(org?.type === 'Organization' && idsOf(org.members).includes(id))
  },
  'GET /users/{username}/followers': (github) => followersOf(github, github.account),
  'GET /user/followers': (github) => followersOf(github, github.me),
  'GET /users/{username}/following': (github) => followingOf(github, github.account),
  'GET /user/following': (github) => followingOf(github, github.me),
  'GET /user/following/{username}': (github) => isFollowing(github, github.me, github.account),
  'GET /users/{username}/following/{target_user}': (github) =>
    isFollowing(github, github.account, github.accountNamed(github.path.target_user)),
  'PUT /user/following/{username}': (github) => setFollowing(github, true),
  'DELETE /user/following/{username}': (github) => setFollowing(github, false),
  ...keysOf('ssh', 'keys', 'key'),
  ...keysOf('gpg', 'gpg_keys', 'armored_public_key'),
}
