import { startRuns } from './actions.ts'
import { branchOf, compare, comparePull, patchesOf, toFile } from './compare.ts'
import {
  API,
  type Fields,
  type GitHub,
  type GitHubRequest,
  type Json,
  type Operations,
  sorted,
  textOf,
} from './github.ts'
import { close, freshIssue, makeIssue, reopen, tellIssue } from './issue-changes.ts'
import { editTexts, mayTriage } from './issues.ts'
import { commitsAhead, mergePull, mergeStateOf, toMergeablePull } from './merging.ts'
import { mergeInto, workflowsIn } from './push.ts'
import { freshPull, pullOf } from './reviews.ts'
import { commitOf, filesOf, toCommit } from './show-git.ts'
import { toListedPull, toPull } from './show-pull.ts'

const PULLS = '/repos/{owner}/{repo}/pulls'
const ONE = `${PULLS}/{pull_number}`
const RESOURCE = 'PullRequest'

/** A branch of a repository. */
interface Branch {
  readonly repo: Fields
  readonly name: string
  readonly sha: Json
}

/** A new pull request, or the one that an issue becomes. */
export function makePull(github: GitHub, head: Branch, base: Branch, fields: Fields, known?: Fields): Fields {
  const { records } = github
  const { draft = false, maintainer_can_modify = false, ...texts } = fields
  const { repo } = base
  const issue = known
    ? github.update('issues', known, { is_pull: true })
    : makeIssue(github, repo, { ...texts, is_pull: true })
  const pull = records.pulls.create({
    ...{ repository_id: repo.id ?? null, issue_id: issue.id ?? null, number: issue.number ?? null },
    ...{ head_ref: head.name, head_sha: head.sha, head_repository_id: head.repo.id ?? null },
    ...{ base_ref: base.name, base_sha: base.sha, base_repository_id: repo.id ?? null, draft, maintainer_can_modify },
  })
  tellIssue(github, issue, 'opened')
  const workflows = workflowsIn(filesOf(github, commitOf(github, head.repo.id, head.sha)?.tree_sha))
  startRuns(github, repo, { workflows, event: 'pull_request', branch: head.name, sha: head.sha })
  return freshPull(github, pull)
}

/** The branch that the body names as `head`: of the repository, or of somebody's fork, as in `octocat:topic`. */
function headOf(github: GitHubRequest): Branch & { owner: Fields | undefined } {
  const { repo, records, body } = github
  const parts = textOf(body.head).split(':')
  const name = parts.at(-1) ?? ''
  const owner = parts.length > 1 ? github.accountNamed(parts[0]) : records.users.get(repo.owner_id as number)
  const isOwn = owner?.id === repo.owner_id
  const fork = isOwn ? repo : records.repos.find({ owner_id: owner?.id ?? -1, parent_id: repo.id ?? null })
  const ref = fork && branchOf(github, fork, name)
  if (fork === undefined || ref === undefined)
    return github.invalid({ resource: RESOURCE, field: 'head', code: 'invalid' })
  return { repo: fork, name, sha: ref.sha ?? null, owner }
}

function baseOf(github: GitHubRequest, name: string): Branch {
  const { repo } = github
  const { sha = null } =
    branchOf(github, repo, name) ?? github.invalid({ resource: RESOURCE, field: 'base', code: 'invalid' })
  return { repo, name, sha }
}

function create(github: GitHubRequest): object {
  const { repo, records, body } = github
  const head = headOf(github)
  const base = baseOf(github, textOf(body.base))
  if (!body.title && !body.issue) github.invalid({ resource: RESOURCE, field: 'title', code: 'missing_field' })
  const test = { repository_id: repo.id ?? null, head_ref: head.name, base_ref: base.name, merged: false }
  const same = records.pulls.where({ ...test, head_repository_id: head.repo.id ?? null })
  if (same.some(({ issue_id }) => records.issues.get(issue_id as number)?.state === 'open'))
    github.custom(RESOURCE, `A pull request already exists for ${head.owner?.login}:${head.name}.`)
  const sides = { base: commitOf(github, repo.id, base.sha), head: commitOf(github, head.repo.id, head.sha) }
  if (compare(github, repo, sides).ahead.length === 0)
    github.custom(RESOURCE, `No commits between ${base.name} and ${head.name}`)
  const { title, body: text = null, draft = false, maintainer_can_modify = false } = body
  const number = Number(body.issue)
  const issue = title ? undefined : records.issues.find({ repository_id: repo.id ?? null, number, is_pull: false })
  if (!title && issue === undefined) github.invalid({ resource: RESOURCE, field: 'issue', code: 'invalid' })
  const fields = { title: title ?? null, body: text, draft, maintainer_can_modify }
  return github.created(toPull(github, makePull(github, head, base, fields, issue)))
}

/** https://docs.github.com/rest/pulls/pulls#list-pull-requests */
function list(github: GitHubRequest): object {
  const { query, records, repo } = github
  const { state = 'open', head, base, sort = 'created' } = query
  const { direction = sort === 'created' ? 'desc' : 'asc' } = query
  const [user, name] =
    head === undefined ? [] : [textOf(head).split(':').slice(0, -1)[0], textOf(head).split(':').at(-1)]
  const owner = user === undefined ? undefined : (github.accountNamed(user)?.id ?? -1)
  const isFrom = (pull: Fields) =>
    owner === undefined || records.repos.get(pull.head_repository_id as number)?.owner_id === owner
  const found = records.pulls.where({ repository_id: repo.id ?? null }).flatMap((pull): Fields[] => {
    const issue = records.issues.get(pull.issue_id as number)
    const isAsked =
      (state === 'all' || issue?.state === state) &&
      (name === undefined || pull.head_ref === name) &&
      (base === undefined || pull.base_ref === base) &&
      isFrom(pull)
    const comments = sort === 'popularity' ? records.comments.count({ issue_id: pull.issue_id ?? null }) : 0
    const { created_at = null, updated_at = null } = issue ?? {}
    return isAsked ? [{ pull, number: pull.number ?? null, created_at, updated_at, comments }] : []
  })
  const by = { updated: 'updated_at', popularity: 'comments' }[textOf(sort)] ?? 'created_at'
  const isDescending = direction === 'desc'
  return github.page(sorted(sorted(found, 'number', isDescending), by, isDescending), ({ pull }) =>
    toListedPull(github, pull as Fields),
  )
}

function change(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const { records, body } = github
  const issue = freshIssue(github, { id: pull.issue_id ?? null })
  if (!mayTriage(github) && issue.user_id !== github.actorId)
    github.refuse(403, 'Must have admin rights to Repository.')
  const base = body.base ? baseOf(github, textOf(body.base)) : undefined
  if (body.state === 'open' && pull.merged === true)
    github.custom(RESOURCE, 'state cannot be changed. The pull request has been merged.')
  const { maintainer_can_modify = pull.maintainer_can_modify ?? false, draft } = body
  const { base_ref = null, base_sha = null } = pull
  const moved = base === undefined ? {} : { base_ref: base.name, base_sha: base.sha }
  records.pulls.update(pull.id as number, { maintainer_can_modify, ...moved })
  const isMoved = base !== undefined && base.name !== base_ref
  editTexts(github, issue, isMoved ? { base: { ref: { from: base_ref }, sha: { from: base_sha } } } : {})
  if (draft != null && draft !== pull.draft) {
    records.pulls.update(pull.id as number, { draft })
    tellIssue(github, issue, draft === true ? 'converted_to_draft' : 'ready_for_review')
  }
  if (body.state === 'closed' && issue.state === 'open') close(github, issue)
  if (body.state === 'open' && issue.state === 'closed') reopen(github, issue)
  return toMergeablePull(github, freshPull(github, pull))
}

/** https://docs.github.com/rest/pulls/pulls#merge-a-pull-request */
function merge(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const { repo, body } = github
  const state = mergeStateOf(github, pull)
  const { merge_method: method, commit_title: title, commit_message: message } = body
  const isClosed = freshIssue(github, { id: pull.issue_id ?? null }).state === 'closed'
  if (pull.merged === true || isClosed || state.clash !== null) github.refuse(405, 'Pull Request is not mergeable')
  if (pull.draft === true) github.refuse(405, 'Pull Request is still a draft')
  if ((method == null || method === 'merge') && repo.allow_merge_commit === false)
    github.refuse(405, 'Merge commits are not allowed on this repository.')
  if (method === 'squash' && repo.allow_squash_merge === false)
    github.refuse(405, 'Squash merges are not allowed on this repository.')
  if (method === 'rebase' && repo.allow_rebase_merge === false)
    github.refuse(405, 'Rebase merges are not allowed on this repository.')
  const { needed, approvals, missing } = state
  const reviews = needed === 1 ? 'approving review is' : 'approving reviews are'
  if (needed > approvals) github.refuse(405, `At least ${needed} ${reviews} required by reviewers with write access.`)
  if (missing.length > 0) github.refuse(405, `Required status check "${missing[0]}" is expected.`)
  if (body.sha && body.sha !== pull.head_sha)
    github.refuse(409, 'Head branch was modified. Review and try the merge again.')
  const { merge_commit_sha = null } = mergePull(github, pull, state, { method, title, message })
  return { sha: merge_commit_sha, merged: true, message: 'Pull Request successfully merged' }
}

function updateBranch(github: GitHubRequest): object {
  const pull = pullOf(github)
  const { repo, body } = github
  const { base, head, changed, clash } = comparePull(github, pull)
  const isStale = body.expected_head_sha && body.expected_head_sha !== pull.head_sha
  if (isStale) github.refuse(422, "expected head sha didn't match current head ref.")
  if (clash !== null) github.refuse(422, 'merge conflict between base and head')
  mergeInto(github, repo, {
    ...{ ref: `refs/heads/${pull.head_ref}`, base, changed, parents: [head?.sha ?? null, base?.sha ?? null] },
    message: `Merge branch '${pull.base_ref}' into ${pull.head_ref}`,
  })
  const url = `${API}/repos/${repo.full_name}/pulls/${pull.number}`
  return github.of.respond({ status: 202, body: { message: 'Updating pull request branch.', url } })
}

export const pulls: Operations = {
  [`GET ${PULLS}`]: list,
  [`POST ${PULLS}`]: create,
  [`GET ${ONE}`]: (github) => toMergeablePull(github, pullOf(github)),
  [`PATCH ${ONE}`]: change,
  [`GET ${ONE}/commits`]: (github) => {
    const pull = pullOf(github)
    return github.page(commitsAhead(github, pull, comparePull(github, pull)), (commit) => toCommit(github, commit))
  },
  [`GET ${ONE}/files`]: (github) => {
    const { changed, head } = comparePull(github, pullOf(github))
    return github.page(patchesOf(github, changed), (file) => toFile(github.repo, head, file))
  },
  [`GET ${ONE}/merge`]: (github) => github.isThere(pullOf(github).merged === true),
  [`PUT ${ONE}/merge`]: merge,
  [`PUT ${ONE}/update-branch`]: updateBranch,
}
