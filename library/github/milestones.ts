import { type Fields, type GitHubRequest, idsOf, type Operations, sorted } from './github.ts'
import { recordsOf } from './issue-changes.ts'
import { toLabel, toMilestone } from './show-issue.ts'

const MILESTONES = '/repos/{owner}/{repo}/milestones'
const ONE = `${MILESTONES}/{milestone_number}`

const milestoneOf = (github: GitHubRequest): Fields =>
  github.records.milestones.find({
    ...{ repository_id: github.repo.id ?? null, number: Number(github.path.milestone_number) },
  }) ?? github.gone()

const happen = (github: GitHubRequest, action: string, shown: Fields, extra: Fields = {}): Fields => {
  github.happen(github.repo, `milestone.${action}`, { action, milestone: shown, ...extra })
  return shown
}

/** What of a milestone's texts the body changes, and from what. */
const changesOf = ({ body }: GitHubRequest, before: Fields): Fields =>
  Object.fromEntries(
    ['title', 'description', 'due_on']
      .filter((name) => body[name] != null && body[name] !== '' && body[name] !== before[name])
      .map((name) => [name, { from: before[name] ?? null }]),
  )

export const milestones: Operations = {
  [`GET ${MILESTONES}`]: (github) => {
    const { state = 'open', direction } = github.query
    const test = { repository_id: github.repo.id ?? null, ...(state !== 'all' && { state }) }
    const all = sorted(github.records.milestones.where(test).toReversed(), 'due_on', direction === 'desc')
    return github.page(all, (one) => toMilestone(github, one))
  },
  [`POST ${MILESTONES}`]: (github) => {
    const { repo, records, body, actorId } = github
    const { title = null, state = 'open', description = null, due_on = null } = body
    if (records.milestones.some({ repository_id: repo.id ?? null, title }))
      github.invalid({ resource: 'Milestone', field: 'title', code: 'already_exists' })
    const number = Number(repo.last_milestone ?? 0) + 1
    records.repos.update(repo.id as number, { last_milestone: number })
    const fields = { repository_id: repo.id ?? null, number, title, state, description, due_on, creator_id: actorId }
    const made = github.create('milestones', fields)
    return github.created(happen(github, 'created', toMilestone(github, made)))
  },
  [`GET ${ONE}`]: (github) => toMilestone(github, milestoneOf(github)),
  [`PATCH ${ONE}`]: (github) => {
    const before = milestoneOf(github)
    const { state = before.state } = github.body
    const changed = github.update('milestones', before, {
      ...github.sent({ title: '', state: '', description: '', due_on: '' }),
      closed_at: state === 'open' ? null : state === before.state ? (before.closed_at ?? null) : github.time,
    })
    const shown = toMilestone(github, changed)
    if (state !== before.state) happen(github, state === 'closed' ? 'closed' : 'opened', shown)
    const changes = changesOf(github, before)
    if (Object.keys(changes).length > 0) happen(github, 'edited', shown, { changes })
    return shown
  },
  [`DELETE ${ONE}`]: (github) => {
    const milestone = milestoneOf(github)
    const { issues, milestones: all } = github.records
    for (const issue of issues.where({ milestone_id: milestone.id ?? null }))
      issues.update(issue.id as number, { milestone_id: null })
    happen(github, 'deleted', toMilestone(github, milestone))
    all.remove(milestone.id as number)
    return github.empty
  },
  [`GET ${ONE}/labels`]: (github) => {
    const { issues } = github.records
    const found = issues.where({ milestone_id: milestoneOf(github).id ?? null }).toReversed()
    const ids = new Set(found.flatMap(({ label_ids }) => idsOf(label_ids)))
    return github.page(recordsOf(github, 'labels', [...ids]), (label) => toLabel(github, label))
  },
}
