import { toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, type Kept, withoutKept } from '../shared/values.ts'
import { type Context, missing, type Work } from './context.ts'
import { sentFile } from './files.ts'
import { oldestFirst, plainOperations, toPage } from './lists.ts'

/**
 * A container for a request that uses it, which keeps it open. One without use for a while is refused:
 * https://developers.openai.com/api/docs/guides/tools-code-interpreter
 */
export function useContainer({ records, now, refuse }: Context, id: string): Kept {
  const container = records.containers.get(id) ?? refuse(...missing('containers', id))
  if (isExpired(container, now)) refuse(400, { message: 'Container is expired.' })
  return records.containers.update(id, { last_active_at: toUnix(now) })
}

const containerOf = (context: Context): Kept => useContainer(context, String(context.path.container_id))

function fileOf(context: Context): Kept {
  const { id } = containerOf(context)
  const { records, path, refuse } = context
  const found = records.container_files.find({ id: String(path.file_id), container_id: id })
  return found ?? refuse(...missing('container_files', path.file_id))
}

/** A new container: of a request, or of a call of the code interpreter. */
export function openContainer({ now, records }: Pick<Work, 'now' | 'records'>, wish: Fields): Kept {
  const { name = 'auto', expires_after = { anchor: 'last_active_at', minutes: 20 }, memory_limit = '1g' } = wish
  const files = [wish.file_ids ?? []].flat().flatMap((id) => records.files.get(String(id)) ?? [])
  const created_at = toUnix(now)
  const facts = { object: 'container', created_at, last_active_at: created_at, status: 'running' }
  const container = records.containers.create({ ...facts, name, expires_after, memory_limit })
  for (const file of files) putInside({ now, records }, container.id, file)
  return container
}

function putInside({ now, records }: Pick<Work, 'now' | 'records'>, id: string, file: Fields): Kept {
  const content = String(file.content)
  const facts = { object: 'container.file', container_id: id, created_at: toUnix(now), source: 'user' }
  const bytes = Buffer.from(content, 'base64').length
  const path = `/mnt/data/${file.filename}`
  return records.container_files.create({ ...facts, bytes, path, kept_content: content })
}

const isExpired = ({ last_active_at, expires_after }: Fields, now: Date): boolean =>
  toUnix(now) - Number(last_active_at) >= Number(fieldsOf(expires_after).minutes) * 60

/** Containers of code, in which nothing runs, and realtime sessions, which are begun alone. */
export const sessions = {
  ...plainOperations('containers', {
    path: '/containers',
    name: 'container_id',
    deleted: 'container.deleted',
    show: (container, { now }) => ({ ...container, ...(isExpired(container, now) && { status: 'expired' }) }),
  }),
  'POST /containers': (context: Context) => {
    const unknown = [context.body.file_ids ?? []].flat().find((id) => !context.records.files.get(String(id)))
    return unknown === undefined ? openContainer(context, context.body) : context.refuse(...missing('files', unknown))
  },
  'GET /containers/{container_id}/files': (context: Context) => {
    const { id } = containerOf(context)
    return toPage(context, oldestFirst(context.records.container_files.where({ container_id: id })).map(withoutKept))
  },
  'POST /containers/{container_id}/files': (context: Context) => {
    const { body, records, refuse } = context
    const { id } = containerOf(context)
    const { file_id } = body
    const { filename = '', content } =
      typeof file_id === 'string'
        ? (records.files.get(file_id) ?? refuse(...missing('files', file_id)))
        : sentFile(context, 'file')
    return withoutKept(putInside(context, id, { filename, content: content ?? '' }))
  },
  'GET /containers/{container_id}/files/{file_id}': (context: Context) => withoutKept(fileOf(context)),
  'DELETE /containers/{container_id}/files/{file_id}': (context: Context) => {
    const { id } = fileOf(context)
    context.records.container_files.remove(id)
    return { id, object: 'container.file.deleted', deleted: true }
  },
  'GET /containers/{container_id}/files/{file_id}/content': (context: Context) =>
    context.respond({
      headers: { 'Content-Type': 'application/octet-stream' },
      body: Buffer.from(String(fileOf(context).kept_content), 'base64'),
    }),
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
