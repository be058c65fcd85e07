import { type Fields, type GitHubRequest, type Operations, textOf } from './github.ts'
import { isSince } from './issue-changes.ts'
import { toNotification } from './show-repo.ts'

const THREAD = '/notifications/threads/{thread_id}'
const LISTS: Readonly<Record<string, (github: GitHubRequest) => Fields>> = {
  '/notifications': ({ actorId }) => ({ user_id: actorId }),
  '/repos/{owner}/{repo}/notifications': ({ actorId, repo }) => ({ user_id: actorId, repository_id: repo.id ?? null }),
}

function list(github: GitHubRequest, test: Fields): object {
  const { query, records } = github
  const isSet = (name: string) => String(query[name]) === 'true'
  const found = records.notifications.where(test).filter((one) => {
    const isBefore = query.before === undefined || Date.parse(textOf(one.updated_at)) < Date.parse(textOf(query.before))
    const isAsked = (one.unread === true || isSet('all')) && (one.reason !== 'subscribed' || !isSet('participating'))
    return isBefore && isAsked && isSince(github, one)
  })
  return github.page(found, (one) => toNotification(github, one))
}

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
  [`DELETE ${THREAD}`]: (github) => {
    github.records.notifications.remove(threadOf(github).id as number)
    return github.empty
  },
}
