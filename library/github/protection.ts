import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { filled, type Handler, isThere, refused } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'
const AT = `${REPO}/branches/{branch}/protection`

type Change = (part: JsonObject, context: OperationContext) => JsonObject | undefined

/**
 * Shows a part of a branch's protection, or changes it: a change without a part removes it.
 * https://docs.github.com/rest/branches/branch-protection
 */
const part =
  (name: string, change?: Change): Handler =>
  (context) => {
    const { records, path, call, respond } = context
    const { status, body } = call('GET', filled(context, AT))
    if (status >= 400) return refused(context, status, String(fieldsOf(body).message))
    const repo = fieldsOf(call('GET', filled(context, REPO)).body)
    const ref = records.refs?.find({ repository_id: repo.id ?? 0, ref: `refs/heads/${path.branch}` })
    const { [name]: own, ...others } = fieldsOf(ref?.rules)
    const isMissing = own === undefined && change === undefined
    if (isMissing || (change !== undefined && fieldsOf(repo.permissions).admin !== true)) return isThere(context, false)
    const changed = change === undefined ? fieldsOf(own) : change(fieldsOf(own), context)
    if (change !== undefined)
      records.refs?.update(Number(ref?.id), { rules: { ...others, ...(changed && { [name]: changed }) } })
    const url = `https://api.github.example${filled(context, `${AT}/${name}`)}`
    return changed === undefined ? respond({ status: 204 }) : { url, ...changed }
  }

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
const withContexts = (own: JsonObject, names: readonly string[]): JsonObject => {
  const contexts = [...new Set(names)]
  return { ...own, contexts, checks: contexts.map((context) => ({ context, app_id: null })) }
}

const CHECKS = 'required_status_checks'
const REVIEWS = 'required_pull_request_reviews'
const ADMINS = 'enforce_admins'

/** The names of required checks alone. A body is their list, or an object with it. */
const contexts =
  (change?: (own: string[], sent: string[]) => string[]): Handler =>
  (context) => {
    const sent = textsIn(Array.isArray(context.body) ? context.body : context.body.contexts)
    const act: Change = (own) => withContexts(own, change?.(textsIn(own.contexts), sent) ?? [])
    const shown = part(CHECKS, change && act)(context)
    const { contexts: names } = fieldsOf(shown)
    return names === undefined ? shown : context.respond({ status: 200, body: textsIn(names) })
  }

export const protection: Record<string, Handler> = {
  [`GET ${AT}/${CHECKS}`]: part(CHECKS),
  [`PATCH ${AT}/${CHECKS}`]: part(CHECKS, (own, { body }) => {
    const { contexts: names, checks, ...rest } = body
    const given = Array.isArray(checks) ? checks.map((one) => String(fieldsOf(one).context)) : names
    return withContexts({ ...own, ...rest }, textsIn(given ?? own.contexts))
  }),
  [`DELETE ${AT}/${CHECKS}`]: part(CHECKS, () => undefined),
  [`GET ${AT}/${CHECKS}/contexts`]: contexts(),
  [`POST ${AT}/${CHECKS}/contexts`]: contexts((own, sent) => [...own, ...sent]),
  [`PUT ${AT}/${CHECKS}/contexts`]: contexts((_, sent) => sent),
  [`DELETE ${AT}/${CHECKS}/contexts`]: contexts((own, sent) => own.filter((name) => !sent.includes(name))),
  [`GET ${AT}/${REVIEWS}`]: part(REVIEWS),
  [`PATCH ${AT}/${REVIEWS}`]: part(REVIEWS, (own, { body }) => ({ ...own, ...body })),
  [`DELETE ${AT}/${REVIEWS}`]: part(REVIEWS, () => undefined),
  [`GET ${AT}/${ADMINS}`]: part(ADMINS),
  [`POST ${AT}/${ADMINS}`]: part(ADMINS, () => ({ enabled: true })),
  [`DELETE ${AT}/${ADMINS}`]: (context) => {
    const shown = part(ADMINS, () => ({ enabled: false }))(context)
    return fieldsOf(shown).enabled === false ? context.respond({ status: 204 }) : shown
  },
}
