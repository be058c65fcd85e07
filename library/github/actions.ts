import { followJobs, startChecks } from './checks.ts'
import { commitNamed } from './compare.ts'
import { directoryOf } from './files.ts'
import {
  API,
  type Fields,
  GitHub,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  nodeId,
  type Operations,
  SITE,
  sorted,
  textOf,
  textsOf,
  without,
} from './github.ts'
import { isWithin } from './qualifiers.ts'
import type { Due } from './records.ts'
import { toFlow, toJob, toRun } from './show-checks.ts'
import { contentOf, filesOf } from './show-git.ts'
import { repoOf } from './show-repo.ts'
import { faultOfInputs, flowName, jobsOf, startsOn } from './workflows.ts'

const ACTIONS = '/repos/{owner}/{repo}/actions'
const FLOW = `${ACTIONS}/workflows/{workflow_id}`
const RUN = `${ACTIONS}/runs/{run_id}`
const QUEUED_S = 60
const RUNNING_S = 300
/** Ids of workflows follow from their repository; a job has the id of its check. */
const FLOWS_OF_REPO = 1_000

const sourceOf = (github: GitHub, { sha }: Fields): string =>
  Buffer.from(contentOf(github, sha), 'base64').toString('utf8')

const isDisabled = (repo: Fields, path: Json | undefined): boolean => idsOf(repo.disabled_flows).includes(path ?? null)

/** The workflows at a commit, each with its file. */
function flowsAt(github: GitHub, repo: Fields, commit: Fields | undefined): { flow: Fields; file: Fields }[] {
  const files = listOf(directoryOf(listOf(filesOf(github, commit?.tree_sha)), '.github/workflows', false))
  return files.map((file, at) => {
    const { path = null } = file
    const id = Number(repo.id) * FLOWS_OF_REPO + at + 1
    const flow: Fields = {
      ...{ id, node_id: nodeId('W_', path), name: flowName(sourceOf(github, file)) ?? path, path },
      state: isDisabled(repo, path) ? 'disabled_manually' : 'active',
      ...{ created_at: repo.created_at ?? null, updated_at: repo.updated_at ?? null },
      url: `${API}/repos/${repo.full_name}/actions/workflows/${id}`,
      html_url: `${SITE}/${repo.full_name}/blob/main/${path}`,
      badge_url: `${SITE}/${repo.full_name}/workflows/${file.name}/badge.svg`,
    }
    return { flow, file }
  })
}

/** The workflows at the `ref` of the body, or on the default branch. */
function flowsOf(github: GitHubRequest): {
  rev: string
  commit: Fields | undefined
  flows: ReturnType<typeof flowsAt>
} {
  const { repo, body } = github
  const rev = textOf(body.ref ?? repo.default_branch)
  const commit = commitNamed(github, repo, rev)
  return { rev, commit, flows: flowsAt(github, repo, commit) }
}

/** The workflow that the path names, by its id or its file. */
function flowOf(github: GitHubRequest): { rev: string; commit: Fields | undefined; flow: Fields; file: Fields } {
  const { rev, commit, flows } = flowsOf(github)
  if (github.body.ref != null && commit === undefined) github.refuse(422, `No ref found for: ${rev}`)
  const wanted = String(github.path.workflow_id)
  const found = flows.find(({ flow, file }) => file.name === wanted || String(flow.id) === wanted)
  return { rev, commit, ...(found ?? github.gone()) }
}

function tellRun(github: GitHub, run: Fields, action: string): void {
  const repo = repoOf(github, run)
  const shown = { workflow_run: toRun(github, run), workflow: toFlow(github, run) }
  github.happen(repo, `workflow_run.${action}`, { action, ...shown })
  const step = action === 'requested' ? 'queued' : action
  for (const workflow_job of jobsIn(github, run))
    github.happen(repo, `workflow_job.${step}`, { action: step, workflow_job })
}

interface Start {
  readonly flow: Fields
  readonly source: string
  readonly event: string
  readonly branch: string
  readonly sha: Json
  readonly inputs?: Fields
}

function startRun(github: GitHub, repo: Fields, { flow, source, event, branch, sha, inputs = {} }: Start): Fields {
  const { id: workflow_id = null, name = null, path = null } = flow
  const run_number = github.records.workflow_runs.count({ workflow_id }) + 1
  const made = github.create('workflow_runs', {
    ...{ repository_id: repo.id ?? null, workflow_id, name, path, run_number, event, inputs },
    ...{ head_branch: branch, head_sha: sha, actor_id: github.actorId, advance_due: github.later(QUEUED_S) },
  })
  const run = github.update('workflow_runs', made, { jobs: startChecks(github, made, jobsOf(source)) })
  tellRun(github, run, 'requested')
  return run
}

/** Starts the workflows that an event starts. */
export function startRuns(
  github: GitHub,
  repo: Fields,
  { workflows, event, branch, sha }: { workflows: readonly Fields[]; event: string; branch: string; sha: Json },
): void {
  const current = github.records.repos.get(repo.id as number) ?? repo
  for (const [at, file] of sorted(workflows, 'path').entries()) {
    const source = sourceOf(github, file)
    if (!startsOn(source, event, branch) || isDisabled(current, file.path)) continue
    const id = Number(repo.id) * FLOWS_OF_REPO + at + 1
    const flow = { id, name: flowName(source) ?? file.path ?? null, path: file.path ?? null }
    startRun(github, repo, { flow, source, event, branch, sha })
  }
}

/** https://docs.github.com/rest/actions/workflows#create-a-workflow-dispatch-event */
function dispatch(github: GitHubRequest): object {
  const { rev, commit, flow, file } = flowOf(github)
  const { repo, body } = github
  const { inputs = {} } = github.sent({ inputs: {} })
  const source = sourceOf(github, file)
  if (!source.includes('workflow_dispatch')) github.refuse(422, "Workflow does not have 'workflow_dispatch' trigger")
  if (flow.state === 'disabled_manually')
    github.refuse(422, "Cannot trigger a 'workflow_dispatch' on a disabled workflow")
  const fault = faultOfInputs(source, (inputs ?? {}) as Fields)
  if (fault !== '') github.refuse(422, fault)
  const branch = rev.replace('refs/heads/', '')
  const start = { flow, source, event: 'workflow_dispatch', branch, sha: commit?.sha ?? null }
  const run = startRun(github, repo, { ...start, inputs: (inputs ?? {}) as Fields })
  github.happen(repo, 'workflow_dispatch', {
    inputs: inputs ?? {},
    ref: `refs/heads/${branch}`,
    workflow: flow.path ?? null,
  })
  if (body.return_run_details !== true) return github.empty
  const at = `${repo.full_name}/actions/runs/${run.id}`
  return github.of.respond({
    status: 200,
    body: { workflow_run_id: run.id, run_url: `${API}/repos/${at}`, html_url: `${SITE}/${at}` },
  })
}

function setDisabled(github: GitHubRequest, isOff: boolean): object {
  const { flow } = flowOf(github)
  const others = textsOf(github.repo.disabled_flows).filter((path) => path !== flow.path)
  const disabled_flows = isOff ? [...others, flow.path ?? null] : others
  github.records.repos.update(github.repo.id as number, { disabled_flows })
  return github.empty
}

/** The runs that the query chooses, the newest first. */
function runsAsked(github: GitHubRequest, test: Fields): Fields[] {
  const { query, records } = github
  const { event, branch, actor, status, head_sha, created } = query
  const actorId = actor === undefined ? undefined : (github.accountNamed(actor)?.id ?? -1)
  const isIn = (value: Json | undefined, wanted: Json | undefined) => wanted === undefined || value === wanted
  const found = records.workflow_runs
    .where({ repository_id: github.repo.id ?? null, ...test })
    .filter(
      (run) =>
        isIn(run.event, event) &&
        isIn(run.head_branch, branch) &&
        isIn(run.actor_id, actorId) &&
        isIn(run.head_sha, head_sha) &&
        (created === undefined || isWithin(textOf(run.created_at), textOf(created))) &&
        (status === undefined || run.status === status || run.conclusion === status),
    )
  return sorted(found, 'id', true)
}

const listRuns = (github: GitHubRequest, test: Fields): object =>
  github.pageIn('workflow_runs', runsAsked(github, test), { show: (run) => toRun(github, run) })

const runOf = (github: GitHubRequest): Fields =>
  github.find('workflow_runs', Number(github.path.run_id), { repository_id: github.repo.id ?? null })

/** A run as it was in an attempt. */
function attemptOf(github: GitHubRequest): Fields {
  const run = runOf(github)
  const wanted = Number(github.path.attempt_number)
  return run.attempt === wanted ? run : (listOf(run.earlier).find(({ attempt }) => attempt === wanted) ?? github.gone())
}

function setRun(github: GitHub, before: Fields, action: string, fields: Fields): void {
  const run = github.update('workflow_runs', before, fields)
  if (action !== 'requested') followJobs(github, run)
  tellRun(github, run, action)
}

function cancel(github: GitHubRequest): object {
  const run = runOf(github)
  if (run.status === 'completed') github.refuse(409, 'Cannot cancel a workflow run that is completed.')
  setRun(github, run, 'completed', { status: 'completed', conclusion: 'cancelled', advance_due: null })
  return github.of.respond({ status: 202, body: {} })
}

function rerun(github: GitHubRequest): object {
  const run = runOf(github)
  if (run.status !== 'completed') github.refuse(403, 'This workflow is already running')
  setRun(github, run, 'requested', {
    jobs: startChecks(github, run, listOf(run.jobs)),
    ...{ status: 'queued', conclusion: null, started_at: github.time, attempt: Number(run.attempt) + 1 },
    ...{ earlier: [...listOf(run.earlier), without(run, 'earlier')], advance_due: github.later(QUEUED_S) },
  })
  return github.created({})
}

/** A run begins, and then succeeds. */
export function advanceRun(due: Due): void {
  const github = new GitHub(due, due.records.users.find({ me: true }))
  const run = due.record
  if (run.status === 'queued')
    setRun(github, run, 'in_progress', { status: 'in_progress', advance_due: github.later(RUNNING_S) })
  if (run.status === 'in_progress')
    setRun(github, run, 'completed', { status: 'completed', conclusion: 'success', advance_due: null })
}

/** The jobs of a run. */
const jobsIn = (github: GitHub, run: Fields): Fields[] => listOf(run.jobs).map((job) => toJob(github, run, job))

const listJobs = (github: GitHubRequest, run: Fields): object =>
  github.pageIn('jobs', jobsIn(github, run), { show: (job) => job })

function jobOf(github: GitHubRequest): Fields {
  const id = Number(github.path.job_id)
  const { run_id = null } = github.find('check_runs', id, { repository_id: github.repo.id ?? null })
  const run = github.find('workflow_runs', run_id as number, {})
  const attempts = [run, ...listOf(run.earlier)].flatMap((attempt) => jobsIn(github, attempt))
  return attempts.find((job) => job.id === id) ?? github.gone()
}

function removeRun(github: GitHubRequest): object {
  const run = runOf(github)
  if (run.status !== 'completed') github.refuse(403, 'Cannot delete a workflow run that is not completed.')
  github.records.workflow_runs.remove(run.id as number)
  return github.empty
}

/** No step of a workflow leaves a file. */
const listArtifacts = (github: GitHubRequest): object => github.pageIn('artifacts', [], { show: (one) => one })

export const actions: Operations = {
  [`GET ${ACTIONS}/workflows`]: (github) => {
    const flows = flowsOf(github).flows.map(({ flow }) => flow)
    return github.pageIn('workflows', flows, { show: (flow) => flow })
  },
  [`GET ${FLOW}`]: (github) => flowOf(github).flow,
  [`POST ${FLOW}/dispatches`]: dispatch,
  [`PUT ${FLOW}/enable`]: (github) => setDisabled(github, false),
  [`PUT ${FLOW}/disable`]: (github) => setDisabled(github, true),
  [`GET ${FLOW}/runs`]: (github) => listRuns(github, { workflow_id: flowOf(github).flow.id ?? null }),
  [`GET ${ACTIONS}/runs`]: (github) => listRuns(github, {}),
  [`GET ${RUN}`]: (github) => toRun(github, runOf(github)),
  [`GET ${RUN}/attempts/{attempt_number}`]: (github) => toRun(github, attemptOf(github)),
  [`DELETE ${RUN}`]: removeRun,
  [`GET ${RUN}/jobs`]: (github) => listJobs(github, runOf(github)),
  [`GET ${RUN}/attempts/{attempt_number}/jobs`]: (github) => listJobs(github, attemptOf(github)),
  [`GET ${ACTIONS}/jobs/{job_id}`]: jobOf,
  [`GET ${RUN}/logs`]: (github) => {
    const Location = `${SITE}/${github.repo.full_name}/actions/runs/${runOf(github).id}/logs`
    return github.of.respond({ status: 302, headers: { Location } })
  },
  [`GET ${ACTIONS}/artifacts`]: (github) => (github.repo ? listArtifacts(github) : github.gone()),
  [`GET ${RUN}/artifacts`]: (github) => (runOf(github) ? listArtifacts(github) : github.gone()),
  [`POST ${RUN}/cancel`]: cancel,
  [`POST ${RUN}/force-cancel`]: cancel,
  [`POST ${RUN}/rerun`]: rerun,
  [`POST ${RUN}/rerun-failed-jobs`]: rerun,
}
