import { checkAuthor, sortedComments } from './comments.ts'
import { comparePull, lacking, patchesOf } from './compare.ts'
import { placed } from './files.ts'
import {
  type Fields,
  type GitHub,
  type GitHubRequest,
  idsOf,
  type Json,
  listOf,
  type Operations,
  textOf,
  without,
} from './github.ts'
import { addEvent, changedSince, freshIssue, recordsOf, tellIssue } from './issue-changes.ts'
import { personOf, toTeam } from './show-accounts.ts'
import { toHookReview, toListedPull, toReview, toReviewComment } from './show-pull.ts'
import { repoOf } from './show-repo.ts'

const PULLS = '/repos/{owner}/{repo}/pulls'
const PULL = `${PULLS}/{pull_number}`
const REVIEW = `${PULL}/reviews/{review_id}`
const COMMENT = `${PULLS}/comments/{comment_id}`

/** The state of a review by what its writer does. */
const STATES: Readonly<Record<string, string>> = {
  ...{ APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' },
}
const stateOf = (event: Json | undefined): string => STATES[textOf(event)] ?? 'PENDING'

export const pullOf = (github: GitHubRequest): Fields =>
  github.records.pulls.find({ repository_id: github.repo.id ?? null, number: Number(github.path.pull_number) }) ??
  github.gone()

export const freshPull = ({ records }: GitHub, { id }: Fields): Fields => records.pulls.get(id as number) ?? {}

const reviewOf = (github: GitHubRequest, pull: Fields): Fields => {
  const review = github.find('reviews', github.path.review_id, { pull_id: pull.id ?? null })
  return review.state === 'PENDING' && review.user_id !== github.actorId ? github.gone() : review
}

const happen = (github: GitHub, pull: Fields, action: string, review: Fields, extra: Fields = {}): void => {
  const shown = { review: toHookReview(github, review), pull_request: toListedPull(github, freshPull(github, pull)) }
  github.happen(repoOf(github, pull), `pull_request_review.${action}`, { action, ...shown, ...extra })
}

/** Sends a review in: nobody waits for its writer any more. */
export function submit(github: GitHub, pull: Fields, review: Fields): void {
  const { records, actorId } = github
  const { reviewer_ids, team_ids } = freshPull(github, pull)
  const isMember = ({ member_ids, maintainer_ids }: Fields) =>
    [...idsOf(member_ids), ...idsOf(maintainer_ids)].includes(actorId)
  const left = idsOf(team_ids).filter((id) => !isMember(records.teams.get(id as number) ?? {}))
  records.pulls.update(pull.id as number, { reviewer_ids: lacking(idsOf(reviewer_ids), [actorId]), team_ids: left })
  const issue = freshIssue(github, { id: pull.issue_id ?? null })
  github.update('issues', issue, {})
  addEvent(github, issue, 'reviewed', { note_id: review.id ?? null })
  happen(github, pull, 'submitted', review)
}

/** The fields of a review, or of a comment, that say where it belongs. */
export const below = (github: GitHub, { id = null, number = null, repository_id = null }: Fields): Fields => ({
  ...{ repository_id, pull_id: id, pull_number: number, user_id: github.actorId },
})

const tellComment = (github: GitHub, comment: Fields, action: string, extra: Fields = {}): Fields => {
  const shown = toReviewComment(github, comment)
  const pull_request = toListedPull(github, freshPull(github, { id: comment.pull_id ?? null }))
  const type = `pull_request_review_comment.${action}`
  github.happen(repoOf(github, comment), type, { action, comment: shown, pull_request, ...extra })
  return shown
}

/** A comment on a line of a change. */
function makeComment(github: GitHubRequest, pull: Fields, sent: Fields, at: Fields): Fields {
  const {
    path = null,
    body = null,
    start_line = null,
    side = 'RIGHT',
    subject_type = 'line',
    in_reply_to = null,
  } = sent
  const { position = null, line = null, side: shownSide = null, diff_hunk = null } = at
  return github.create('review_comments', {
    ...{ ...below(github, pull), path, position, line, side: shownSide, start_line },
    start_side: sent.start_side ?? (start_line === null ? null : (side ?? 'RIGHT')),
    ...{ subject_type, body, diff_hunk, review_id: at.review_id ?? null, in_reply_to_id: in_reply_to },
    commit_id: at.commit_id ?? null,
  })
}

const filesOf = (github: GitHub, pull: Fields): Fields[] => patchesOf(github, comparePull(github, pull).changed)

function createReview(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const { records, body, actorId } = github
  const { event, commit_id = pull.head_sha } = body
  const refuse = (text: string) => github.refuse(422, 'Unprocessable Entity', [text])
  if (records.reviews.some({ pull_id: pull.id ?? null, state: 'PENDING', user_id: actorId }))
    github.of.refuse(422, { code: 'pending_review' })
  const isOwn = records.issues.get(pull.issue_id as number)?.user_id === actorId
  if (isOwn && event === 'APPROVE') refuse('Can not approve your own pull request')
  if (isOwn && event === 'REQUEST_CHANGES') refuse('Can not request changes on your own pull request')
  const comments = listOf(body.comments)
  const isEmpty = !body.body && comments.length === 0
  if (isEmpty && (event === 'REQUEST_CHANGES' || event === 'COMMENT')) github.refuse(422, 'Unprocessable Entity')
  const files = comments.length === 0 ? [] : filesOf(github, pull)
  const places = comments.map((comment) => placed({ comment, files }))
  if (comments.some(({ path }) => !files.some((file) => file.path === path))) refuse('Path could not be resolved')
  if (places.some(({ isOutside }) => isOutside === true)) refuse('Line could not be resolved')
  const submitted_at = event ? github.time : null
  const fields = { body: body.body ?? '', state: stateOf(event), commit_id: commit_id ?? null, submitted_at }
  const review = records.reviews.create({ ...below(github, pull), ...fields })
  for (const [index, sent] of comments.entries()) {
    const at = { ...places[index], review_id: review.id ?? null, commit_id: commit_id ?? null }
    const comment = makeComment(github, pull, sent, at)
    if (event) tellComment(github, comment, 'created')
  }
  if (event) submit(github, pull, review)
  return toReview(github, review)
}

function submitPending(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const before = reviewOf(github, pull)
  if (before.state !== 'PENDING') github.refuse(422, 'Can not submit a review that is not pending')
  const { body = before.body ?? null, event } = github.body
  const fields = { state: stateOf(event), body, submitted_at: github.time }
  const review = github.records.reviews.update(before.id as number, fields)
  submit(github, pull, review)
  return toReview(github, review)
}

function dismiss(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const before = reviewOf(github, pull)
  const state = textOf(before.state).toLowerCase()
  if (state !== 'approved' && state !== 'changes_requested')
    github.refuse(422, 'Unprocessable Entity', [`Can not dismiss a ${state} pull request review`])
  const review = github.records.reviews.update(before.id as number, { state: 'DISMISSED' })
  addEvent(github, freshIssue(github, { id: pull.issue_id ?? null }), 'review_dismissed', {
    dismissed_review: { state, review_id: review.id ?? null, dismissal_message: github.body.message ?? null },
  })
  happen(github, pull, 'dismissed', review)
  return toReview(github, review)
}

/** What is asked of reviewers: the ids of people and of teams whom the body names; null for one who is not there. */
function reviewersOfBody(github: GitHubRequest): { people: Json[]; teams: Json[] } {
  const { records, repo, body } = github
  const named = (names: Json | undefined, find: (name: string) => Fields | undefined): Json[] => [
    ...new Set(idsOf(names).map((name) => find(textOf(name).toLowerCase())?.id ?? null)),
  ]
  const org_id = repo.owner_id ?? null
  return {
    people: named(body.reviewers, (name) => github.accountNamed(name)),
    teams: named(body.team_reviewers, (slug) => records.teams.find({ org_id, slug })),
  }
}

const tellReviewers = (github: GitHub, pull: Fields, action: string, people: Json[], teams: Json[]): void => {
  const issue = freshIssue(github, { id: pull.issue_id ?? null })
  const all = [
    ...people.map((id) => ({ requested_reviewer: personOf(github, id) })),
    ...teams.map((id) => ({ requested_team: toTeam(github, github.records.teams.get(id as number) ?? {}) })),
  ]
  for (const one of all) {
    addEvent(github, issue, action, one)
    tellIssue(github, issue, action, one)
  }
}

const HOUR_S = 3_600

function requestReviewers(github: GitHubRequest): object {
  const pull = pullOf(github)
  const { records, repo } = github
  const { people, teams } = reviewersOfBody(github)
  const author = records.issues.get(pull.issue_id as number)?.user_id ?? null
  if (people.includes(author)) github.refuse(422, 'Review cannot be requested from pull request author.')
  if (people.includes(null) || teams.includes(null))
    github.refuse(
      422,
      `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${repo.full_name} repository.`,
    )
  const [knownPeople, knownTeams] = [idsOf(pull.reviewer_ids), idsOf(pull.team_ids)]
  const reviewer_ids = [...new Set([...knownPeople, ...people])]
  const team_ids = [...new Set([...knownTeams, ...teams])]
  records.pulls.update(pull.id as number, { reviewer_ids, team_ids, review_due: github.later(HOUR_S) })
  tellReviewers(github, pull, 'review_requested', lacking(people, knownPeople), lacking(teams, knownTeams))
  return github.created(toListedPull(github, freshPull(github, pull)))
}

function dropReviewers(github: GitHubRequest): Fields {
  const pull = pullOf(github)
  const { people, teams } = reviewersOfBody(github)
  const [reviewers, asked] = [idsOf(pull.reviewer_ids), idsOf(pull.team_ids)]
  const [reviewer_ids, team_ids] = [lacking(reviewers, people), lacking(asked, teams)]
  github.records.pulls.update(pull.id as number, { reviewer_ids, team_ids })
  tellReviewers(github, pull, 'review_request_removed', lacking(reviewers, reviewer_ids), lacking(asked, team_ids))
  return toListedPull(github, freshPull(github, pull))
}

function createComment(github: GitHubRequest): object {
  const pull = pullOf(github)
  const { body, records } = github
  const resource = 'PullRequestReviewComment'
  const files = filesOf(github, pull)
  const at = placed({ comment: body, files })
  if (!files.some(({ path }) => path === body.path)) github.invalid({ resource, field: 'path', code: 'invalid' })
  const field = 'pull_request_review_thread.line'
  if (at.isOutside === true)
    github.invalid({ resource, field, code: 'custom', message: `${field} must be part of the diff` })
  const commit_id = body.commit_id ?? null
  const fields = { body: '', state: 'COMMENTED', commit_id, submitted_at: github.time }
  const review = records.reviews.create({ ...below(github, pull), ...fields })
  const comment = makeComment(github, pull, body, { ...at, review_id: review.id ?? null, commit_id })
  return github.created(tellComment(github, comment, 'created'))
}

function reply(github: GitHubRequest): object {
  const pull = pullOf(github)
  const opener = github.find('review_comments', github.path.comment_id, { pull_id: pull.id ?? null })
  const place = without(opener, 'id created_at updated_at resolved_by')
  const own = { body: github.body.body ?? null, user_id: github.actorId, in_reply_to_id: opener.id ?? null }
  const comment = github.create('review_comments', { ...place, ...own })
  return github.created(tellComment(github, comment, 'created'))
}

const commentOf = (github: GitHubRequest): Fields =>
  github.find('review_comments', github.path.comment_id, { repository_id: github.repo.id ?? null })

/** A page of comments of reviews that have been sent in. */
function listComments(github: GitHubRequest, test: Fields): object {
  const { reviews, review_comments } = github.records
  const pending = new Set(reviews.where({ state: 'PENDING' }).map(({ id }) => id))
  const found = review_comments.where(test).filter(changedSince(github))
  return github.page(
    sortedComments(
      github,
      found.filter((one) => !pending.has(one.review_id)),
    ),
    (one) => toReviewComment(github, one),
  )
}

export const reviews: Operations = {
  [`GET ${PULL}/requested_reviewers`]: (github) => {
    const { reviewer_ids, team_ids } = pullOf(github)
    const teams = recordsOf(github, 'teams', team_ids)
    const users = idsOf(reviewer_ids).map((id) => personOf(github, id))
    return { users, teams: teams.map((team) => toTeam(github, team)) }
  },
  [`POST ${PULL}/requested_reviewers`]: requestReviewers,
  [`DELETE ${PULL}/requested_reviewers`]: dropReviewers,
  [`GET ${PULL}/reviews`]: (github) => {
    const all = github.records.reviews.where({ pull_id: pullOf(github).id ?? null }).toReversed()
    const isOwn = ({ user_id }: Fields) => user_id === github.actorId
    const sent = all.filter(({ state }) => state !== 'PENDING')
    const own = all.filter((review) => review.state === 'PENDING' && isOwn(review))
    return github.page([...sent, ...own], (review) => toReview(github, review))
  },
  [`POST ${PULL}/reviews`]: createReview,
  [`GET ${REVIEW}`]: (github) => toReview(github, reviewOf(github, pullOf(github))),
  [`PUT ${REVIEW}`]: (github) => {
    const pull = pullOf(github)
    const before = reviewOf(github, pull)
    const review = github.records.reviews.update(before.id as number, { body: github.body.body ?? null })
    happen(github, pull, 'edited', review, { changes: { body: { from: before.body ?? null } } })
    return toReview(github, review)
  },
  [`DELETE ${REVIEW}`]: (github) => {
    const review = reviewOf(github, pullOf(github))
    if (review.state !== 'PENDING') github.refuse(422, 'Can not delete a non-pending pull request review')
    const shown = toReview(github, review)
    const { reviews: all, review_comments } = github.records
    for (const comment of review_comments.where({ review_id: review.id ?? null }))
      review_comments.remove(comment.id as number)
    all.remove(review.id as number)
    return shown
  },
  [`POST ${REVIEW}/events`]: submitPending,
  [`PUT ${REVIEW}/dismissals`]: dismiss,
  [`GET ${REVIEW}/comments`]: (github) => {
    const review = reviewOf(github, pullOf(github))
    const found = github.records.review_comments.where({ review_id: review.id ?? null }).toReversed()
    return github.page(found, (one) => toReviewComment(github, one))
  },
  [`GET ${PULL}/comments`]: (github) => listComments(github, { pull_id: pullOf(github).id ?? null }),
  [`POST ${PULL}/comments`]: createComment,
  [`POST ${PULL}/comments/{comment_id}/replies`]: reply,
  [`GET ${PULLS}/comments`]: (github) => listComments(github, { repository_id: github.repo.id ?? null }),
  [`GET ${COMMENT}`]: (github) => toReviewComment(github, commentOf(github)),
  [`PATCH ${COMMENT}`]: (github) => {
    const before = commentOf(github)
    checkAuthor(github, before)
    const comment = github.update('review_comments', before, { body: github.body.body ?? null })
    return tellComment(github, comment, 'edited', { changes: { body: { from: before.body ?? null } } })
  },
  [`DELETE ${COMMENT}`]: (github) => {
    const comment = commentOf(github)
    checkAuthor(github, comment)
    tellComment(github, comment, 'deleted')
    github.records.review_comments.remove(comment.id as number)
    return github.empty
  },
}
