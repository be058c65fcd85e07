import { type Fields, fieldsOf, type GitHubRequest, idsOf, type Operations } from './github.ts'
import { toPerson } from './show-accounts.ts'
import { toRepo, toSubscription } from './show-repo.ts'

const REPO = '/repos/{owner}/{repo}'

/** The repositories that a user stars, or watches. */
const chosenBy = (github: GitHubRequest, user: Fields, field: 'stars' | 'watchers', test: Fields = {}): object => {
  const repos = github.records.repos.where(test).toReversed()
  const found = repos.filter((repo) => idsOf(repo[field]).includes(user.id ?? null))
  return github.page(found, (repo) => toRepo(github, repo))
}

const usersOf = ({ records, repo }: GitHubRequest, field: 'stars' | 'watchers'): Fields[] =>
  idsOf(repo[field]).flatMap((id): Fields[] => {
    const user = records.users.get(id as number)
    return user ? [user] : []
  })

const has = (github: GitHubRequest, field: 'stars' | 'watchers'): boolean =>
  idsOf(github.repo[field]).includes(github.me.id ?? null)

function set(github: GitHubRequest, field: 'stars' | 'watchers', isOn: boolean): void {
  const { repo, me, records } = github
  const others = idsOf(repo[field]).filter((id) => id !== me.id)
  records.repos.update(repo.id as number, { [field]: isOn ? [...others, me.id ?? null] : others })
}

function star(github: GitHubRequest): object {
  if (has(github, 'stars')) return github.empty
  set(github, 'stars', true)
  github.happen(github.repo, 'star.created', { action: 'created', starred_at: github.time })
  github.happen(github.repo, 'watch.started', { action: 'started' })
  return github.empty
}

function unstar(github: GitHubRequest): object {
  const had = has(github, 'stars')
  set(github, 'stars', false)
  if (had) github.happen(github.repo, 'star.deleted', { action: 'deleted', starred_at: null })
  return github.empty
}

/** With the media type of stars, when each came. https://docs.github.com/rest/activity/starring */
function stargazers(github: GitHubRequest): object {
  const users = usersOf(github, 'stars')
  if (!String(github.of.headers.accept).includes('star+json')) return github.page(users, toPerson)
  const came = github.records.happenings.where({ type: 'star.created', repository_id: github.repo.id ?? 0 })
  return github.page(users, (user) => {
    const event = came.find(({ payload }) => fieldsOf(fieldsOf(payload).sender).id === user.id)
    return { starred_at: event?.created_at ?? null, user: toPerson(user) }
  })
}

export const stars: Operations = {
  'GET /user/starred': (github) => chosenBy(github, github.me, 'stars'),
  'GET /users/{username}/starred': (github) => chosenBy(github, github.account, 'stars'),
  'GET /user/starred/{owner}/{repo}': (github) => github.isThere(has(github, 'stars')),
  'PUT /user/starred/{owner}/{repo}': star,
  'DELETE /user/starred/{owner}/{repo}': unstar,
  [`GET ${REPO}/stargazers`]: stargazers,
  [`GET ${REPO}/subscribers`]: (github) => github.page(usersOf(github, 'watchers'), toPerson),
  'GET /user/subscriptions': (github) => chosenBy(github, github.me, 'watchers'),
  'GET /users/{username}/subscriptions': (github) => chosenBy(github, github.account, 'watchers', { private: false }),
  [`GET ${REPO}/subscription`]: (github) => (has(github, 'watchers') ? toSubscription(github.repo) : github.gone()),
  [`PUT ${REPO}/subscription`]: (github) => {
    const { subscribed = true, ignored = false } = github.sent({ subscribed: true, ignored: true })
    set(github, 'watchers', true)
    return { ...toSubscription(github.repo), subscribed, ignored }
  },
  [`DELETE ${REPO}/subscription`]: (github) => {
    set(github, 'watchers', false)
    return github.empty
  },
}
