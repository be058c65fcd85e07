import { repoLinks } from './links.ts'
import { API, type Fields, fieldsOf, idsOf, type Json, nodeId, type Reader, SITE, sent } from './records.ts'
import { personOf } from './show-accounts.ts'

const SETTINGS =
  'private visibility description homepage fork default_branch archived disabled is_template has_issues has_projects has_wiki has_pages has_downloads has_discussions topics language license size web_commit_signoff_required created_at updated_at pushed_at'
const MERGING =
  'allow_squash_merge allow_merge_commit allow_rebase_merge allow_auto_merge allow_update_branch delete_branch_on_merge squash_merge_commit_title squash_merge_commit_message merge_commit_title merge_commit_message'

/** The repository that a record is of. */
export const repoOf = ({ records }: Reader, { repository_id }: Fields): Fields =>
  records.repos.get(repository_id as number) ?? {}

/** The name of the repository that a record is of. */
export const nameOf = (reader: Reader, record: Fields): Json => repoOf(reader, record).full_name ?? null

/** A repository as lists and events show it. */
export function toRepo(reader: Reader, repo: Fields): Fields {
  const { id = null, full_name = null } = repo
  const stars = idsOf(repo.stars).length
  const forks = reader.records.repos.count({ parent_id: id })
  const open = reader.records.issues.count({ repository_id: id, state: 'open' })
  return {
    ...{ id, node_id: nodeId('010:Repository', id), name: repo.name ?? null, full_name },
    owner: personOf(reader, repo.owner_id),
    ...{ html_url: `${SITE}/${full_name}`, url: `${API}/repos/${full_name}` },
    ...sent(repo, SETTINGS),
    ...repoLinks(full_name),
    ...{ git_url: `git://github.example/${full_name}.git`, ssh_url: `git@github.example:${full_name}.git` },
    ...{ clone_url: `${SITE}/${full_name}.git`, svn_url: `${SITE}/${full_name}`, mirror_url: null },
    ...{ stargazers_count: stars, watchers_count: stars, watchers: stars, forks_count: forks, forks },
    ...{ open_issues_count: open, open_issues: open, allow_forking: true },
    permissions: { admin: true, maintain: true, push: true, triage: true, pull: true },
  }
}

const OFF = { status: 'disabled' }

/** A repository as in the own answer. */
export function toWholeRepo(reader: Reader, repo: Fields): Fields {
  const parent = repo.fork === true ? reader.records.repos.get(repo.parent_id as number) : undefined
  const shown = parent && toRepo(reader, parent)
  const template = repo.template_id == null ? undefined : reader.records.repos.get(repo.template_id as number)
  const owner = personOf(reader, repo.owner_id)
  return {
    ...toRepo(reader, repo),
    ...{ subscribers_count: idsOf(repo.watchers).length, temp_clone_token: '' },
    network_count: reader.records.repos.count({ parent_id: repo.id ?? null }),
    security_and_analysis: {
      ...{ dependabot_security_updates: OFF, secret_scanning: OFF, secret_scanning_push_protection: OFF },
    },
    ...sent(repo, MERGING),
    ...(shown && { parent: shown, source: shown }),
    ...(template && { template_repository: toRepo(reader, template) }),
    ...(owner?.type === 'Organization' && { organization: owner }),
  }
}

/** A repository in the pull requests of checks. */
export const toShortRepo = ({ id = null, full_name, name = null }: Fields): Fields => ({
  ...{ id, url: `${API}/repos/${full_name}`, name },
})

/** What a permission lets do. */
export const rightsOf = (permission: Json | undefined): Fields => {
  const level = ['triage', 'push', 'maintain', 'admin'].indexOf(permission === 'write' ? 'push' : String(permission))
  return { pull: true, triage: level >= 0, push: level >= 1, maintain: level >= 2, admin: level >= 3 }
}

const ROLES: Readonly<Record<string, string>> = { push: 'write', pull: 'read' }
export const roleOf = (permission: Json | undefined): string => ROLES[String(permission)] ?? String(permission)

/** A collaborator who is still to accept. */
export function toInvitation(reader: Reader, one: Fields): Fields {
  const repo = repoOf(reader, one)
  const { id = null, created_at = null, permission } = one
  return {
    ...{ id, node_id: `RI_${id}`, repository: toRepo(reader, repo) },
    ...{ invitee: personOf(reader, one.user_id), inviter: personOf(reader, one.inviter_id) },
    ...{ permissions: roleOf(permission), created_at, expired: false },
    ...{ url: `${API}/user/repository_invitations/${id}`, html_url: `${SITE}/${repo.full_name}/invitations` },
  }
}

/** What a writer is to the repository of what is written. https://docs.github.com/graphql/reference/enums#commentauthorassociation */
export function associationOf(reader: Reader, record: Fields): string {
  const { repository_id = null, user_id = null } = record
  const repo = repoOf(reader, record)
  if (user_id === (repo.owner_id ?? null)) return 'OWNER'
  if (reader.records.collaborators.some({ repository_id, user_id, pending: false })) return 'COLLABORATOR'
  return reader.records.users.get(repo.owner_id as number)?.type === 'Organization' ? 'MEMBER' : 'NONE'
}

export function toDeployKey(reader: Reader, key: Fields): Fields {
  return {
    ...sent(key, 'id key title created_at read_only'),
    ...{ url: `${API}/repos/${nameOf(reader, key)}/keys/${key.id}`, verified: true, added_by: 'monalisa' },
    ...{ last_used: null, enabled: true },
  }
}

export const toEnvironment = (one: Fields): Fields => ({
  ...sent(one, 'id name created_at updated_at deployment_branch_policy'),
  ...{
    node_id: nodeId('EN_', one.id),
    url: `${API}/environments/${one.id}`,
    html_url: `${SITE}/environments/${one.id}`,
  },
  protection_rules: one.rules ?? null,
})

/** A hook, without its secret. */
export function toHook(reader: Reader, hook: Fields): Fields {
  const { secret, content_type = null, insecure_ssl = null, url = null } = fieldsOf(hook.config)
  const org = hook.org_id == null ? undefined : reader.records.users.get(hook.org_id as number)
  const at = `${API}/${org ? `orgs/${org.login}` : `repos/${nameOf(reader, hook)}`}/hooks/${hook.id}`
  return {
    ...{ type: org ? 'Organization' : 'Repository', name: 'web' },
    ...sent(hook, 'id active events created_at updated_at'),
    config: { content_type, insecure_ssl, url, ...(secret != null && secret !== '' && { secret: '********' }) },
    ...{
      url: at,
      ...(!org && { test_url: `${at}/test` }),
      ping_url: `${at}/pings`,
      deliveries_url: `${at}/deliveries`,
    },
    last_response: { code: null, status: 'unused', message: null },
  }
}

export const toSubscription = ({ created_at = null, full_name }: Fields): Fields => ({
  ...{ subscribed: true, ignored: false, reason: null, created_at },
  ...{ url: `${API}/repos/${full_name}/subscription`, repository_url: `${API}/repos/${full_name}` },
})

export const toThreadSubscription = ({
  id,
  subscribed = true,
  ignored = false,
  created_at = null,
  subscribed_at,
}: Fields): Fields => ({
  ...{ subscribed, ignored, reason: null, created_at: subscribed_at ?? created_at },
  ...{ url: `${API}/notifications/threads/${id}/subscription`, thread_url: `${API}/notifications/threads/${id}` },
})

/** A notification of a thread. */
export const toNotification = (reader: Reader, one: Fields): Fields => ({
  id: String(one.id),
  ...sent(one, 'unread reason updated_at last_read_at subject'),
  repository: toRepo(reader, repoOf(reader, one)),
  ...{ url: `${API}/notifications/threads/${one.id}` },
  subscription_url: `${API}/notifications/threads/${one.id}/subscription`,
})
