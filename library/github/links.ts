import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'

/** The addresses of a repository: a name, and after `=` the path, if it is not the name. */
const PARTS =
  'archive=/{archive_format}{/ref} assignees=/assignees{/user} blobs=/git/blobs{/sha} branches=/branches{/branch} collaborators=/collaborators{/collaborator} comments=/comments{/number} commits=/commits{/sha} compare=/compare/{base}...{head} contents=/contents/{+path} contributors deployments downloads events forks git_commits=/git/commits{/sha} git_refs=/git/refs{/sha} git_tags=/git/tags{/sha} hooks issue_comment=/issues/comments{/number} issue_events=/issues/events{/number} issues=/issues{/number} keys=/keys{/key_id} labels=/labels{/name} languages merges milestones=/milestones{/number} notifications=/notifications{?since,all,participating} pulls=/pulls{/number} releases=/releases{/id} stargazers statuses=/statuses/{sha} subscribers subscription tags teams trees=/git/trees{/sha}'

export const repoLinks = (full_name: Json): JsonObject =>
  linksBelow(`https://api.github.example/repos/${full_name}`, PARTS)

/** Addresses below one: `stars` is `stars_url` with the path `/stars`, and `stars=/starred` one with another path. */
export const linksBelow = (base: string, parts: string): JsonObject =>
  Object.fromEntries(
    parts.split(' ').map((part) => {
      const [name, path = `/${name}`] = part.split('=')
      return [`${name}_url`, `${base}${path}`]
    }),
  )

/** Of a push: its ids are cut to twelve digits. https://docs.github.com/webhooks/webhook-events-and-payloads#push */
export const compareLink = ({ repo, before, after }: JsonObject): string =>
  `https://github.example/${repo}/compare/${valueText(before).slice(0, 12)}...${valueText(after).slice(0, 12)}`

/** A push shows its repository with times in seconds, and with older names. https://docs.github.com/webhooks/webhook-events-and-payloads#push */
export const pushedRepo = (repo: JsonObject): JsonObject => ({
  ...repo,
  ...{ created_at: Date.parse(String(repo.created_at)) / 1_000, pushed_at: Date.parse(String(repo.pushed_at)) / 1_000 },
  ...{ stargazers: repo.stargazers_count ?? 0, master_branch: repo.default_branch ?? null },
  owner: { name: fieldsOf(repo.owner).login ?? null, email: null, ...fieldsOf(repo.owner) },
})

const SWITCHES = [
  ...['required_linear_history', 'allow_force_pushes', 'allow_deletions', 'block_creations'],
  ...['required_conversation_resolution', 'lock_branch', 'allow_fork_syncing'],
]

/** What a branch's protection keeps of a request. https://docs.github.com/rest/branches/branch-protection#update-branch-protection */
export function protectionRules({ body, url }: JsonObject): JsonObject {
  const sent = fieldsOf(body)
  const { required_status_checks: checks, required_pull_request_reviews: reviews } = sent
  const namesOf = (list: Json | undefined, name: string): Json[] =>
    Array.isArray(list)
      ? list.map((one) => (isJsonObject(one) ? (one[name] ?? null) : { [name]: one, app_id: null }))
      : []
  const at = `${url}/required_status_checks`
  return {
    ...(isJsonObject(checks) && {
      required_status_checks: {
        ...{ url: at, strict: false, contexts_url: `${at}/contexts` },
        ...{ contexts: namesOf(checks.checks, 'context'), checks: namesOf(checks.contexts, 'context') },
        ...checks,
      },
    }),
    ...(isJsonObject(reviews) && {
      required_pull_request_reviews: {
        ...{ url: `${url}/required_pull_request_reviews`, dismiss_stale_reviews: false },
        ...{ require_code_owner_reviews: false, require_last_push_approval: false, ...reviews },
      },
    }),
    enforce_admins: { url: `${url}/enforce_admins`, enabled: sent.enforce_admins ?? false },
    ...Object.fromEntries(SWITCHES.map((name) => [name, { enabled: sent[name] ?? false }])),
  }
}
