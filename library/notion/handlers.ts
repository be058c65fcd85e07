import { blocks } from './blocks.ts'
import { comments } from './comments.ts'
import { databases } from './databases.ts'
import { files } from './files.ts'
import { markdown } from './markdown.ts'
import { BOT, fieldsOf, Notion, type Operations, uuidOf } from './notion.ts'
import { pages } from './pages.ts'
import { views } from './views.ts'

type Context = ConstructorParameters<typeof Notion>[0]

const users: Operations = {
  'GET /v1/users': (notion) => notion.page('user', [...notion.records.users], (user) => user),
  'GET /v1/users/me': (notion) => notion.find('users', BOT.id),
  'GET /v1/users/{user_id}': (notion) => notion.find('users'),
}

/** An object with the id of the request, which the header has too. */
function withRequestId(context: Context, answer: unknown): unknown {
  if (typeof fieldsOf(answer).object !== 'string') return answer
  const request_id = uuidOf(Buffer.from(context.id()).toString('hex').slice(0, 32))
  const headers = { 'x-notion-request-id': String(request_id) }
  return context.respond({ headers, body: { ...fieldsOf(answer), request_id } })
}

/** Each operation refuses a request without `Notion-Version`. */
export default Object.fromEntries(
  Object.entries({ ...users, ...pages, ...databases, ...blocks, ...markdown, ...comments, ...files, ...views }).map(
    ([operation, handle]) => [
      operation,
      (context: Context) => {
        const version = context.headers['notion-version']
        if (operation.startsWith('GET /files/') || /^\d{4}-\d\d-\d\d$/.test(version ?? ''))
          return withRequestId(context, handle(new Notion(context)))
        const should = version === undefined ? 'defined' : 'a version'
        const message = `Notion-Version header failed validation: Notion-Version header should be ${should}, instead was \`${version}\`.`
        return context.refuse(400, { code: version === undefined ? 'missing_version' : 'invalid_request', message })
      },
    ],
  ),
)
