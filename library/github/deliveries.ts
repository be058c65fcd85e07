import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { filled, type Handler, isThere, MOST, pick, secondsOf } from './answers.ts'

const familyOf = ({ type }: JsonObject): string => String(type).split('.')[0] ?? ''

/** That of the event, which all its deliveries share. */
const guidOf = ({ id, again_of }: JsonObject): string =>
  `0b989ba4-242f-11e5-81e1-${String(again_of ?? id).padStart(12, '0')}`

const shown = (one: JsonObject): JsonObject => ({
  ...{ id: one.id ?? 0, guid: guidOf(one), delivered_at: one.created_at ?? null },
  ...{ redelivery: one.again_of != null, duration: 0.03, status: 'OK', status_code: 200, event: familyOf(one) },
  ...{ action: String(one.type).split('.')[1] ?? null, installation_id: null, throttled_at: null },
  repository_id: one.repository_id ?? null,
})

type Act = (context: OperationContext, hook: JsonObject, sent: JsonObject[]) => object

/** What a hook has got since its first ping, the newest first. https://docs.github.com/rest/repos/webhooks */
const ofHook =
  (at: string, act: Act): Handler =>
  (context) => {
    const { records, path, call } = context
    const hook = records.hooks?.get(Number(path.hook_id))
    if (call('GET', filled(context, at)).status >= 400 || hook === undefined) return isThere(context, false)
    const events: Json[] = Array.isArray(hook.events) ? hook.events : []
    const first = Math.min(...(records.happenings?.where({ hook_id: hook.id }) ?? []).map(({ id }) => Number(id)))
    const own = hook.org_id == null ? { repository_id: hook.repository_id } : { org_id: hook.org_id }
    const sent = (records.happenings?.where(own) ?? []).filter(
      (one) =>
        Number(one.id) >= first &&
        (one.hook_id == null || one.hook_id === hook.id) &&
        ['*', familyOf(one)].some((family) => family === 'ping' || events.includes(family)),
    )
    const newest = sent.toSorted((left, right) => Number(right.id) - Number(left.id))
    return act(context, hook, newest)
  }
const ofDelivery = (at: string, act: (context: OperationContext, hook: JsonObject, one: JsonObject) => object) =>
  ofHook(at, (context, hook, sent) => {
    const one = sent.find(({ id }) => id === Number(context.path.delivery_id))
    return one ? act(context, hook, one) : isThere(context, false)
  })

const rows = (at: string): Record<string, Handler> => ({
  [`GET ${at}/deliveries`]: ofHook(at, ({ query }, _, sent) =>
    sent.slice(0, Math.min(Number((query as JsonObject).per_page ?? 30), MOST)).map(shown),
  ),
  [`GET ${at}/deliveries/{delivery_id}`]: ofDelivery(at, (_, hook, one) => {
    const names = { 'X-GitHub-Delivery': guidOf(one), 'X-GitHub-Event': familyOf(one), 'X-GitHub-Hook-ID': hook.id }
    const request = { headers: { ...names, 'content-type': 'application/json' }, payload: one.payload }
    return { ...shown(one), url: fieldsOf(hook.config).url, request, response: { headers: {}, payload: 'ok' } }
  }),
  [`POST ${at}/deliveries/{delivery_id}/attempts`]: ofDelivery(at, (context, hook, one) => {
    const again = { ...pick(one, ['type', 'repository_id', 'org_id', 'payload']), again_of: one.again_of ?? one.id }
    context.records.happenings?.create({ ...again, hook_id: hook.id, created_at: secondsOf(context) } as never)
    return context.respond({ status: 202, body: {} })
  }),
})

export const deliveries: Record<string, Handler> = {
  ...rows('/repos/{owner}/{repo}/hooks/{hook_id}'),
  ...rows('/orgs/{org}/hooks/{hook_id}'),
}
