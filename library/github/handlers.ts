import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { about } from './about.ts'
import { accounts } from './accounts.ts'
import { actions, advanceRun } from './actions.ts'
import { activities } from './activity.ts'
import { filled, type Handler, isThere, refused } from './answers.ts'
import { apps } from './apps.ts'
import { branches } from './branches.ts'
import { checks } from './checks.ts'
import { collaborators } from './collaborators.ts'
import { comments } from './comments.ts'
import { commits } from './commits.ts'
import { contents } from './contents.ts'
import { deliveries } from './deliveries.ts'
import { deployments } from './deployments.ts'
import { forks } from './forks.ts'
import { gistComments } from './gist-comments.ts'
import { gists } from './gists.ts'
import { gitData } from './git-data.ts'
import { GitHubRequest } from './github.ts'
import { graphql } from './graphql-schema.ts'
import { guards } from './guards.ts'
import { hooks } from './hooks.ts'
import { issues } from './issues.ts'
import { labels } from './labels.ts'
import { texts } from './licences.ts'
import { mergeReady } from './merging.ts'
import { milestones } from './milestones.ts'
import { notifications } from './notifications.ts'
import { orgs } from './orgs.ts'
import { patches } from './patches.ts'
import { protection } from './protection.ts'
import { pulls } from './pulls.ts'
import { reactions } from './reactions.ts'
import type { Context, Due } from './records.ts'
import { releases } from './releases.ts'
import { repoParts } from './repo-parts.ts'
import { repositories } from './repositories.ts'
import { reviews } from './reviews.ts'
import { rulesets } from './rulesets.ts'
import { search } from './search.ts'
import { secrets } from './secrets.ts'
import { stars } from './stars.ts'
import { live, reviewPull } from './story.ts'
import { teams } from './teams.ts'
import { timeline } from './timeline.ts'

const token = (context: OperationContext) => {
  const { records, body, path, respond, call } = context
  const one = records.access_tokens?.get(String(body.access_token))
  if (one === undefined) return isThere(context, false)
  const login = records.users?.get(String(one.user_id))?.login
  return respond({
    status: 200,
    body: {
      ...{ id: 1, token: body.access_token, scopes: String(one.scope ?? '').match(/[^ ,]+/g) ?? [] },
      app: { name: 'backlot', url: 'https://github.example', client_id: path.client_id },
      ...{ created_at: one.created_at ?? null, expires_at: null, user: call('GET', `/users/${login}`).body },
    } as JsonObject,
  })
}
const revoked = (context: OperationContext) => {
  const id = String(context.body.access_token)
  const isKnown = context.records.access_tokens?.get(id) !== undefined
  if (isKnown) context.records.access_tokens?.remove(id)
  return isThere(context, isKnown)
}

/** https://docs.github.com/rest/apps/installations#revoke-an-installation-access-token */
const uninstalled = (context: OperationContext) => {
  const { records, headers, respond } = context
  const token = String(headers.authorization).split(' ').at(-1) ?? ''
  const one = records.installation_tokens?.find({ token })
  if (one === undefined) return refused(context, 403, 'Resource not accessible by personal access token')
  records.installation_tokens?.remove(Number(one.id))
  return respond({ status: 204 })
}

/** The log of a job: a line for each step. */
const logs = (context: OperationContext) => {
  const { status, body } = context.call('GET', filled(context, '/repos/{owner}/{repo}/actions/jobs/{job_id}'))
  if (status >= 400) return isThere(context, false)
  const lines = listOf(body.steps).map(
    ({ name }) => `${body.started_at} ##[group]${name}\n${body.started_at} ##[endgroup]`,
  )
  return context.respond({
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: lines.join('\n'),
  })
}

/** https://docs.github.com/rest/rate-limit/rate-limit */
const rateLimit = ({ now, headers }: OperationContext) => {
  const isKnown = headers.authorization !== undefined
  const reset = Math.floor(now.getTime() / 1_000) + 3_600
  const rate = (limit: number) => ({ limit, used: 1, remaining: Math.max(limit - 1, 0), reset })
  const [core, graphql, integration_manifest] = [rate(isKnown ? 5_000 : 60), rate(isKnown ? 5_000 : 0), rate(5_000)]
  const resources = { core, search: rate(isKnown ? 30 : 10), graphql, integration_manifest, code_search: rate(10) }
  return { resources, rate: core }
}

const topics = (context: OperationContext) => {
  const { q, per_page = 30, page = 1 } = context.query as { q: string; per_page?: number; page?: number }
  const all = [...(context.records.repos ?? [])].flatMap((repo) => (Array.isArray(repo.topics) ? repo.topics : []))
  const found = [...new Set(all.map(String))].filter((name) => name.includes(q.toLowerCase()))
  const items = found.map(
    (name) => ({ name, display_name: null, featured: false, curated: false, score: 1 }) as JsonObject,
  )
  return context.respond({
    status: 200,
    body: {
      total_count: items.length,
      incomplete_results: false,
      items: items.slice((page - 1) * per_page, page * per_page),
    },
  })
}

const licence = (context: OperationContext) => {
  const at = filled(context, '/repos/{owner}/{repo}')
  const { license = null } = fieldsOf(context.call('GET', at).body)
  for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt']) {
    const { status, body } = context.call('GET', `${at}/contents/${file}`)
    if (status < 400) return { ...fieldsOf(body), license }
  }
  return isThere(context, false)
}

/** Nobody visits a page or clones a repository here. */
const traffic = (kind: string) => (context: OperationContext) => {
  const { status, body } = context.call('GET', filled(context, '/repos/{owner}/{repo}'))
  const isSeen = status < 400 && fieldsOf(body.permissions).push === true
  return isSeen ? { count: 0, uniques: 0, [kind]: [] } : isThere(context, false)
}

const operations = {
  ...{ ...checks, ...comments, ...deployments, ...issues, ...labels, ...milestones, ...notifications },
  ...search,
  ...{ ...pulls, ...releases, ...reviews, ...actions, ...branches, ...commits, ...contents, ...gitData },
  ...{ ...accounts, ...apps, ...collaborators, ...hooks, ...repoParts, ...repositories, ...stars, ...teams },
  ...{ ...about, ...gists, ...gistComments, ...orgs, ...rulesets, ...secrets },
}

/** What may answer before an operation does. */
const before: Record<string, Handler> = { ...guards, ...patches }

export default {
  ...before,
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => {
        const answer =
          before[operation]?.(context as unknown as OperationContext) ?? handle(new GitHubRequest(context, operation))
        if (/^(?!GET).*(?:statuses|check-runs|pulls|protection)/.test(operation)) mergeReady(context)
        return answer
      },
    ]),
  ),
  ...{ ...reactions, ...forks, ...protection },
  ...{ ...activities, ...deliveries, ...texts },
  live,
  advanceRun: (due: Due) => {
    advanceRun(due)
    mergeReady(due)
  },
  reviewPull: (due: Due) => {
    reviewPull(due)
    mergeReady(due)
  },
  'POST /applications/{client_id}/token': token,
  'DELETE /applications/{client_id}/token': revoked,
  'DELETE /applications/{client_id}/grant': revoked,
  'DELETE /installation/token': uninstalled,
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs': logs,
  'GET /search/topics': topics,
  'GET /rate_limit': rateLimit,
  'GET /repos/{owner}/{repo}/license': licence,
  'GET /emojis': () =>
    Object.fromEntries(
      Object.entries({
        '+1': '1f44d',
        '-1': '1f44e',
        heart: '2764',
        rocket: '1f680',
        tada: '1f389',
        eyes: '1f440',
      }).map(([name, code]) => [name, `https://github.example/images/icons/emoji/unicode/${code}.png?v8`]),
    ),
  'GET /repos/{owner}/{repo}/traffic/views': traffic('views'),
  'GET /repos/{owner}/{repo}/traffic/clones': traffic('clones'),
  'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline': timeline,
  'POST /graphql': graphql,
}
