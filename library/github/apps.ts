import { type GitHubRequest, idsOf, type Operations, textsOf } from './github.ts'
import { INSTALLATION_ID, toApp, toInstallation } from './show-app.ts'
import { toRepo } from './show-repo.ts'

const HOUR_S = 3_600

/** Refuses whoever is not the app itself, which sends a JSON web token. */
function asApp(github: GitHubRequest): GitHubRequest {
  const isJwt = /^bearer ey[\w-]+\.[\w-]+\./i.test(String(github.of.headers.authorization))
  return isJwt ? github : github.refuse(401, 'A JSON web token could not be decoded')
}

const withInstallation = (github: GitHubRequest): GitHubRequest =>
  Number(asApp(github).path.installation_id) === INSTALLATION_ID ? github : github.gone()

/** https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app */
function createToken(github: GitHubRequest): object {
  const { records, id } = withInstallation(github)
  const form = { permissions: {}, repositories: [], repository_ids: [] }
  const { permissions: asked = null, repositories, repository_ids } = github.sent(form)
  const named = [...records.repos].filter(({ name }) => textsOf(repositories).includes(String(name))).toReversed()
  const chosen = named.length > 0 ? named.map((repo) => repo.id ?? null) : null
  const repos = repository_ids ?? chosen
  const token = `ghs_${id()}${id()}`.slice(0, 40)
  const made = records.installation_tokens.create({ token, expires_at: github.later(HOUR_S), asked, repos })
  const seen = [...records.repos].filter((repo) => idsOf(repos).includes(repo.id ?? null)).toReversed()
  return github.created({
    ...{ token, expires_at: made.expires_at, permissions: asked ?? toApp(github).permissions },
    repository_selection: repos === null ? 'all' : 'selected',
    ...(repos !== null && { repositories: seen.map((repo) => toRepo(github, repo)) }),
  })
}

function repositories(github: GitHubRequest): object {
  const { installed, records, me } = github
  const { repos = null } = me && (installed ?? {})
  const all = [...records.repos].toReversed()
  const seen = repos === null ? all : all.filter(({ id }) => idsOf(repos).includes(id ?? null))
  const fields = { total_count: seen.length, repository_selection: repos === null ? 'all' : 'selected' }
  return github.pageIn('repositories', seen, { show: (repo) => toRepo(github, repo), fields })
}

export const apps: Operations = {
  'GET /app': (github) => toApp(asApp(github)),
  'GET /apps/{app_slug}': (github) => (github.path.app_slug === 'backlot-app' ? toApp(github) : github.gone()),
  'GET /app/installations': (github) => github.page([toInstallation(asApp(github))], (one) => one),
  'GET /user/installations': (github) =>
    github.pageIn('installations', [toInstallation(github)], { show: (one) => one }),
  'GET /app/installations/{installation_id}': (github) => toInstallation(withInstallation(github)),
  'POST /app/installations/{installation_id}/access_tokens': createToken,
  'GET /repos/{owner}/{repo}/installation': (github) => (github.repo ? toInstallation(github) : github.gone()),
  'GET /users/{username}/installation': (github) => (github.account ? toInstallation(github) : github.gone()),
  'GET /orgs/{org}/installation': (github) => (github.organization ? toInstallation(github) : github.gone()),
  'GET /installation/repositories': repositories,
}
