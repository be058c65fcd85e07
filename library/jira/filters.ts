import type { Fields, Jira, Kept, Operations } from './jira.ts'
import { hasWords, pick, same } from './jira.ts'
import { readJql } from './jql.ts'

/** The given fields of a filter, whose JQL is read. */
function toFilter(jira: Jira, own?: Kept): Fields {
  const usual = { jql: '', description: '', favourite: false, sharePermissions: [], editPermissions: [] }
  const facts: Fields = { ...usual, ...own, ...pick(jira.body, 'name', ...Object.keys(usual)) }
  if (typeof facts.name !== 'string' || facts.name === '')
    jira.failField('name', 'You must specify a name to save this filter as.')
  if (jira.records.filters.some((one) => one.id !== own?.id && same(one.name, facts.name)))
    jira.failField('filterName', 'Filter with same name already exists.')
  readJql(jira, String(facts.jql))
  return facts
}

export const filters: Operations = {
  'POST filter': (jira) => {
    const subscriptions = { size: 0, items: [], 'max-results': 0, 'start-index': 0, 'end-index': 0 }
    return jira.whole('filters', jira.add('filters', 'filter', { owner: jira.who, subscriptions, ...toFilter(jira) }))
  },
  'GET filter/search': (jira) => {
    const found = jira.all('filters').filter(({ name }) => hasWords(jira.query.filterName, name))
    return jira.page(found, (one) => ({ ...jira.whole('filters', one), subscriptions: [] }))
  },
  'GET filter/favourite': (jira) => jira.shown('filters', jira.all('filters', { favourite: true })),
  'PUT filter/{id}/favourite': (jira) => jira.change('filters', { favourite: true }),
  'DELETE filter/{id}/favourite': (jira) => jira.change('filters', { favourite: false }),
  'GET filter/my': (jira) => jira.shown('filters', jira.all('filters', { owner: jira.who })),
  'PUT filter/{id}': (jira) => jira.change('filters', toFilter(jira, jira.find('filters'))),
  'DELETE filter/{id}': (jira) => void jira.remove('filters'),
}
