import { commitNamed } from './compare.ts'
import {
  type Fields,
  fieldsOf,
  type GitHub,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  type Operations,
  SITE,
  sorted,
  textOf,
} from './github.ts'
import { API } from './records.ts'
import { toCheckRun, toCheckSuite, toStatus } from './show-checks.ts'
import { branchName, commitOf, toCommit, toShortBranch } from './show-git.ts'
import { toListedPull } from './show-pull.ts'
import { repoOf, toRepo } from './show-repo.ts'

const REPO = '/repos/{owner}/{repo}'
const COMMIT = `${REPO}/commits/{ref}`
const RUN = `${REPO}/check-runs/{check_run_id}`
const SUITE = `${REPO}/check-suites/{check_suite_id}`

const commitOfPath = (github: GitHubRequest): Fields => {
  const { repo, path } = github
  const rev = textOf(path.ref)
  return commitNamed(github, repo, rev) ?? github.refuse(422, `No commit found for SHA: ${rev}`)
}

/** The commit with an id that the request names. */
const commitWith = (github: GitHubRequest, sha: Json | undefined): Fields =>
  commitOf(github, github.repo.id, sha) ?? github.refuse(422, `No commit found for SHA: ${sha}`)

/** The newest status of each context. */
export function latestStatuses({ records }: GitHub, { repository_id = null, sha = null }: Fields): Fields[] {
  const all = records.statuses.where({ repository_id, sha }).toReversed()
  return [...new Map(all.map((one) => [one.context, one])).values()]
}

function combinedStatus(github: GitHubRequest): object {
  const { repo } = github
  const commit = commitOfPath(github)
  const latest = latestStatuses(github, commit)
  const states = latest.map(({ state }) => state)
  const isBad = states.includes('failure') || states.includes('error')
  const isPending = states.length === 0 || states.includes('pending')
  const at = `${API}/repos/${repo.full_name}/commits/${commit.sha}`
  return github.pageIn('statuses', latest, {
    show: (one) => toStatus(github, one),
    fields: {
      ...{ state: isBad ? 'failure' : isPending ? 'pending' : 'success', sha: commit.sha ?? null },
      ...{ total_count: latest.length, repository: toRepo(github, repo), commit_url: at, url: `${at}/status` },
    },
  })
}

function createStatus(github: GitHubRequest): object {
  const { repo, records, body } = github
  const commit = commitWith(github, github.path.sha)
  const { id: repository_id = null } = repo
  const { state = null, target_url = null, description = null, context = 'default' } = body
  const fields = {
    repository_id,
    sha: commit.sha ?? null,
    state,
    target_url,
    description,
    context: context ?? 'default',
  }
  const made = github.create('statuses', { ...fields, creator_id: github.actorId })
  const branches = records.refs.where({ repository_id, sha: commit.sha ?? null }).toReversed()
  github.happen(repo, 'status', {
    ...{
      id: made.id ?? null,
      sha: commit.sha ?? null,
      name: repo.full_name ?? null,
      target_url,
      context: fields.context,
    },
    ...{ description, state, commit: toCommit(github, commit) },
    branches: branches
      .filter(({ ref }) => textOf(ref).startsWith('refs/heads/'))
      .map((branch) => toShortBranch(github, branch)),
    ...{ created_at: made.created_at ?? null, updated_at: made.updated_at ?? null },
  })
  return github.created(toStatus(github, made))
}

/** The suite of a commit, which is made where there is none. @param run_id of a workflow, whose suite is always new */
function suiteFor(github: GitHub, repo: Fields, sha: Json, run_id: Json = null): Fields {
  const { check_suites, refs } = github.records
  const repository_id = repo.id ?? null
  const known = run_id === null ? check_suites.find({ repository_id, head_sha: sha, run_id }) : undefined
  if (known !== undefined) return known
  const branch = refs.where({ repository_id, sha }).find(({ ref }) => textOf(ref).startsWith('refs/heads/'))
  const head_branch = branch === undefined ? null : branchName(branch.ref)
  return github.create('check_suites', { repository_id, head_sha: sha, head_branch, run_id, status: 'queued' })
}

const suiteOf = ({ records }: GitHub, { suite_id }: Fields): Fields =>
  records.check_suites.get(suite_id as number) ?? {}

const tellSuite = (github: GitHub, suite: Fields, action: string): void =>
  github.happen(repoOf(github, suite), `check_suite.${action}`, { action, check_suite: toCheckSuite(github, suite) })

function tellRun(github: GitHub, run: Fields, action: string): void {
  const check_suite = toCheckSuite(github, suiteOf(github, run))
  const check_run = { ...toCheckRun(github, run), check_suite }
  github.happen(repoOf(github, run), `check_run.${action}`, { action, check_run })
}

const BAD = ['failure', 'timed_out', 'cancelled', 'action_required']

/** Brings a suite to where its runs are: it completes with the last of them. */
function followRun(github: GitHub, run: Fields): void {
  const suite = suiteOf(github, run)
  const runs = github.records.check_runs.where({ suite_id: run.suite_id ?? null }).toReversed()
  if (runs.some(({ status }) => status !== 'completed')) {
    github.update('check_suites', suite, { status: 'in_progress', conclusion: null })
    return
  }
  const bad = runs.find(({ conclusion }) => BAD.includes(textOf(conclusion)))
  const conclusion = bad?.conclusion ?? 'success'
  tellSuite(github, github.update('check_suites', suite, { status: 'completed', conclusion }), 'completed')
}

/** A check for each job of a workflow's run. Returns the jobs with the ids of their checks. */
export function startChecks(github: GitHub, run: Fields, jobs: readonly Fields[]): Fields[] {
  const { id: run_id = null, repository_id = null, head_sha = null } = run
  const repo = repoOf(github, run)
  const suite = suiteFor(github, repo, head_sha, run_id)
  tellSuite(github, suite, 'requested')
  return jobs.map((job) => {
    const check = github.records.check_runs.create({
      ...{ repository_id, head_sha, run_id, suite_id: suite.id ?? null, name: job.name ?? null, status: 'queued' },
      started_at: github.time,
    })
    const details_url = `${SITE}/${repo.full_name}/actions/runs/${run_id}/job/${check.id}`
    tellRun(github, github.records.check_runs.update(check.id as number, { details_url }), 'created')
    return { ...job, id: check.id ?? null }
  })
}

/** Brings the checks of a workflow's jobs to where its run is. */
export function followJobs(github: GitHub, { jobs, status = null, conclusion = null }: Fields): void {
  const isDone = status === 'completed'
  const fields = { status, conclusion, ...(isDone ? { completed_at: github.time } : { started_at: github.time }) }
  const checks = listOf(jobs).map(({ id }) => github.records.check_runs.update(id as number, fields))
  if (isDone) for (const check of checks) tellRun(github, check, 'completed')
  const [first] = checks
  if (first !== undefined) followRun(github, first)
}

const lackConclusion = (github: GitHubRequest): never =>
  github.custom('CheckRun', 'conclusion is required when status is completed')

/** The times and the result of a run, as the body says. A conclusion completes it. */
const resultOf = ({ body, time }: GitHubRequest): Fields =>
  body.conclusion
    ? { status: 'completed', conclusion: body.conclusion, completed_at: body.completed_at ?? time }
    : { ...(body.status && { status: body.status }), ...(body.completed_at && { completed_at: body.completed_at }) }

/** Checks are made by apps alone: https://docs.github.com/rest/checks/runs#create-a-check-run */
function needApp(github: GitHubRequest): void {
  if (github.repo && !github.installed) github.refuse(403, 'You must authenticate via a GitHub App.')
}

function createRun(github: GitHubRequest): object {
  needApp(github)
  const { repo, records, body } = github
  const { sha = null } = commitWith(github, body.head_sha)
  if (body.status === 'completed' && !body.conclusion) lackConclusion(github)
  const { name = null, details_url = null, external_id = '', started_at = github.time } = body
  const run = records.check_runs.create({
    ...{ repository_id: repo.id ?? null, suite_id: suiteFor(github, repo, sha).id ?? null, name, head_sha: sha },
    ...{ details_url, external_id, status: 'queued', conclusion: null, completed_at: null, started_at },
    ...{ output: fieldsOf(body.output), ...resultOf(github) },
  })
  tellRun(github, run, 'created')
  if (run.status === 'completed') tellRun(github, run, 'completed')
  followRun(github, run)
  return github.created(toCheckRun(github, run))
}

const runOf = (github: GitHubRequest): Fields =>
  github.find('check_runs', github.path.check_run_id, { repository_id: github.repo.id ?? null })

function changeRun(github: GitHubRequest): Fields {
  needApp(github)
  const before = runOf(github)
  const { body, records } = github
  if (body.status === 'completed' && !body.conclusion && !before.conclusion) lackConclusion(github)
  const run = records.check_runs.update(before.id as number, {
    ...github.sent({ name: '', details_url: '', external_id: '', started_at: '' }),
    ...{ ...resultOf(github), output: { ...fieldsOf(before.output), ...fieldsOf(body.output) } },
  })
  if (run.status === 'completed' && before.status !== 'completed') tellRun(github, run, 'completed')
  followRun(github, run)
  return toCheckRun(github, run)
}

const suiteOfPath = (github: GitHubRequest): Fields =>
  github.find('check_suites', github.path.check_suite_id, { repository_id: github.repo.id ?? null })

/** A page of check runs: by default the newest of each name. */
function listRuns(github: GitHubRequest, test: Fields): object {
  const { check_name, filter, status } = github.query
  const repository_id = github.repo.id ?? null
  const named = check_name === undefined ? {} : { name: check_name }
  const found = github.records.check_runs.where({ repository_id, ...test, ...named }).toReversed()
  const latest = filter === 'all' ? found : [...new Map(found.map((run) => [run.name, run])).values()]
  const chosen = latest.filter((run) => status === undefined || run.status === status)
  return github.pageIn('check_runs', sorted(chosen, 'id', true), { show: (run) => toCheckRun(github, run) })
}

export const checks: Operations = {
  [`POST ${REPO}/statuses/{sha}`]: createStatus,
  [`GET ${COMMIT}/statuses`]: (github) => {
    const { repository_id = null, sha = null } = commitOfPath(github)
    return github.page(github.records.statuses.where({ repository_id, sha }), (one) => toStatus(github, one))
  },
  [`GET ${COMMIT}/status`]: combinedStatus,
  [`GET ${COMMIT}/pulls`]: (github) => {
    const { repository_id = null, sha = null } = commitOfPath(github)
    const { pulls } = github.records
    const heads = pulls.where({ repository_id, head_sha: sha }).toReversed()
    const merges = pulls.where({ repository_id, merge_commit_sha: sha }).toReversed()
    const known = idsOf(heads.map(({ id = null }) => id))
    const found = [...heads, ...merges.filter(({ id = null }) => !known.includes(id))]
    return github.page(found, (pull) => toListedPull(github, pull))
  },
  [`GET ${COMMIT}/check-runs`]: (github) => listRuns(github, { head_sha: commitOfPath(github).sha ?? null }),
  [`GET ${COMMIT}/check-suites`]: (github) => {
    const { repository_id = null, sha = null } = commitOfPath(github)
    const found = github.records.check_suites.where({ repository_id, head_sha: sha }).toReversed()
    return github.pageIn('check_suites', found, { show: (suite) => toCheckSuite(github, suite) })
  },
  [`POST ${REPO}/check-runs`]: createRun,
  [`GET ${RUN}`]: (github) => toCheckRun(github, runOf(github)),
  [`PATCH ${RUN}`]: changeRun,
  [`GET ${RUN}/annotations`]: (github) => {
    const { output, head_sha } = runOf(github)
    const none = { start_column: null, end_column: null, title: null, raw_details: null }
    const blob = `${SITE}/${github.repo.full_name}/blob/${head_sha}`
    return github.page(idsOf(fieldsOf(output).annotations).map(fieldsOf), (one) => ({
      ...{ ...none, ...one, blob_href: `${blob}/${one.path}` },
    }))
  },
  [`POST ${RUN}/rerequest`]: (github) => {
    const fields = { status: 'queued', conclusion: null, completed_at: null }
    const run = github.records.check_runs.update(runOf(github).id as number, fields)
    tellRun(github, run, 'rerequested')
    followRun(github, run)
    return github.created({})
  },
  [`POST ${REPO}/check-suites`]: (github) => {
    needApp(github)
    const { sha = null } = commitWith(github, github.body.head_sha)
    return github.created(toCheckSuite(github, suiteFor(github, github.repo, sha)))
  },
  [`GET ${SUITE}`]: (github) => toCheckSuite(github, suiteOfPath(github)),
  [`GET ${SUITE}/check-runs`]: (github) => {
    const { id = null, head_sha = null } = suiteOfPath(github)
    return listRuns(github, { head_sha, suite_id: id })
  },
  [`POST ${SUITE}/rerequest`]: (github) => {
    const suite = github.update('check_suites', suiteOfPath(github), { status: 'queued', conclusion: null })
    tellSuite(github, suite, 'rerequested')
    return github.created({})
  },
}
