import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { faultOf, fits, hasWords, isWithin, placesOf, type Qualifiers } from './qualifiers.ts'
import { fieldsOf, textsOf } from './records.ts'

const MISSING =
  'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.'

/** The issues and pull requests that a search finds, in its order; or the reason why it is refused. */
export function issuesFound({ terms: given, login, sort, ascending, ...all }: JsonObject): Json {
  const rows = (name: string) => (Array.isArray(all[name]) ? all[name].filter(isJsonObject) : [])
  const byId = (name: string) => new Map(rows(name).map((row) => [row.id, row]))
  const [repos, users, labels, milestones] = [byId('repos'), byId('users'), byId('labels'), byId('milestones')]
  const pulls = new Map(rows('pulls').map((row) => [row.issue_id, row]))
  const terms = fieldsOf(given)
  const key = (value: string) => (value === '@me' ? valueText(login) : value.replace(/^@/, '')).toLowerCase()
  const isUser = (id: Json | undefined, value: string) => users.get(id ?? null)?.key === key(value)
  const listed = (ids: Json | undefined) => (Array.isArray(ids) ? ids : [])
  const commentsOf = (issue: JsonObject) => rows('comments').filter(({ issue_id }) => issue_id === issue.id)
  const reviewsOf = (issue: JsonObject) => rows('reviews').filter((row) => row.pull_id === pulls.get(issue.id)?.id)
  const is: Record<string, (issue: JsonObject) => boolean> = {
    issue: ({ is_pull }) => is_pull !== true,
    pr: ({ is_pull }) => is_pull === true,
    open: ({ state }) => state === 'open',
    closed: ({ state }) => state === 'closed',
    merged: ({ id }) => pulls.get(id)?.merged === true,
    unmerged: ({ id }) => pulls.get(id)?.merged === false,
    draft: ({ id }) => pulls.get(id)?.draft === true,
    locked: ({ locked }) => locked === true,
    unlocked: ({ locked }) => locked !== true,
    public: ({ repository_id }) => repos.get(repository_id)?.private !== true,
    private: ({ repository_id }) => repos.get(repository_id)?.private === true,
  }
  const isOne = (issue: JsonObject, value: string) => is[value.replace('pull-request', 'pr')]?.(issue) === true
  const isOwner = ({ repository_id }: JsonObject, value: string) => isUser(repos.get(repository_id)?.owner_id, value)
  const tests: Qualifiers<JsonObject> = {
    ...{ is: isOne, type: isOne, state: isOne, user: isOwner, org: isOwner },
    repo: ({ repository_id }, value) => repos.get(repository_id)?.key === value.toLowerCase(),
    archived: ({ repository_id }, value) => `${repos.get(repository_id)?.archived === true}` === value,
    author: ({ user_id }, value) => isUser(user_id, value),
    assignee: ({ assignee_ids }, value) => listed(assignee_ids).some((id) => value === '*' || isUser(id, value)),
    mentions: (issue, value) =>
      [issue, ...commentsOf(issue)].some(({ body }) =>
        new RegExp(`@${key(value).replace(/\W/g, '\\$&')}(?![\\w-])`, 'i').test(valueText(body ?? '')),
      ),
    commenter: (issue, value) => commentsOf(issue).some(({ user_id }) => isUser(user_id, value)),
    involves: (issue, value) =>
      ['author', 'assignee', 'mentions', 'commenter'].some((name) => tests[name]?.(issue, value)),
    label: ({ label_ids }, value) => {
      const names = listed(label_ids).map((id) => valueText(labels.get(id)?.name ?? '').toLowerCase())
      return value.split(',').some((name) => names.includes(name.toLowerCase()))
    },
    milestone: ({ milestone_id }, value) =>
      valueText(milestones.get(milestone_id)?.title ?? '').toLowerCase() === value.toLowerCase(),
    no: ({ label_ids, assignee_ids, milestone_id }, value) =>
      listed({ label: label_ids, assignee: assignee_ids, milestone: [milestone_id ?? []].flat() }[value]).length === 0,
    comments: (issue, value) => isWithin(commentsOf(issue).length, value),
    created: ({ created_at }, value) => isWithin(valueText(created_at), value),
    updated: ({ updated_at }, value) => isWithin(valueText(updated_at), value),
    closed: ({ closed_at }, value) => closed_at != null && isWithin(valueText(closed_at), value),
    merged: (issue, value) =>
      is.merged?.(issue) === true && isWithin(valueText(pulls.get(issue.id)?.merged_at ?? ''), value),
    reason: ({ state_reason }, value) => state_reason === value.replace(' ', '_'),
    draft: (issue, value) => issue.is_pull === true && `${is.draft?.(issue)}` === value,
    head: ({ id }, value) => pulls.get(id)?.head_ref === value,
    base: ({ id }, value) => pulls.get(id)?.base_ref === value,
    'review-requested': ({ id }, value) => listed(pulls.get(id)?.reviewer_ids).some((one) => isUser(one, value)),
    'reviewed-by': (issue, value) => reviewsOf(issue).some(({ user_id }) => isUser(user_id, value)),
  }
  const fault = faultOf(terms, tests)
  if (fault !== undefined) return { refused: fault }
  const names = new Set([...users.values(), ...repos.values()].map((row) => row.key))
  const wanted = ['repo', 'user', 'org', 'author'].flatMap((name) => textsOf(terms[name]))
  if (wanted.length > 0 && !wanted.some((value) => names.has(key(value)))) return { refused: MISSING }
  const isFound = (issue: JsonObject) => {
    const { title, body } = issue
    const text = placesOf(terms, { title: valueText(title ?? ''), body: valueText(body ?? '') })
    return hasWords(text, terms) && fits(issue, terms, tests)
  }
  const order = (issue: JsonObject) =>
    sort === 'comments' ? commentsOf(issue).length : valueText(issue[sort === 'updated' ? 'updated_at' : 'created_at'])
  const found = rows('issues').filter(
    (issue) => (repos.size === 0 || repos.has(issue.repository_id ?? null)) && isFound(issue),
  )
  const compared = (a: JsonObject, b: JsonObject) => {
    const [left, right] = [order(a), order(b)]
    return left === right ? Number(a.number) - Number(b.number) : left < right ? -1 : 1
  }
  return found.toSorted((a, b) => (ascending === true ? compared(a, b) : compared(b, a)))
}
