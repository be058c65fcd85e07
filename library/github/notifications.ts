import { type Fields, type GitHubRequest, type Json, type Operations, textOf } from './github.ts'
import { toNotification, toThreadSubscription } from './show-repo.ts'

const THREAD = '/notifications/threads/{thread_id}'
const LISTS: Readonly<Record<string, (github: GitHubRequest) => Fields>> = {
  '/notifications': ({ actorId }) => ({ user_id: actorId }),
  '/repos/{owner}/{repo}/notifications': ({ actorId, repo }) => ({ user_id: actorId, repository_id: repo.id ?? null }),
}

function list(github: GitHubRequest, test: Fields): object {
  const { query, records } = github
  const [isAll, isParticipating] = [query.all, query.participating].map((value) => String(value) === 'true')
  const { before, since } = query
  const found = records.notifications.where(test).filter((one) => {
    const at = Date.parse(textOf(one.updated_at))
    const isIn = at < timeOf(before, Number.POSITIVE_INFINITY) && at >= timeOf(since, 0)
    return isIn && (one.unread === true || isAll) && (one.reason !== 'subscribed' || !isParticipating)
  })
  return github.page(found, (one) => toNotification(github, one), { 'X-Poll-Interval': '60' })
}

const timeOf = (text: Json | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Date.parse(textOf(text))

const read = (github: GitHubRequest, notifications: readonly Fields[]): object => {
  for (const { id } of notifications)
    github.records.notifications.update(id as number, { unread: false, last_read_at: github.time })
  return github.of.respond({ status: 205 })
}

const threadOf = (github: GitHubRequest): Fields =>
  github.find('notifications', github.path.thread_id, { user_id: github.actorId })

export const notifications: Operations = {
  ...Object.fromEntries(
    Object.entries(LISTS).flatMap(([path, testOf]): [string, Operations[string]][] => [
      [`GET ${path}`, (github) => list(github, testOf(github))],
      [`PUT ${path}`, (github) => read(github, github.records.notifications.where(testOf(github)))],
    ]),
  ),
  [`GET ${THREAD}`]: (github) => toNotification(github, threadOf(github)),
  [`PATCH ${THREAD}`]: (github) => read(github, [threadOf(github)]),
  [`GET ${THREAD}/subscription`]: (github) => {
    const thread = threadOf(github)
    // whoever takes part in a thread is subscribed to it
    const subscribed = thread.subscribed ?? thread.reason !== 'subscribed'
    return subscribed || thread.ignored === true ? toThreadSubscription({ ...thread, subscribed }) : github.gone()
  },
  [`PUT ${THREAD}/subscription`]: (github) => {
    const ignored = github.body.ignored === true
    const { id } = threadOf(github)
    return toThreadSubscription(
      github.records.notifications.update(id as number, { ignored, subscribed: !ignored, subscribed_at: github.time }),
    )
  },
  [`DELETE ${THREAD}/subscription`]: (github) => {
    // a thread without a subscription is heard of only by those whom it names
    github.records.notifications.update(threadOf(github).id as number, { ignored: false, subscribed: false })
    return github.empty
  },
  [`DELETE ${THREAD}`]: (github) => {
    github.records.notifications.remove(threadOf(github).id as number)
    return github.empty
  },
}
