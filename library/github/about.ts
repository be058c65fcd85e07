import { API, type GitHubRequest, type Operations, textOf } from './github.ts'
import { htmlOf } from './markdown.ts'

const MOST_MARKDOWN = 400_000
/** Addresses for examples only, RFC 5737. */
const NETWORK = ['192.0.2.0/24']

/** No tool looks for faults here. */
const noAlerts = (github: GitHubRequest): object => (github.repo ? github.page([], (alert) => alert) : github.gone())

/** What the API says of itself, and texts that it turns to HTML. */
export const about: Operations = {
  'GET /': () => ({
    ...{ current_user_url: `${API}/user`, rate_limit_url: `${API}/rate_limit`, user_url: `${API}/users/{user}` },
    ...{ repository_url: `${API}/repos/{owner}/{repo}`, organization_url: `${API}/orgs/{org}` },
  }),
  'GET /meta': () => ({
    ...{ verifiable_password_authentication: true, hooks: NETWORK, web: NETWORK, api: NETWORK, git: NETWORK },
  }),
  'GET /zen': (github) => github.of.respond({ status: 200, body: 'Keep it logically awesome.' }),
  'POST /markdown': (github) => {
    const text = textOf(github.sent({ text: '' }).text)
    if ([...text].length > MOST_MARKDOWN) github.refuse(400, 'Problems parsing JSON')
    return github.of.respond({ status: 200, headers: { 'Content-Type': 'text/html' }, body: htmlOf(text) })
  },
  'GET /repos/{owner}/{repo}/dependabot/alerts': noAlerts,
  'GET /repos/{owner}/{repo}/secret-scanning/alerts': noAlerts,
  'GET /repos/{owner}/{repo}/code-scanning/alerts': (github) =>
    github.repo ? github.refuse(404, 'no analysis found') : github.gone(),
}
