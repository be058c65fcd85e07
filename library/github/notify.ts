import { type Fields, fieldsOf, type Json, type World } from './records.ts'
import { reasonOf } from './timeline.ts'

const HEARD = [
  ...['issues.opened', 'issues.edited', 'issues.assigned', 'issue_comment.created', 'issue_comment.edited'],
  ...['pull_request.opened', 'pull_request.edited', 'pull_request.assigned', 'pull_request.review_requested'],
  'pull_request_review.submitted',
]

interface Notifying extends Pick<World, 'records'> {
  /** Who acts. */
  readonly actorId: Json
  readonly time: string
}

/** Notifies those whom an event is about. https://docs.github.com/rest/activity/notifications */
export function notify(
  { records, actorId, time }: Notifying,
  repo: Fields | undefined,
  type: string,
  payload: Fields,
): void {
  if (!HEARD.includes(type)) return
  const subject = fieldsOf(payload.pull_request ?? payload.issue)
  const { url = null, title = null } = subject
  const isPull = fieldsOf(payload.pull_request).id != null || fieldsOf(subject.pull_request).url != null
  for (const reader of records.users.where({ type: 'User' }).toReversed()) {
    if (reader.id === actorId) continue
    const reason = reasonOf({ type, payload, reader, owner_id: repo?.owner_id ?? null })
    if (reason === null) continue
    const user_id = reader.id ?? null
    const existing = records.notifications.find({ user_id, 'subject.url': url })
    const isMuted = existing?.subscribed === false && (existing.ignored === true || reason === 'author')
    if (isMuted) continue
    if (existing) {
      const named = existing.subscribed === false && reason !== 'subscribed' && { subscribed: null }
      records.notifications.update(existing, { unread: true, reason, updated_at: time, ...named })
    } else {
      const latest_comment_url = fieldsOf(payload.comment).url ?? url
      records.notifications.create({
        ...{ user_id, repository_id: repo?.id ?? null, reason, created_at: time, updated_at: time },
        subject: { title, url, latest_comment_url, type: isPull ? 'PullRequest' : 'Issue' },
      })
    }
  }
}
