import { blocks } from './blocks.ts'
import { comments } from './comments.ts'
import { type Context, type Fields, uuidOf } from './context.ts'
import { databases } from './databases.ts'
import { files } from './files.ts'
import { pages } from './pages.ts'
import { search } from './search.ts'
import { users } from './users.ts'
import { views } from './views.ts'

const all: Readonly<Record<string, (context: Context) => unknown>> = {
  ...users,
  ...pages,
  ...databases,
  ...blocks,
  ...search,
  ...comments,
  ...files,
  ...views,
}

/** A list with the id of the request, which the header has too. */
function withRequestId(context: Context, answer: unknown): unknown {
  if ((answer as Fields | undefined)?.object !== 'list') return answer
  const request_id = uuidOf(Buffer.from(context.id()).toString('hex').slice(0, 32))
  return context.respond({
    headers: { 'x-notion-request-id': String(request_id) },
    body: { ...(answer as Fields), request_id },
  })
}

/** Each operation refuses a request without `Notion-Version`. */
export default Object.fromEntries(
  Object.entries(all).map(([operation, handle]) => [
    operation,
    (context: Context) => {
      const version = context.headers['notion-version']
      if (operation.startsWith('GET /files/') || /^\d{4}-\d\d-\d\d$/.test(version ?? ''))
        return withRequestId(context, handle(context))
      const message = `Notion-Version header failed validation: Notion-Version header should be ${version === undefined ? 'defined' : 'a version'}, instead was \`${version}\`.`
      return context.refuse(400, { code: version === undefined ? 'missing_version' : 'invalid_request', message })
    },
  ]),
)
