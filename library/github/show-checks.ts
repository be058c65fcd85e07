import { API, type Fields, fieldsOf, idsOf, nodeId, type Reader, SITE, sent } from './records.ts'
import { personOf } from './show-accounts.ts'
import { toActionsApp, toApp } from './show-app.ts'
import { toHeadCommit } from './show-git.ts'
import { pullsOfHead } from './show-pull.ts'
import { nameOf, repoOf, toRepo } from './show-repo.ts'

export const toStatus = (reader: Reader, status: Fields): Fields => ({
  ...sent(status, 'id state description target_url context created_at updated_at'),
  url: `${API}/repos/${nameOf(reader, status)}/statuses/${status.sha}`,
  avatar_url: 'https://avatars.github.example/oa/1',
  ...{ node_id: nodeId('SC_', status.id), creator: personOf(reader, status.creator_id) },
})

const appOf = (reader: Reader, { run_id }: Fields): Fields => (run_id == null ? toApp(reader) : toActionsApp(reader))

export function toCheckRun(reader: Reader, run: Fields): Fields {
  const { id = null, details_url, suite_id = null } = run
  const repo = nameOf(reader, run)
  const url = `${API}/repos/${repo}/check-runs/${id}`
  const { title = null, summary = null, text = null, annotations } = fieldsOf(run.output)
  return {
    ...sent(run, 'id name head_sha external_id status conclusion started_at completed_at'),
    ...{ node_id: nodeId('CR_', id), url, html_url: `${SITE}/${repo}/runs/${id}` },
    details_url: details_url ?? `${SITE}/${repo}/runs/${id}`,
    output: {
      ...{ title, summary, text, annotations_count: idsOf(annotations).length },
      annotations_url: `${url}/annotations`,
    },
    ...{ check_suite: { id: suite_id }, app: appOf(reader, run), pull_requests: pullsOfHead(reader, run) },
  }
}

export function toCheckSuite(reader: Reader, suite: Fields): Fields {
  const { id = null, head_sha = null } = suite
  const url = `${API}/repos/${nameOf(reader, suite)}/check-suites/${id}`
  return {
    ...sent(suite, 'id head_branch head_sha status conclusion created_at updated_at'),
    ...{ node_id: nodeId('CS_', id), url, after: head_sha, head_commit: toHeadCommit(reader, suite) },
    before: idsOf(reader.records.commits.find({ sha: head_sha })?.parents)[0] ?? null,
    ...{ pull_requests: pullsOfHead(reader, suite), app: appOf(reader, suite) },
    latest_check_runs_count: reader.records.check_runs.count({ suite_id: id }),
    check_runs_url: `${url}/check-runs`,
  }
}

export function toDeployment(reader: Reader, deployment: Fields): Fields {
  const { id = null, environment = null } = deployment
  const repository_url = `${API}/repos/${nameOf(reader, deployment)}`
  const url = `${repository_url}/deployments/${id}`
  return {
    ...sent(deployment, 'id sha ref task payload description created_at updated_at transient_environment'),
    ...sent(deployment, 'production_environment'),
    ...{ url, node_id: nodeId('DE_', id), original_environment: environment, environment },
    ...{ creator: personOf(reader, deployment.creator_id), statuses_url: `${url}/statuses`, repository_url },
  }
}

export function toDeploymentStatus(reader: Reader, status: Fields): Fields {
  const { id = null, created_at = null, log_url = null } = status
  const repository_url = `${API}/repos/${nameOf(reader, status)}`
  const deployment_url = `${repository_url}/deployments/${status.deployment_id}`
  return {
    ...sent(status, 'id state description environment environment_url'),
    ...{ url: `${deployment_url}/statuses/${id}`, node_id: nodeId('DES_', id), log_url, target_url: log_url },
    ...{ created_at, updated_at: created_at, creator: personOf(reader, status.creator_id), deployment_url },
    repository_url,
  }
}

/** The workflow of a run. */
export function toFlow(reader: Reader, run: Fields): Fields {
  const { workflow_id = null, name = null, path = null, created_at = null } = run
  const repo = nameOf(reader, run)
  return {
    ...{ id: workflow_id, name, path, state: 'active', node_id: nodeId('W_', workflow_id) },
    ...{ created_at, updated_at: created_at, url: `${API}/repos/${repo}/actions/workflows/${workflow_id}` },
    ...{ html_url: `${SITE}/${repo}/blob/main/${path}`, badge_url: `${SITE}/${repo}/workflows/${name}/badge.svg` },
  }
}

/** What a run shows as its title: that of its pull request, or the first line of its commit. */
function titleOf({ records }: Reader, { event, head_sha = null, name = null }: Fields) {
  const pull = event === 'pull_request' ? records.pulls.find({ head_sha }) : undefined
  const commit = event === 'push' ? records.commits.find({ sha: head_sha }) : undefined
  const line = commit && String(commit.message).split('\n')[0]
  return (pull && records.issues.get(pull.issue_id as number)?.title) ?? (line || name)
}

export function toRun(reader: Reader, run: Fields): Fields {
  const { id = null, attempt = null, created_at = null, workflow_id } = run
  const repo = nameOf(reader, run)
  const check_suite_id = reader.records.check_suites.find({ run_id: id })?.id ?? null
  const actions = `${API}/repos/${repo}/actions`
  const url = `${actions}/runs/${id}`
  const repository = toRepo(reader, repoOf(reader, run))
  const actor = personOf(reader, run.actor_id)
  return {
    ...sent(run, 'id name head_branch head_sha path run_number event status conclusion workflow_id'),
    ...sent(run, 'created_at updated_at'),
    ...{ display_title: titleOf(reader, run), run_attempt: attempt, node_id: nodeId('WFR_', id), check_suite_id },
    ...{ url, html_url: `${SITE}/${repo}/actions/runs/${id}`, jobs_url: `${url}/jobs`, logs_url: `${url}/logs` },
    ...{ artifacts_url: `${url}/artifacts`, cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun` },
    ...{ workflow_url: `${actions}/workflows/${workflow_id}`, head_commit: toHeadCommit(reader, run) },
    ...{ repository, head_repository: repository, pull_requests: pullsOfHead(reader, run), referenced_workflows: [] },
    ...{ actor, triggering_actor: actor, run_started_at: run.started_at ?? created_at },
    check_suite_url: `${API}/repos/${repo}/check-suites/${check_suite_id}`,
    previous_attempt_url: Number(attempt) > 1 ? `${url}/attempts/${Number(attempt) - 1}` : null,
  }
}

/** A job of a run. @param job its name and steps; a run without jobs has one with its own id */
export function toJob(reader: Reader, run: Fields, job: Fields = {}): Fields {
  const { id: run_id = null, status = null, conclusion = null, created_at = null, updated_at = null } = run
  const job_id = job.id ?? run_id
  const repo = nameOf(reader, run)
  const completed_at = status === 'completed' ? updated_at : null
  const times = { status, conclusion, started_at: created_at, completed_at }
  const steps = Array.isArray(job.steps) ? job.steps : ['Run']
  return {
    ...{ id: job_id, run_id, workflow_name: run.name ?? null, ...sent(run, 'head_branch head_sha') },
    ...{ run_attempt: run.attempt ?? null, name: job.name ?? 'build', created_at, ...times },
    steps: steps.map((name, at) => ({ name, number: at + 1, ...times })),
    ...{ labels: ['ubuntu-latest'], node_id: nodeId('CR_', job_id) },
    run_url: `${API}/repos/${repo}/actions/runs/${run_id}`,
    html_url: `${SITE}/${repo}/actions/runs/${run_id}/job/${job_id}`,
    check_run_url: `${API}/repos/${repo}/check-runs/${job_id}`,
    ...{ runner_id: 1, runner_name: 'Hosted', runner_group_id: 1, runner_group_name: 'Hosted' },
    url: `${API}/repos/${repo}/actions/jobs/${job_id}`,
  }
}
