import { type Fields, fieldsOf, type GitHubRequest, idsOf, type Json, type Operations, textsOf } from './github.ts'
import { tellPush, tipOf } from './push.ts'
import { toAccount, toPerson } from './show-accounts.ts'
import { toPushedCommit } from './show-git.ts'
import { toHook, toRepo } from './show-repo.ts'

const SECRET_LENGTH = 40
const HOOK = { active: true, events: [], config: {} }

/** Whose hooks they are: a repository's, or an organization's. */
interface Owner {
  /** Fields of its hooks. */
  readonly of: Fields
  /** The part of a ping. */
  readonly subject: Fields
}

const repoOwner = (github: GitHubRequest): Owner => ({
  of: { repository_id: github.repo.id ?? null },
  subject: { repository: toRepo(github, github.repo) },
})

const orgOwner = (github: GitHubRequest): Owner => ({
  of: { repository_id: null, org_id: github.organization.id ?? null },
  subject: { organization: toAccount(github.organization) },
})

function ping(github: GitHubRequest, hook: Fields, { of, subject }: Owner): void {
  const { records, time, me } = github
  const shown = { hook_id: hook.id ?? null, hook: toHook(github, hook), ...subject, sender: toPerson(me) }
  records.happenings.create({
    ...{ ...of, repository_id: of.repository_id ?? 0, type: 'ping', hook_id: hook.id, created_at: time },
    payload: { zen: 'Keep it logically awesome.', ...shown },
  })
}

function create(github: GitHubRequest, owner: Owner): object {
  const { records, id, time } = github
  const { active = true, events = ['push'], config } = github.sent(HOOK)
  const { url, secret } = fieldsOf(config)
  if (!url) github.invalid({ resource: 'Hook', field: 'url', code: 'missing_field' })
  if (owner.of.org_id === undefined && records.hooks.some({ ...owner.of, 'config.url': url }))
    github.custom('Hook', 'Hook already exists on this repository')
  const hook = records.hooks.create({
    ...{ ...owner.of, active, events, config: { content_type: 'form', insecure_ssl: '0', ...fieldsOf(config) } },
    ...{ secret: secret ?? `${id()}${id()}`.slice(0, SECRET_LENGTH), created_at: time, updated_at: time },
  })
  if (active !== false) ping(github, hook, owner)
  return github.created(toHook(github, hook))
}

const setConfig = (github: GitHubRequest, hook: Fields, config: Json | undefined, others: Fields = {}): Fields =>
  github.update('hooks', hook, {
    ...{ ...others, config: { ...fieldsOf(hook.config), ...fieldsOf(config) } },
    secret: fieldsOf(config).secret ?? hook.secret ?? null,
  })

function change(github: GitHubRequest, hook: Fields): Fields {
  const sent = github.sent({ ...HOOK, add_events: [], remove_events: [] })
  const { active = hook.active ?? null, events, config, add_events, remove_events } = sent
  const all = new Set([...textsOf(events ?? hook.events), ...textsOf(add_events)])
  const left = [...all].filter((event) => !idsOf(remove_events).includes(event))
  return toHook(github, setConfig(github, hook, config, { active, events: left }))
}

/** The operations on hooks of repositories, or of organizations. */
function hooksOf(at: string, ownerOf: (github: GitHubRequest) => Owner): Operations {
  const one = `${at}/{hook_id}`
  const found = (github: GitHubRequest): Fields => github.find('hooks', Number(github.path.hook_id), ownerOf(github).of)
  return {
    [`GET ${at}`]: (github) =>
      github.page(github.records.hooks.where(ownerOf(github).of).toReversed(), (hook) => toHook(github, hook)),
    [`POST ${at}`]: (github) => create(github, ownerOf(github)),
    [`GET ${one}`]: (github) => toHook(github, found(github)),
    [`PATCH ${one}`]: (github) => change(github, found(github)),
    [`DELETE ${one}`]: (github) => {
      github.records.hooks.remove(found(github).id as number)
      return github.empty
    },
    [`POST ${one}/pings`]: (github) => {
      ping(github, found(github), ownerOf(github))
      return github.empty
    },
  }
}

const AT = '/repos/{owner}/{repo}/hooks'
const hookOfRepo = (github: GitHubRequest): Fields =>
  github.find('hooks', Number(github.path.hook_id), repoOwner(github).of)

export const hooks: Operations = {
  ...hooksOf(AT, repoOwner),
  ...hooksOf('/orgs/{org}/hooks', orgOwner),
  /** Sends the newest push again. */
  [`POST ${AT}/{hook_id}/tests`]: (github) => {
    hookOfRepo(github)
    const { repo } = github
    const tip = tipOf(github, repo, repo.default_branch)
    if (tip === undefined) return github.empty
    const { sha = null } = tip
    const ref = `refs/heads/${repo.default_branch}`
    tellPush(github, repo, { ref, before: sha, after: sha, head_commit: toPushedCommit(github, tip) })
    return github.empty
  },
  [`GET ${AT}/{hook_id}/config`]: (github) => toHook(github, hookOfRepo(github)).config ?? null,
  [`PATCH ${AT}/{hook_id}/config`]: (github) =>
    toHook(github, setConfig(github, hookOfRepo(github), github.body)).config ?? null,
}
