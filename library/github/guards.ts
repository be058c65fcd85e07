import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { filled, type Handler, refused } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'
const APPROVAL = 'approving review is required by reviewers with write access.'

/** What protects a branch: its protection, and the rules of rulesets by type. */
function protectionOf(context: OperationContext, branch: string) {
  const at = `${filled(context, REPO)}`
  const name = encodeURIComponent(branch)
  const { status, body } = context.call('GET', `${at}/branches/${name}/protection`)
  const rules = new Map<Json, JsonObject>()
  for (const rule of listOf(context.call('GET', `${at}/rules/branches/${name}`).body))
    if (!isPassed(context, rule)) rules.set(rule.type ?? null, fieldsOf(rule.parameters))
  const isAdmin = fieldsOf(fieldsOf(context.call('GET', at).body).permissions).admin === true
  const isHeld = status < 400 && !(isAdmin && fieldsOf(body.enforce_admins).enabled !== true)
  return { rules, own: isHeld ? body : undefined }
}

/** Whether a ruleset lets administrators pass: their role has the id 5. */
const isPassed = ({ records }: OperationContext, { ruleset_id }: JsonObject): boolean =>
  listOf(records.rulesets?.get(String(ruleset_id))?.bypass_actors).some(
    ({ actor_type, actor_id }) =>
      actor_type === 'OrganizationAdmin' || (actor_type === 'RepositoryRole' && actor_id === 5),
  )

const violated = (...faults: string[]): string => `Repository rule violations found\n\n${faults.join('\n\n')}\n\n`

/** Why a branch takes no write but by a pull request; undefined where it does. */
function faultOfWrite(context: OperationContext, branch: string): string | undefined {
  const { rules, own } = protectionOf(context, branch)
  if (rules.has('pull_request')) return violated('Changes must be made through a pull request.')
  if (rules.has('update')) return violated('Cannot update this protected ref.')
  const [rule] = listOf(rules.get('required_status_checks')?.required_status_checks)
  if (rule) return violated(`Required status check "${rule.context}" is expected.`)
  if (own?.required_pull_request_reviews) return 'Changes must be made through a pull request.'
  const [check] = listOf(fieldsOf(own?.required_status_checks).checks)
  return check && `Required status check "${check.context}" is expected.`
}

/** https://docs.github.com/repositories/configuring-branches-and-merges-in-your-repository */
const write =
  (verb: string): Handler =>
  (context) => {
    const { body, query, path, call } = context
    const { branch = query.branch } = body
    const fallback = () => fieldsOf(call('GET', filled(context, REPO)).body).default_branch
    const fault = faultOfWrite(context, String(branch ?? fallback()))
    if (fault === undefined) return undefined
    const isNew = verb === 'update' && call('GET', `${filled(context, REPO)}/contents/${path.path}`).status === 404
    return refused(
      context,
      409,
      fault.startsWith('Rep') ? fault : `Could not ${isNew ? 'create' : verb} file: ${fault}`,
    )
  }

const branchAt = ({ path }: OperationContext): string | undefined => /^heads\/(.+)$/.exec(String(path.ref))?.[1]

const move: Handler = (context) => {
  const branch = branchAt(context)
  if (branch === undefined) return undefined
  const fault = faultOfWrite(context, branch)
  return fault === undefined ? undefined : refused(context, 422, fault)
}

const drop: Handler = (context) => {
  const branch = branchAt(context)
  if (branch === undefined) return undefined
  const { rules, own } = protectionOf(context, branch)
  if (rules.has('deletion')) return refused(context, 422, violated('Cannot delete this branch'))
  return own && fieldsOf(own.allow_deletions).enabled !== true
    ? refused(context, 422, 'Cannot delete a protected branch')
    : undefined
}

/** Rulesets on a merge; the row of the merge knows the branch's protection. */
const merge: Handler = (context) => {
  const { path, call } = context
  const at = filled(context, REPO)
  const pull = fieldsOf(call('GET', `${at}/pulls/${path.pull_number}`).body)
  if (pull.state !== 'open') return undefined
  const { rules } = protectionOf(context, String(fieldsOf(pull.base).ref))
  const needed = Number(rules.get('pull_request')?.required_approving_review_count ?? 0)
  const verdicts = new Map<Json, Json>()
  const reviews = needed > 0 ? listOf(call('GET', `${at}/pulls/${path.pull_number}/reviews?per_page=100`).body) : []
  for (const { user, state = null } of reviews)
    if (state !== 'COMMENTED') verdicts.set(fieldsOf(user).login ?? null, state)
  const approvals = [...verdicts.values()].filter((state) => state === 'APPROVED').length
  if (approvals < needed)
    return refused(
      context,
      405,
      violated(`At least ${needed} ${APPROVAL.replace('review is', needed === 1 ? 'review is' : 'reviews are')}`),
    )
  const checks = listOf(rules.get('required_status_checks')?.required_status_checks)
  if (checks.length === 0) return undefined
  const commit = `${at}/commits/${fieldsOf(pull.head).sha}`
  const statuses = listOf(fieldsOf(call('GET', `${commit}/status?per_page=100`).body).statuses)
  const runs = listOf(fieldsOf(call('GET', `${commit}/check-runs?per_page=100`).body).check_runs)
  const isPassing = ({ context: name }: JsonObject) =>
    statuses.some((one) => one.context === name && one.state === 'success') ||
    runs.some((one) => one.name === name && ['success', 'neutral', 'skipped'].includes(String(one.conclusion)))
  const missing = checks.find((check) => !isPassing(check))
  return missing && refused(context, 405, violated(`Required status check "${missing.context}" is expected.`))
}

export const guards: Record<string, Handler> = {
  [`PUT ${REPO}/contents/{path}`]: write('update'),
  [`DELETE ${REPO}/contents/{path}`]: write('delete'),
  [`PATCH ${REPO}/git/refs/{ref}`]: move,
  [`DELETE ${REPO}/git/refs/{ref}`]: drop,
  [`PUT ${REPO}/pulls/{pull_number}/merge`]: merge,
}
