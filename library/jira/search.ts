import { type Context, type Fields, fail, fieldsOf, type Kept, type Shown, textsOf, windowOf } from './context.ts'
import { fieldsIn } from './fields.ts'
import { readJql } from './jql.ts'
import { askedOf, showIssue, toNames } from './view.ts'

/** The issues of a query, in its order. */
export function findIssues(context: Context, jql: string, isBounded = false): Kept[] {
  const { test, compare, isUnbounded } = readJql(context, jql)
  if (isBounded && isUnbounded)
    return fail(
      context,
      400,
      'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
    )
  return [...context.records.issues].filter(test).sort(compare)
}

const given = ({ query, body }: Context): Fields => ({ ...query, ...body })

/** A page that ends with the token of the next. */
export function toTokenPage(context: Context, found: readonly Kept[], usual?: readonly string[]): Shown {
  const { maxResults = 50, nextPageToken, ...more } = given(context)
  const { fields, expand } = askedOf(more)
  const wanted = fields.length > 0 ? fields : usual
  const start = nextPageToken == null ? 0 : Number(Buffer.from(String(nextPageToken), 'base64url').toString().slice(1))
  if (!Number.isInteger(start)) return fail(context, 400, 'The provided next page token is invalid.')
  const end = start + Math.min(Number(maxResults), wanted === undefined ? 5_000 : 100)
  const issues = found
    .slice(start, end)
    .map((issue) =>
      wanted === undefined || wanted.join() === 'id' ? { id: issue.id } : showIssue(context, issue, wanted, expand),
    )
  const isLast = end >= found.length
  return {
    issues,
    isLast,
    ...(!isLast && { nextPageToken: Buffer.from(`#${end}`).toString('base64url') }),
    ...toNames(fieldsIn(context), expand),
  }
}

/** A page by number, with all fields. */
export function toIssuePage(context: Context, found: readonly Kept[]): Shown {
  const { startAt, maxResults } = windowOf(context)
  const { fields, expand } = askedOf(given(context))
  const show = (issue: Kept): Shown => showIssue(context, issue, fields.length > 0 ? fields : ['*navigable'], expand)
  const issues = found.slice(startAt, startAt + maxResults).map(show)
  return {
    expand: 'schema,names',
    startAt,
    maxResults,
    total: found.length,
    issues,
    ...toNames(fieldsIn(context), expand),
  }
}

const byToken = (context: Context): Shown =>
  toTokenPage(context, findIssues(context, String(given(context).jql ?? ''), true))
const byNumber = (context: Context): Shown =>
  toIssuePage(context, findIssues(context, String(given(context).jql ?? '')))

export const search = {
  'GET /rest/api/3/search/jql': byToken,
  'POST /rest/api/3/search/jql': byToken,
  'GET /rest/api/3/search': byNumber,
  'POST /rest/api/3/search': byNumber,
  'POST /rest/api/3/search/approximate-count': (context: Context) => ({
    count: findIssues(context, String(context.body.jql ?? ''), true).length,
  }),
  'GET /rest/api/3/label': (context: Context) => {
    const { startAt, maxResults } = windowOf(context, 1_000)
    const labels = [
      ...new Set([...context.records.issues].flatMap(({ values }) => textsOf(fieldsOf(values).labels))),
    ].sort()
    const values = labels.slice(startAt, startAt + maxResults)
    return { maxResults, startAt, total: labels.length, isLast: startAt + values.length >= labels.length, values }
  },
}
