import { branchOf, comparePull } from './compare.ts'
import { type Fields, GitHub, idsOf } from './github.ts'
import { freshIssue, labelIdsOf, makeIssue, sayLabels, tellIssue } from './issue-changes.ts'
import { mergePull } from './merging.ts'
import { makePull } from './pulls.ts'
import { dropRef, writeFiles } from './push.ts'
import type { Due } from './records.ts'
import { below, freshPull, submit } from './reviews.ts'

const HOUR_S = 3_600
const DAY_S = 86_400
const BRANCH = 'exclamation'
const TITLE = 'Greet with an exclamation mark'

const asOctocat = (due: Due): GitHub => new GitHub(due, due.records.users.find({ key: 'octocat' }))

function approve(github: GitHub, pull: Fields): void {
  const fields = { body: 'Looks good to me.', state: 'APPROVED', commit_id: pull.head_sha ?? null }
  submit(github, pull, github.records.reviews.create({ ...below(github, pull), ...fields, submitted_at: github.time }))
}

/** octocat approves what he is asked to review. */
export function reviewPull(due: Due): void {
  const github = asOctocat(due)
  const pull = github.records.pulls.update(due.record.id as number, { review_due: null })
  const isOpen = freshIssue(github, { id: pull.issue_id ?? null }).state === 'open'
  if (isOpen && pull.merged !== true && idsOf(pull.reviewer_ids).includes(github.actorId)) approve(github, pull)
}

function openIssue(github: GitHub, repo: Fields): void {
  const label_ids = labelIdsOf(github, repo, ['bug'])
  const texts = { title: 'The greeting has no exclamation mark', body: 'A greeting without one sounds sad.' }
  const issue = makeIssue(github, repo, { ...texts, label_ids })
  tellIssue(github, issue, 'opened')
  sayLabels(github, issue, 'labeled', label_ids)
}

function openPull(github: GitHub, repo: Fields): void {
  const { refs } = github.records
  const base = branchOf(github, repo, repo.default_branch)
  const { id: repository_id = null, default_branch } = repo
  refs.create({ repository_id, ref: `refs/heads/${BRANCH}`, sha: base?.sha ?? null })
  const content = Buffer.from('Hello, World!\n').toString('base64')
  const commit = writeFiles(github, repo, {
    ...{ ref: `refs/heads/${BRANCH}`, message: TITLE, writes: [{ path: 'README.md', content }] },
  })
  makePull(
    github,
    { repo, name: BRANCH, sha: commit.sha ?? null },
    { repo, name: String(default_branch), sha: base?.sha ?? null },
    { title: TITLE, body: `Fixes #${repo.last_number}` },
  )
}

function finish(github: GitHub, repo: Fields): void {
  const { pulls } = github.records
  const pull = pulls.find({ repository_id: repo.id ?? null, head_ref: BRANCH, merged: false })
  if (pull === undefined || freshIssue(github, { id: pull.issue_id ?? null }).state !== 'open') return
  approve(github, pull)
  const comparison = comparePull(github, pull)
  if (comparison.clash !== null) return
  mergePull(github, freshPull(github, pull), comparison)
  const ref = branchOf(github, repo, BRANCH)
  if (ref !== undefined) dropRef(github, ref)
}

/** octocat works in his own repository: he opens an issue, a day later a pull request that fixes it, which he then merges. */
export function live(due: Due): void {
  const github = asOctocat(due)
  const turn = Number(due.record.story)
  const wait = [DAY_S, HOUR_S][turn]
  const story_due = wait === undefined ? null : github.later(wait)
  const repo = github.records.repos.update(due.record.id as number, { story: turn + 1, story_due })
  const act = [openIssue, openPull, finish][turn]
  act?.(github, repo)
}
