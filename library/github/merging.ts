import { branchOf, type Comparison, comparePull, lacking } from './compare.ts'
import { type Fields, fieldsOf, GitHub, type Json, listOf, textOf, textsOf, without } from './github.ts'
import { addEvent, close, freshIssue } from './issue-changes.ts'
import { closeMentioned, dropRef, mergeInto } from './push.ts'
import type { World } from './records.ts'
import { toPull } from './show-pull.ts'
import { repoOf } from './show-repo.ts'

const VERDICTS = ['APPROVED', 'CHANGES_REQUESTED', 'DISMISSED']
const PASSING = ['success', 'neutral', 'skipped']

/** What a merge needs, and has. */
interface MergeState extends Comparison {
  /** The approvals that the base branch needs, and those there are: none while somebody wants changes. */
  readonly needed: number
  readonly approvals: number
  /** Names of required checks that have not passed. */
  readonly missing: string[]
  /** Whether a check has failed, or still runs. */
  readonly isUnstable: boolean
}

/** The newest record for each value of a field. @param newest records, the newest first */
const newestBy = (newest: readonly Fields[], field: string): Fields[] => [
  ...new Map(newest.toReversed().map((one) => [one[field], one])).values(),
]

/** https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches */
export function mergeStateOf(github: GitHub, pull: Fields): MergeState {
  const { reviews, statuses, check_runs } = github.records
  const branch = branchOf(github, repoOf(github, pull), pull.base_ref)
  const { required_status_checks, required_pull_request_reviews } =
    branch?.protected === true ? fieldsOf(branch.rules) : {}
  const verdicts = newestBy(
    reviews.where({ pull_id: pull.id ?? null }).filter(({ state }) => VERDICTS.includes(textOf(state))),
    'user_id',
  )
  const count = (wanted: string) => verdicts.filter(({ state }) => state === wanted).length
  const { head_sha = null } = pull
  const reports = newestBy(statuses.where({ sha: head_sha }), 'context').map(({ context, state }) => ({
    ...{ name: textOf(context), isPassing: state === 'success' },
  }))
  const runs = newestBy(check_runs.where({ head_sha }), 'name').map(({ name, conclusion }) => ({
    ...{ name: textOf(name), isPassing: PASSING.includes(textOf(conclusion)) },
  }))
  const results = [...reports, ...runs]
  const passed = results.filter(({ isPassing }) => isPassing).map(({ name }) => name)
  const { contexts, checks } = fieldsOf(required_status_checks)
  const required = [...textsOf(contexts), ...listOf(checks).map(({ context }) => textOf(context))]
  return {
    ...comparePull(github, pull),
    needed: Number(fieldsOf(required_pull_request_reviews).required_approving_review_count ?? 0),
    approvals: count('CHANGES_REQUESTED') > 0 ? 0 : count('APPROVED'),
    missing: lacking(required, passed),
    isUnstable: passed.length < results.length,
  }
}

/** A pull request of its own, with whether it can be merged. */
export function toMergeablePull(github: GitHub, pull: Fields): Fields {
  const shown = toPull(github, pull)
  if (pull.merged === true) return shown
  const { clash, needed, approvals, missing, isUnstable } = mergeStateOf(github, pull)
  if (clash !== null) return { ...shown, mergeable: false, mergeable_state: 'dirty', merge_commit_sha: null }
  if (pull.draft === true) return shown
  if (missing.length > 0 || needed > approvals) return { ...shown, mergeable_state: 'blocked' }
  return isUnstable ? { ...shown, mergeable_state: 'unstable' } : shown
}

/** Merges the pull requests that wait for this, and can be merged now. */
export function mergeReady(world: World): void {
  const { records } = world
  for (const { id: pullId } of records.pulls.where(({ auto_merge, merged }) => auto_merge != null && merged !== true)) {
    const pull = records.pulls.get(pullId as number) ?? {}
    const {
      enabled_by_id,
      merge_method: method,
      commit_title: title,
      commit_message: message,
    } = fieldsOf(pull.auto_merge)
    const github = new GitHub(world, records.users.get(enabled_by_id as number))
    const state = mergeStateOf(github, pull)
    const isOpen = records.issues.get(pull.issue_id as number)?.state === 'open' && pull.draft !== true
    if (isOpen && state.clash === null && state.needed <= state.approvals && state.missing.length === 0)
      mergePull(github, pull, state, { method, title, message })
  }
}

/** How to merge, as the body of a request says. */
export interface Merge {
  readonly method?: Json | undefined
  readonly title?: Json | undefined
  readonly message?: Json | undefined
}

/** The commits of the head, the oldest first. */
export const commitsAhead = ({ records }: GitHub, pull: Fields, { ahead }: Comparison): Fields[] => {
  const repository_id = pull.head_repository_id ?? null
  return ahead
    .flatMap((sha): Fields[] => {
      const commit = records.commits.find({ repository_id, sha })
      return commit ? [commit] : []
    })
    .toSorted((left, right) => Number(left.depth) - Number(right.depth))
}

/**
 * The message of a squash: by default the title of the pull request, or of its only commit, and the messages of its commits.
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges
 */
function squashMessage(repo: Fields, issue: Fields, commits: readonly Fields[], { title, message }: Merge): string {
  const { squash_merge_commit_title: titled, squash_merge_commit_message: worded } = repo
  const messages = commits.map((one) => textOf(one.message))
  const [first = '', ...rest] = messages.length === 1 && titled !== 'PR_TITLE' ? (messages[0] ?? '').split('\n') : []
  const many = messages.length > 1 ? messages.map((one) => `* ${one}`).join('\n\n') : rest.join('\n').trim()
  const body = worded === 'PR_BODY' ? textOf(issue.body) : worded === 'BLANK' ? '' : many
  const head = title ?? `${first || issue.title} (#${issue.number})`
  return `${head}\n\n${message ?? body}`.trim()
}

function messageOf(github: GitHub, pull: Fields, commits: readonly Fields[], merge: Merge): Json {
  const issue = freshIssue(github, { id: pull.issue_id ?? null })
  if (merge.method === 'squash') return squashMessage(repoOf(github, pull), issue, commits, merge)
  if (merge.method === 'rebase') return commits.at(-1)?.message ?? null
  const { repos, users } = github.records
  const owner = users.get(repos.get(pull.head_repository_id as number)?.owner_id as number)?.login
  const title = merge.title ?? `Merge pull request #${pull.number} from ${owner}/${pull.head_ref}`
  return `${title}\n\n${merge.message ?? issue.title}`
}

/** Merges a pull request, and closes it and the issues that it fixes. */
export function mergePull(github: GitHub, pull: Fields, comparison: Comparison, merge: Merge = {}): Fields {
  const { records, actorId, time } = github
  const repo = repoOf(github, pull)
  const { base, head, changed } = comparison
  const commits = commitsAhead(github, pull, comparison)
  for (const commit of commits)
    if (commit.repository_id !== repo.id)
      records.commits.create({ ...without(commit, 'id'), repository_id: repo.id ?? null })
  const isPlain = merge.method !== 'squash' && merge.method !== 'rebase'
  const { sha = null } = mergeInto(github, repo, {
    ...{ ref: `refs/heads/${pull.base_ref}`, base, changed, message: messageOf(github, pull, commits, merge) },
    parents: [base?.sha ?? null, ...(isPlain ? [head?.sha ?? null] : [])],
  })
  const merged = records.pulls.update(pull.id as number, {
    ...{ merged: true, merged_at: time, merged_by_id: actorId, merge_commit_sha: sha, base_sha: base?.sha ?? null },
  })
  const issue = freshIssue(github, { id: pull.issue_id ?? null })
  addEvent(github, issue, 'merged', { commit_id: sha })
  close(github, issue)
  if (pull.base_ref === repo.default_branch) closeMentioned(github, repo, `${issue.title}\n${issue.body ?? ''}`)
  const head_ref = `refs/heads/${pull.head_ref}`
  const ref = records.refs.find({ repository_id: pull.head_repository_id ?? null, ref: head_ref })
  if (repo.delete_branch_on_merge === true && ref !== undefined) dropRef(github, ref)
  return merged
}
