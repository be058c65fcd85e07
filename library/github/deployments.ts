import { latestStatuses } from './checks.ts'
import { commitNamed } from './compare.ts'
import { type Fields, type GitHubRequest, type Operations, sorted, textOf, textsOf, without } from './github.ts'
import { toDeployment, toDeploymentStatus } from './show-checks.ts'

const DEPLOYMENTS = '/repos/{owner}/{repo}/deployments'
const ONE = `${DEPLOYMENTS}/{deployment_id}`

const deploymentOf = (github: GitHubRequest): Fields =>
  github.find('deployments', github.path.deployment_id, { repository_id: github.repo.id ?? null })

function create(github: GitHubRequest): object {
  const { repo, records, body, actorId } = github
  const ref = textOf(body.ref)
  const commit = commitNamed(github, repo, ref) ?? github.refuse(422, `No ref found for: ${ref}`)
  const { required_contexts, task, payload, environment, description = null } = body
  const failed = latestStatuses(github, commit).some(
    ({ state, context }) =>
      state !== 'success' && (required_contexts == null || textsOf(required_contexts).includes(textOf(context))),
  )
  if (failed) github.refuse(409, `Conflict: Commit status checks failed for ${ref}.`)
  const name = environment ?? 'production'
  const repository_id = repo.id ?? null
  const deployment = github.create('deployments', {
    ...{ repository_id, sha: commit.sha ?? null, ref, task: task ?? 'deploy', payload: payload ?? {} },
    ...{ environment: name, description, transient_environment: body.transient_environment ?? false },
    ...{ production_environment: body.production_environment ?? name === 'production', creator_id: actorId },
  })
  if (!records.environments.some({ repository_id, name })) github.create('environments', { repository_id, name })
  const shown = toDeployment(github, deployment)
  const event = { action: 'created', deployment: shown, workflow: null, workflow_run: null }
  github.happen(repo, 'deployment.created', event)
  return github.created(shown)
}

function remove(github: GitHubRequest): object {
  const { id = null, environment = null, repository_id = null } = deploymentOf(github)
  const { deployments: all, deployment_statuses } = github.records
  const isActive = deployment_statuses.find({ deployment_id: id })?.state === 'success'
  if (isActive && all.where({ repository_id, environment }).some((one) => one.id !== id))
    github.refuse(422, 'We cannot delete an active deployment unless it is the only deployment in a given environment.')
  all.remove(id as number)
  return github.empty
}

/** Older deployments to an environment that is neither transient nor of production become inactive. */
function retire(github: GitHubRequest, { repository_id = null, id }: Fields, environment: string): void {
  const { deployments: all, deployment_statuses } = github.records
  const test = { repository_id, environment, transient_environment: false, production_environment: false }
  for (const older of all.where(test).toReversed()) {
    const last = older.id === id ? undefined : deployment_statuses.find({ deployment_id: older.id ?? null })
    if (last?.state === 'success') deployment_statuses.create({ ...without(last, 'id'), state: 'inactive' })
  }
}

function createStatus(github: GitHubRequest): object {
  const { repo, records, body, actorId, time } = github
  const deployment = deploymentOf(github)
  const { state = null, description, environment_url, log_url, target_url, environment } = body
  const name = textOf(environment ?? deployment.environment)
  const status = records.deployment_statuses.create({
    ...{ repository_id: repo.id ?? null, deployment_id: deployment.id ?? null, state, environment: name },
    ...{ description: description ?? '', environment_url: environment_url ?? '', log_url: log_url ?? target_url ?? '' },
    ...{ creator_id: actorId, created_at: time },
  })
  if (state === 'success' && body.auto_inactive !== false) retire(github, deployment, name)
  const shown = toDeploymentStatus(github, status)
  const event = { action: 'created', deployment_status: shown, deployment: toDeployment(github, deployment) }
  github.update('deployments', deployment, {})
  github.happen(repo, 'deployment_status.created', event)
  return github.created(shown)
}

export const deployments: Operations = {
  [`GET ${DEPLOYMENTS}`]: (github) => {
    const wanted = ['sha', 'ref', 'task', 'environment'].filter((name) => github.query[name] != null)
    const asked = Object.fromEntries(wanted.map((name) => [name, github.query[name] ?? null]))
    const found = github.records.deployments.where({ repository_id: github.repo.id ?? null, ...asked })
    return github.page(sorted(found, 'id', true), (one) => toDeployment(github, one))
  },
  [`POST ${DEPLOYMENTS}`]: create,
  [`GET ${ONE}`]: (github) => toDeployment(github, deploymentOf(github)),
  [`DELETE ${ONE}`]: remove,
  [`GET ${ONE}/statuses`]: (github) => {
    const found = github.records.deployment_statuses.where({ deployment_id: deploymentOf(github).id ?? null })
    return github.page(sorted(found, 'id', true), (one) => toDeploymentStatus(github, one))
  },
  [`POST ${ONE}/statuses`]: createStatus,
  [`GET ${ONE}/statuses/{status_id}`]: (github) => {
    const deployment_id = deploymentOf(github).id ?? null
    return toDeploymentStatus(github, github.find('deployment_statuses', github.path.status_id, { deployment_id }))
  },
}
