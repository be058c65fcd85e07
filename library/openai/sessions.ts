import { type Context, fieldsOf } from './context.ts'
import { plainOperations } from './lists.ts'
import { toUnix } from './times.ts'

/** Containers of code, in which nothing runs, and realtime sessions, which are begun alone. */
export const sessions = {
  ...plainOperations('containers', { path: '/containers', name: 'container_id', deleted: 'container.deleted' }),
  'POST /containers': ({ body, now, records }: Context) => {
    const { name, expires_after = { anchor: 'last_active_at', minutes: 20 }, memory_limit = '1g' } = body
    const created_at = toUnix(now)
    const facts = { object: 'container', created_at, last_active_at: created_at, status: 'running' }
    return records.containers.create({ ...facts, name, expires_after, memory_limit })
  },
  'POST /realtime/client_secrets': ({ body, now, id }: Context) => ({
    value: id('ek_'),
    expires_at: toUnix(now) + Number(fieldsOf(body.expires_after).seconds ?? 600),
    session: { object: 'realtime.session', id: id('sess_'), type: 'realtime', ...(body.session as object | undefined) },
  }),
  'GET /realtime': ({ refuse }: Context) =>
    refuse(400, {
      message:
        'Realtime sessions over WebSocket are not simulated. Test the same talk by POST /v1/responses with `stream: true`, and replace the session in the test.',
    }),
}
