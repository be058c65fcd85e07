import type { Collection, Fields, Jira, Operations } from './jira.ts'
import { idOf, isAsked, pick, ref } from './jira.ts'

/** Collections that are read whole, by their paths. */
const LISTS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions', role: 'roles' },
  ...{ statuscategory: 'categories', field: 'fields' },
}
/** Collections whose records are read one by one. */
const READS: Readonly<Record<string, Collection>> = {
  ...{ issuetype: 'issuetypes', status: 'statuses', priority: 'priorities', resolution: 'resolutions' },
  ...{ issueLinkType: 'link_types', filter: 'filters', version: 'versions', component: 'components', role: 'roles' },
}

/** `statusCategory` of a status by the id of its category, in the words of `GET /rest/api/3/statuses/search`. */
const CATEGORIES: Readonly<Record<string, string>> = { 2: 'TODO', 4: 'IN_PROGRESS', 3: 'DONE' }

const toLinkType = ({ body }: Jira): Fields => pick(body, 'name', 'inward', 'outward')

/** What is the same for a whole site. */
export const lists: Operations = {
  ...Object.fromEntries(Object.entries(LISTS).map(([path, list]) => [`GET ${path}`, (jira) => jira.shown(list)])),
  ...Object.fromEntries(
    Object.entries(READS).map(([path, list]) => [`GET ${path}/{id}`, (jira) => jira.whole(list, jira.find(list))]),
  ),
  'GET issueLinkType': (jira) => ({ issueLinkTypes: jira.shown('link_types') }),
  'POST issueLinkType': (jira) => {
    const { name } = jira.body
    if (jira.lookUp('link_types', name)) jira.failField('name', `Another link type with name '${name}' already exists.`)
    return jira.respond(
      201,
      jira.whole('link_types', jira.add('link_types', 'issueLinkType', toLinkType(jira), 10_004)),
    )
  },
  'PUT issueLinkType/{id}': (jira) => jira.change('link_types', toLinkType(jira)),
  'DELETE issueLinkType/{id}': (jira) => {
    const { id } = jira.find('link_types')
    for (const link of jira.records.links.where({ type: ref('link_types', id) })) jira.records.links.remove(link)
    jira.remove('link_types')
  },
  'GET priority/search': (jira) => {
    const found = jira.all('priorities').filter(({ id }) => isAsked(jira.query.id, id))
    return jira.page(found, (one) => ({ ...jira.whole('priorities', one), isDefault: one.id === '3' }))
  },
  'GET statuses/search': (jira) =>
    jira.page(
      jira.all('statuses'),
      ({ id, name, description, statusCategory: of }) => {
        const statusCategory = CATEGORIES[String(idOf(of))]
        return { id, name, description, statusCategory, scope: { type: 'GLOBAL' } }
      },
      'values',
      200,
    ),
  'GET issuetype/project': (jira) => jira.find('projects', jira.query.projectId) && jira.shown('issuetypes'),
}
