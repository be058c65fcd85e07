import { fieldsIn } from './fields.ts'
import type { Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, hasWords, known, textsOf, valuesOf } from './jira.ts'
import { completions, parseJql, readJql, suggestions } from './jql.ts'
import { showIssue, toNames } from './show-issue.ts'

/** The issues of a query, in its order. */
export function findIssues(jira: Jira, jql: unknown, isBounded = false): Kept[] {
  const { test, compare, isUnbounded } = readJql(jira, String(jql ?? ''))
  const unbounded = 'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.'
  if (isBounded && isUnbounded) jira.fail(400, unbounded)
  return [...jira.records.issues].filter(test).sort(compare)
}

/** A page that ends with the token of the next. */
export function toTokenPage(
  jira: Jira,
  found: readonly Kept[],
  usual?: string,
  show: (jira: Jira, issue: Kept, given: Fields, usual?: string) => Shown = showIssue,
): Shown {
  const given: Fields = { ...jira.query, ...jira.body }
  const { maxResults = 50, nextPageToken: token, fields = usual } = given
  const start = token == null ? 0 : Number(Buffer.from(String(token), 'base64url').toString().slice(1))
  if (!Number.isInteger(start)) jira.fail(400, 'The provided next page token is invalid.')
  const isBare = textsOf(fields).length === 0 || textsOf(fields).join() === 'id'
  const end = start + Math.min(Number(maxResults), isBare ? 5_000 : 100)
  const isLast = end >= found.length
  const issues = found.slice(start, end).map((one) => (isBare ? { id: one.id } : show(jira, one, given, usual)))
  const nextPageToken = isLast ? undefined : Buffer.from(`#${end}`).toString('base64url')
  return { issues, isLast, ...known({ nextPageToken }), ...toNames(fieldsIn(jira), textsOf(given.expand)) }
}

/** A page by number, with all fields. */
export function toIssuePage(jira: Jira, found: readonly Kept[], show?: (issue: Kept) => Shown): Shown {
  const given: Fields = { ...jira.query, ...jira.body }
  const usual = (one: Kept): Shown => showIssue(jira, one, given, '*navigable')
  const { isLast: _, ...page } = jira.page(found, show ?? usual, 'issues')
  return { expand: 'schema,names', ...page, ...toNames(fieldsIn(jira), textsOf(given.expand)) }
}

const byToken = (jira: Jira): Shown => toTokenPage(jira, findIssues(jira, { ...jira.query, ...jira.body }.jql, true))
const byNumber = (jira: Jira): Shown => toIssuePage(jira, findIssues(jira, { ...jira.query, ...jira.body }.jql))

export const search: Operations = {
  ...{ 'GET search/jql': byToken, 'POST search/jql': byToken, 'GET search': byNumber, 'POST search': byNumber },
  'POST search/approximate-count': (jira) => ({ count: findIssues(jira, jira.body.jql, true).length }),
  'POST jql/match': (jira) => {
    const { jqls, issueIds } = jira.body
    const isNamed = ({ id }: Kept): boolean => [issueIds ?? []].flat().map(Number).includes(Number(id))
    const matches = [jqls ?? []].flat().map((jql) => {
      let found: Kept[] = []
      const error = jira.refusalOf(() => {
        found = findIssues(jira, jql).filter(isNamed)
      })
      return { matchedIssues: found.map(({ id }) => Number(id)), errors: error === undefined ? [] : [error] }
    })
    return { matches }
  },
  'POST jql/parse': (jira) => {
    const queries = [jira.body.queries ?? []].flat().map((given) => {
      const query = String(given)
      let structure: Shown | undefined
      const error = jira.refusalOf(() => {
        const parsed = parseJql(jira, query)
        if (jira.query.validation !== 'strict') structure = parsed.structure
        if (jira.query.validation !== 'none') parsed.toQuery()
        structure = parsed.structure
      })
      if (structure === undefined) return { query, errors: [error] }
      return { query, structure, errors: [], warnings: error === undefined ? [] : [error] }
    })
    return { queries }
  },
  'GET jql/autocompletedata': completions,
  'POST jql/autocompletedata': completions,
  'GET jql/autocompletedata/suggestions': (jira) => suggestions(jira, jira.query.fieldName, jira.query.fieldValue),
  'GET issue/picker': (jira) => {
    const { currentJQL, query } = jira.query
    const found = findIssues(jira, currentJQL).filter((one) => hasWords(query, `${one.key} ${valuesOf(one).summary}`))
    const issues = found.slice(0, 20).map(({ id, key, ...one }) => {
      const { summary } = fieldsOf(one.fields)
      return { id: Number(id), key, keyHtml: key, summary, summaryText: summary }
    })
    const sub = `Showing ${issues.length} matching issues`
    return { sections: [{ id: 'cs', label: 'Current Search', sub, issues }] }
  },
  'GET label': (jira) => {
    const labels = new Set([...jira.records.issues].flatMap((issue) => textsOf(valuesOf(issue).labels)))
    return jira.page([...labels].sort(), (one) => one, 'values', 1_000)
  },
}
