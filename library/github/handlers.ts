import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { isThere, refused } from './answers.ts'
import { compareItems, diffLines, directoryOf, subtree, treeItems } from './files.ts'
import { CLOSING, graphql } from './graphql-schema.ts'
import { htmlOf } from './markdown.ts'
import { codeFound, dateRange, reposFound } from './repo-search.ts'
import { issuesFound, searched } from './searched.ts'
import { secrets } from './secrets.ts'

const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The repository of the path, and whether the caller may write to it. */
function placeOf({ records, path, call }: OperationContext): { id: Json; isWriter: boolean } {
  const repo = records.repos?.find({ full_name: `${path.owner}/${path.repo}` })
  const [id, user_id] = [repo?.id ?? null, fieldsOf(call('GET', '/user').body).id ?? null]
  const isOwn = repo?.owner_id === user_id || records.users?.get(String(repo?.owner_id))?.type === 'Organization'
  return { id, isWriter: isOwn || records.collaborators?.some({ repository_id: id, user_id, pending: false }) === true }
}

/** Only those who may write comment where an issue is locked. */
const comment = (context: OperationContext) => {
  const { records, path } = context
  const { id, isWriter } = placeOf(context)
  const issue = records.issues?.find({ repository_id: id, number: Number(path.issue_number) })
  const message = 'Unable to create comment because issue is locked.'
  return issue?.locked === true && !isWriter ? refused(context, 403, message) : undefined
}

/** Refuses comments of a review on files that the pull request does not change. */
const review = (context: OperationContext) => {
  const { body, path, call } = context
  const comments = listOf(body.comments)
  const files = () =>
    listOf(call('GET', `/repos/${path.owner}/${path.repo}/pulls/${path.pull_number}/files?per_page=100`).body)
  return comments.length > 0 && comments.some((one) => !files().some(({ filename }) => filename === one.path))
    ? refused(context, 422, 'Unprocessable Entity', ['Path could not be resolved'])
    : undefined
}

/** The jobs of a workflow's text: their names, and the steps that a runner shows. */
function jobsOf(text: string): JsonObject[] {
  const jobs: { name: string; steps: string[] }[] = []
  const body = text.split(/^jobs:[^\n]*\n/m)[1]?.split(/^\S/m)[0] ?? ''
  const margin = /^ +/.exec(body)?.[0] ?? '  '
  for (const block of body.split(new RegExp(`^${margin}(?=[\\w-]+:)`, 'm')).slice(1)) {
    const plain = (value = '') => value.trim().replace(/^(['"])(.*)\1$/, '$2')
    const name = new RegExp(`^${margin}${margin}name: *(.+)$`, 'm').exec(block)?.[1] ?? /^[\w-]+/.exec(block)?.[0]
    const steps = block.split(/^ +- (?=(?:name|uses|run|id|if|with|env):)/m).slice(1)
    const titles = steps.map((step) => {
      const [, run] = /^ *run: *\|?\s*(.+)$/m.exec(step) ?? []
      const [, uses] = /^ *uses: *(.+)$/m.exec(step) ?? []
      return plain(/^ *name: *(.+)$/m.exec(step)?.[1] ?? `Run ${plain(uses ?? run)}`)
    })
    jobs.push({ name: plain(name), steps: ['Set up job', ...titles, 'Complete job'] })
  }
  return jobs.length > 0 ? jobs : [{ name: 'build', steps: ['Run'] }]
}

/** The inputs of a dispatch that its workflow does not declare, as JSON; an empty text without any. */
function unexpectedInputs(text: string, inputs: JsonObject): string {
  const [, margin = '', after = ''] = /workflow_dispatch:\s*\n( +)inputs:\s*\n([\s\S]*)/.exec(text) ?? []
  const block = after.split(new RegExp(`^(?!${margin} |$)`, 'm'))[0] ?? ''
  const indent = /^ +/.exec(block)?.[0] ?? ' '
  const declared = [...block.matchAll(new RegExp(`^${indent}([\\w-]+):`, 'gm'))].map(([, name]) => name)
  const names = Object.keys(inputs).filter((name) => !declared.includes(name))
  return names.length > 0 ? JSON.stringify(names) : ''
}

/**
 * The message of a squash: by default the title of the pull request, or of its only commit, and the messages of its commits.
 * https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges
 */
function squashed({ repo, pull, title, message, commits }: JsonObject): string {
  const { squash_merge_commit_title: titled, squash_merge_commit_message: worded } = fieldsOf(repo)
  const issue = fieldsOf(pull)
  const messages = listOf(commits).map((one) => valueText(one.message))
  const [first = '', ...rest] = messages.length === 1 && titled !== 'PR_TITLE' ? (messages[0] ?? '').split('\n') : []
  const many = messages.length > 1 ? messages.map((one) => `* ${one}`).join('\n\n') : rest.join('\n').trim()
  const body = worded === 'PR_BODY' ? valueText(issue.body ?? '') : worded === 'BLANK' ? '' : many
  const head = title ?? `${first || issue.title} (#${issue.number})`
  return `${head}\n\n${message ?? body}`.trim()
}

const gist = (context: OperationContext) =>
  Object.keys(fieldsOf(context.body.files)).length > 0
    ? undefined
    : refused(context, 422, 'Validation Failed', [{ resource: 'Gist', field: 'files', code: 'missing_field' }])

/** Takes back, or declines, what the list of invitations has. */
const invitation = (act: (context: OperationContext, id: number) => object) => (context: OperationContext) => {
  const { owner, repo, invitation_id } = context.path
  const list = owner === undefined ? '/user/repository_invitations' : `/repos/${owner}/${repo}/invitations`
  const id = Number(invitation_id)
  const isListed = listOf(context.call('GET', list).body).some((one) => one.id === id)
  return isListed ? act(context, id) : isThere(context, false)
}
const uninvited = invitation((context, id) => {
  context.records.collaborators?.remove(id)
  return context.respond({ status: 204 })
})
const reinvited = invitation(({ records, path, body, call }, id) => {
  records.collaborators?.update(id, { permission: body.permissions })
  return fieldsOf(
    listOf(call('GET', `/repos/${path.owner}/${path.repo}/invitations`).body).find((one) => one.id === id),
  )
})

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

const memberships = ({ call }: OperationContext): JsonObject[] => {
  const { login } = fieldsOf(call('GET', '/user').body)
  return listOf(call('GET', '/user/orgs').body).map((one) =>
    fieldsOf(call('GET', `/orgs/${one.login}/memberships/${login}`).body),
  )
}

export default {
  ...secrets,
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': comment,
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': review,
  'PATCH /repos/{owner}/{repo}/invitations/{invitation_id}': reinvited,
  'DELETE /repos/{owner}/{repo}/invitations/{invitation_id}': uninvited,
  'DELETE /user/repository_invitations/{invitation_id}': uninvited,
  'GET /users/{username}/following/{target_user}': (context: OperationContext) => {
    const following = listOf(context.call('GET', `/users/${context.path.username}/following?per_page=100`).body)
    return isThere(
      context,
      following.some(({ login }) => login === context.path.target_user),
    )
  },
  'GET /repos/{owner}/{repo}/issues/{issue_number}/assignees/{assignee}': (context: OperationContext) => {
    const { owner, repo, assignee } = context.path
    return isThere(context, context.call('GET', `/repos/${owner}/${repo}/assignees/${assignee}`).status === 204)
  },
  'POST /applications/{client_id}/token': token,
  'DELETE /applications/{client_id}/token': revoked,
  'DELETE /applications/{client_id}/grant': revoked,
  'GET /user/memberships/orgs': memberships,
  'GET /user/memberships/orgs/{org}': (context: OperationContext) =>
    memberships(context).find((one) => fieldsOf(one.organization).login === context.path.org) ??
    isThere(context, false),
  'POST /gists': gist,
  'POST /graphql': graphql,
  $closes: (text: Json) => [...valueText(text).matchAll(CLOSING)].map(([, number]) => Number(number)),
  $compared: ({ before, after, by = 'id' }: JsonObject) => compareItems(itemsIn(before), itemsIn(after), valueText(by)),
  $diff: ({ before, after }: JsonObject) => diffLines(valueText(before), valueText(after)),
  $directory: ({ of, path = '', below }: JsonObject) =>
    directoryOf(itemsIn(of).filter(isJsonObject), valueText(path), below === true),
  $isBase64: (text: Json) => /^[\w+/=\s-]*$/.test(valueText(text)),
  $isJwt: (header: Json) => /^bearer ey[\w-]+\.[\w-]+\./i.test(valueText(header ?? '')),
  $isColor: (text: Json) => /^#?([\da-f]{3}|[\da-f]{6})$/i.test(valueText(text)),
  $jobs: (text: Json) => jobsOf(valueText(text)),
  $unexpectedInputs: ({ text = '', inputs }: JsonObject) => unexpectedInputs(valueText(text), fieldsOf(inputs)),
  $markdown: (text: Json) => htmlOf(valueText(text)),
  ...{ $codeFound: codeFound, $dateRange: dateRange, $issuesFound: issuesFound, $reposFound: reposFound },
  $searched: searched,
  $subtree: ({ of, sha }: JsonObject) => subtree(listOf(of), valueText(sha)),
  $treeItems: ({ of, recursive = null }: JsonObject) => treeItems(listOf(of), recursive !== null),
  $squashed: squashed,
}
