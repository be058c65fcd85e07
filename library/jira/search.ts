import {
  type Context,
  type Fields,
  fail,
  fieldsOf,
  type Kept,
  known,
  type Operations,
  type Shown,
  textsOf,
  toPage,
  windowOf,
} from './context.ts'
import { fieldsIn } from './fields.ts'
import { readJql } from './jql.ts'
import { askedOf, showIssue, toNames } from './view.ts'

const UNBOUNDED = 'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.'

/** The issues of a query, in its order. */
export function findIssues(context: Context, jql: unknown, isBounded = false): Kept[] {
  const { test, compare, isUnbounded } = readJql(context, String(jql ?? ''))
  if (isBounded && isUnbounded) return fail(context, 400, UNBOUNDED)
  return [...context.records.issues].filter(test).sort(compare)
}

const given = ({ query, body }: Context): Fields => ({ ...query, ...body })

/** A page that ends with the token of the next. */
export function toTokenPage(context: Context, found: readonly Kept[], usual?: readonly string[]): Shown {
  const { maxResults = 50, nextPageToken: token, ...more } = given(context)
  const { fields: wanted = usual, expand } = askedOf(more)
  const start = token == null ? 0 : Number(Buffer.from(String(token), 'base64url').toString().slice(1))
  if (!Number.isInteger(start)) return fail(context, 400, 'The provided next page token is invalid.')
  const end = start + Math.min(Number(maxResults), wanted === undefined ? 5_000 : 100)
  const isBare = wanted === undefined || wanted.join() === 'id'
  const show = (issue: Kept): Shown => (isBare ? { id: issue.id } : showIssue(context, issue, wanted, expand))
  const isLast = end >= found.length
  const nextPageToken = isLast ? undefined : Buffer.from(`#${end}`).toString('base64url')
  const names = toNames(fieldsIn(context), expand)
  return { issues: found.slice(start, end).map(show), isLast, ...known({ nextPageToken }), ...names }
}

/** A page by number, with all fields. */
export function toIssuePage(context: Context, found: readonly Kept[]): Shown {
  const { startAt, maxResults } = windowOf(context)
  const { fields = ['*navigable'], expand } = askedOf(given(context))
  const issues = found.slice(startAt, startAt + maxResults).map((issue) => showIssue(context, issue, fields, expand))
  const names = toNames(fieldsIn(context), expand)
  return { expand: 'schema,names', startAt, maxResults, total: found.length, issues, ...names }
}

const byToken = (context: Context): Shown => toTokenPage(context, findIssues(context, given(context).jql, true))
const byNumber = (context: Context): Shown => toIssuePage(context, findIssues(context, given(context).jql))

export const search: Operations = {
  'GET search/jql': byToken,
  'POST search/jql': byToken,
  'GET search': byNumber,
  'POST search': byNumber,
  'POST search/approximate-count': (context) => ({ count: findIssues(context, context.body.jql, true).length }),
  'GET label': (context) => {
    const labels = new Set([...context.records.issues].flatMap(({ values }) => textsOf(fieldsOf(values).labels)))
    return toPage(context, [...labels].sort(), (one) => one, 'values', 1_000)
  },
}
