import type { Collection, Operations } from './jira.ts'
import { idOf, isAsked } from './jira.ts'

/** Collections that are read whole, by their paths. */
const LISTS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions', role: 'roles' },
  ...{ statuscategory: 'categories', field: 'fields' },
}
/** Collections whose records are read one by one. */
const READS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions' },
  ...{ issueLinkType: 'link_types', filter: 'filters', version: 'versions', component: 'components' },
}

/** `statusCategory` of a status by the id of its category, in the words of `GET /rest/api/3/statuses/search`. */
const CATEGORIES: Readonly<Record<string, string>> = { 2: 'TODO', 4: 'IN_PROGRESS', 3: 'DONE' }

/** What is the same for a whole site. */
export const lists: Operations = {
  ...Object.fromEntries(Object.entries(LISTS).map(([path, list]) => [`GET ${path}`, (jira) => jira.shown(list)])),
  ...Object.fromEntries(
    Object.entries(READS).map(([path, list]) => [`GET ${path}/{id}`, (jira) => jira.whole(list, jira.find(list))]),
  ),
  'GET issueLinkType': (jira) => ({ issueLinkTypes: jira.shown('link_types') }),
  'GET priority/search': (jira) => {
    const found = jira.all('priorities').filter(({ id }) => isAsked(jira.query.id, id))
    return jira.page(found, (one) => ({ ...jira.whole('priorities', one), isDefault: one.id === '3' }))
  },
  'GET statuses/search': (jira) =>
    jira.page(jira.all('statuses'), ({ id, name, description, statusCategory: of }) => {
      const statusCategory = CATEGORIES[String(idOf(of))]
      return { id, name, description, statusCategory, scope: { type: 'GLOBAL' } }
    }),
  'GET issuetype/project': (jira) => jira.find('projects', jira.query.projectId) && jira.shown('issuetypes'),
}
