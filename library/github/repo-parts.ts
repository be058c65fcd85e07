import { type Fields, type GitHubRequest, type Json, listOf, type Operations, textOf } from './github.ts'
import { personOf } from './show-accounts.ts'
import { toDeployKey, toEnvironment } from './show-repo.ts'

const REPO = '/repos/{owner}/{repo}'
const ENVIRONMENT = `${REPO}/environments/{environment_name}`

const inRepo = ({ repo }: GitHubRequest): Fields => ({ repository_id: repo.id ?? null })

/** Keys of a repository for servers. https://docs.github.com/rest/deploy-keys/deploy-keys */
const keyOf = (github: GitHubRequest): Fields => github.find('deploy_keys', Number(github.path.key_id), inRepo(github))

/** Refuses what is no public key of OpenSSH. */
export function checkKey(github: GitHubRequest, key: Json): void {
  if (!/^\s*(?:ssh-|ecdsa-sha2-|sk-)\S+\s+\S/.test(textOf(key)))
    github.taken('PublicKey', 'key', 'key is invalid. You must supply a key in OpenSSH public key format')
}

function createKey(github: GitHubRequest): object {
  const { records, time } = github
  const { title, key = null, read_only } = github.sent({ title: '', key: '', read_only: true })
  const of = inRepo(github)
  checkKey(github, key)
  if (records.deploy_keys.some({ key })) github.taken('PublicKey', 'key', 'key is already in use')
  const fields = { ...of, title: title ?? '', key, read_only: read_only ?? false, created_at: time }
  return github.created(toDeployKey(github, records.deploy_keys.create(fields)))
}

const environmentOf = (github: GitHubRequest): Fields =>
  github.records.environments.find({ ...inRepo(github), name: github.path.environment_name }) ?? github.gone()

/** What a deployment to an environment waits for. https://docs.github.com/rest/deployments/environments */
function rulesOf(
  github: GitHubRequest,
  { wait_timer, reviewers, prevent_self_review, deployment_branch_policy }: Fields,
) {
  const people = listOf(reviewers).map(({ type = null, id }) => ({ type, reviewer: personOf(github, id) }))
  const review = { type: 'required_reviewers', prevent_self_review: prevent_self_review ?? false, reviewers: people }
  return [
    ...(Number(wait_timer) > 0 ? [{ id: 1, node_id: 'GA_1', type: 'wait_timer', wait_timer: wait_timer ?? 0 }] : []),
    ...(reviewers == null ? [] : [{ id: 2, node_id: 'GA_2', ...review }]),
    ...(deployment_branch_policy == null ? [] : [{ id: 3, node_id: 'GA_3', type: 'branch_policy' }]),
  ]
}

function putEnvironment(github: GitHubRequest): Fields {
  const of = { ...inRepo(github), name: github.path.environment_name ?? '' }
  const sent = github.sent({ wait_timer: 0, reviewers: [], prevent_self_review: true, deployment_branch_policy: {} })
  const fields = { rules: rulesOf(github, sent), deployment_branch_policy: sent.deployment_branch_policy ?? null }
  const existing = github.records.environments.find(of)
  return toEnvironment(
    existing ? github.update('environments', existing, fields) : github.create('environments', { ...of, ...fields }),
  )
}

export const repoParts: Operations = {
  [`GET ${REPO}/keys`]: (github) =>
    github.page(github.records.deploy_keys.where(inRepo(github)).toReversed(), (key) => toDeployKey(github, key)),
  [`POST ${REPO}/keys`]: createKey,
  [`GET ${REPO}/keys/{key_id}`]: (github) => toDeployKey(github, keyOf(github)),
  [`DELETE ${REPO}/keys/{key_id}`]: (github) => {
    github.records.deploy_keys.remove(keyOf(github).id as number)
    return github.empty
  },
  [`GET ${REPO}/environments`]: (github) => {
    const all = github.records.environments.where(inRepo(github)).toReversed()
    return github.pageIn('environments', all, { show: toEnvironment })
  },
  [`GET ${ENVIRONMENT}`]: (github) => toEnvironment(environmentOf(github)),
  [`PUT ${ENVIRONMENT}`]: putEnvironment,
  [`DELETE ${ENVIRONMENT}`]: (github) => {
    github.records.environments.remove(environmentOf(github).id as number)
    return github.empty
  },
}
