import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { allOf, filled, isThere, paged } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'

/**
 * Commits, reviews, comments, mentions elsewhere and all other events of an issue, by time.
 * https://docs.github.com/rest/using-the-rest-api/issue-event-types
 */
export function timeline(context: OperationContext): object {
  const { records, path, call } = context
  const [repo, number] = [filled(context, REPO), Number(path.issue_number)]
  const { status, body: issue } = call('GET', `${repo}/issues/${number}`)
  if (status >= 400) return isThere(context, false)
  const known = new Map(allOf(context, `${repo}/issues/${number}/events`).map((event) => [event.id, event]))
  const read = (at: string): JsonObject => fieldsOf(call('GET', `${repo}/${at}`).body)
  const shown: Record<string, (details: JsonObject, actor: JsonObject, at: string) => JsonObject> = {
    commented: ({ note_id }) => withActor(read(`issues/comments/${note_id}`)),
    reviewed: ({ note_id }) => {
      const review = read(`pulls/${number}/reviews/${note_id}`)
      return { ...review, state: String(review.state).toLowerCase() }
    },
    'cross-referenced': ({ source_number }, actor, at) => {
      const source = { ...read(`issues/${source_number}`), repository: fieldsOf(call('GET', repo).body) }
      return { actor, created_at: at, updated_at: at, source: { type: 'issue', issue: source } }
    },
  }
  const people = new Map(allOf(context, '/users').map((user) => [user.id, user]))
  const commits = issue.pull_request === undefined ? [] : allOf(context, `${repo}/pulls/${number}/commits`)
  const rows = commits.map((one) => {
    const { author, committer, message, tree, verification } = fieldsOf(one.commit)
    const { sha, node_id, url, html_url, parents } = one
    const item = { sha, node_id, url, html_url, parents, author, committer, message, tree, verification }
    return { at: String(fieldsOf(committer).date), item: { ...item, event: 'committed' } as JsonObject }
  })
  const notes = (records.issue_events?.where({ issue_id: issue.id }) ?? []).toSorted(
    (a, b) => Number(a.id) - Number(b.id),
  )
  for (const { id, event, details, actor_id, created_at } of notes) {
    const [name, at] = [String(event), String(created_at)]
    const item = known.get(id) ?? shown[name]?.(fieldsOf(details), people.get(actor_id) ?? {}, at)
    if (item) rows.push({ at, item: { ...item, event: name } })
  }
  const sorted = rows.toSorted((left, right) => left.at.localeCompare(right.at)).map(({ item }) => item)
  return paged(context, `${REPO}/issues/{issue_number}/timeline`, sorted)
}

const withActor = (comment: JsonObject): JsonObject => ({ ...comment, actor: comment.user ?? null })

/** The numbers of issues that a text mentions: `#12`. */
export const mentioned = (text: string): number[] =>
  [...text.matchAll(/(?<![\w/&])#(\d+)\b/g)].map(([, number]) => Number(number))

/**
 * Why a person hears of an event: an edit alone notifies those whom it newly names.
 * https://docs.github.com/rest/activity/notifications#about-notification-reasons
 */
export function reasonOf({ type, payload, reader, owner_id }: JsonObject): string | null {
  const { login, id } = fieldsOf(reader)
  const event = String(type)
  const sent = fieldsOf(payload)
  const of = (name: string) => fieldsOf(sent[name])
  const names = (text: unknown) => new RegExp(`@${login}(?![\\w-])`, 'i').test(String(text))
  const subject = fieldsOf(sent.pull_request ?? sent.issue)
  if (event.endsWith('.assigned') && of('assignee').login === login) return 'assign'
  if (event === 'pull_request.review_requested' && of('requested_reviewer').login === login) return 'review_requested'
  const text = of('comment').body ?? of('review').body ?? subject.body
  if (event.endsWith('.edited')) {
    const { from } = fieldsOf(of('changes').body)
    return from !== undefined && names(text) && !names(from) ? 'mention' : null
  }
  if (names(text)) return 'mention'
  return fieldsOf(subject.user).login === login ? 'author' : id === owner_id ? 'subscribed' : null
}
