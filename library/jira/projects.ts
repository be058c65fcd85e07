import { addBoard } from './agile.ts'
import { happen } from './hooks.ts'
import type { Collection, Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { isAsked, matching, ref, same, textsOf } from './jira.ts'
import { within, withLead } from './versions.ts'

/** A project as lists show it. */
const inList = (jira: Jira, { lead: _, description: __, assigneeType: ___, ...project }: Kept): Shown =>
  jira.whole('projects', project)

export const rolesOf = (jira: Jira, { id }: Kept): Shown =>
  Object.fromEntries(jira.all('roles').map((one) => [one.name, jira.link(`project/${id}/role/${one.id}`)]))

const showProject = (jira: Jira, project: Kept): Shown => {
  const of = { projectId: Number(project.id) }
  const components = jira.shown('components', jira.all('components', of))
  const versions = jira.shown('versions', jira.all('versions', of))
  const parts = { components, versions, roles: rolesOf(jira, project), issueTypes: jira.shown('issuetypes') }
  return { ...jira.whole('projects', project), ...parts }
}

function tellProject(jira: Jira, verb: string, project: Kept): void {
  const toFacts = (of: Jira) => ({ ...inList(of, project), id: Number(project.id), projectLead: of.show(project.lead) })
  happen(jira, `project_${verb}`, (of) => ({ project: toFacts(of) }))
}

function checkProject(jira: Jira, { key, name, leadAccountId }: Fields, own?: Kept): void {
  const errors: Record<string, string> = {}
  const other = (test: (one: Kept) => boolean) => jira.records.projects.find((one) => one.id !== own?.id && test(one))
  const byKey = other((one) => same(one.key, key))
  if (key !== undefined && !/^[A-Z][A-Z0-9_]{1,9}$/.test(String(key)))
    errors.projectKey =
      'Project keys must start with an uppercase letter, followed by one or more uppercase alphanumeric characters.'
  else if (key !== undefined && byKey !== undefined)
    errors.projectKey = `Project '${byKey.name}' uses this project key.`
  if (name === '' || (own === undefined && name === undefined))
    errors.projectName = 'You must specify a valid project name.'
  else if (name !== undefined && other((one) => same(one.name, name)) !== undefined)
    errors.projectName = 'A project with that name already exists.'
  if (own === undefined && leadAccountId === undefined) errors.projectLead = 'You must specify a valid project lead.'
  if (leadAccountId !== undefined && jira.lookUp('users', leadAccountId) === undefined)
    errors.projectLead = 'The project lead does not exist.'
  if (Object.keys(errors).length > 0) jira.fail(400, [], errors)
}

export const projects: Operations = {
  'GET project': (jira) => jira.all('projects').map((one) => inList(jira, one)),
  'GET project/search': (jira) => {
    const { keys, id: ids, typeKey, expand } = jira.query
    const isFound = ({ id, key, projectTypeKey }: Kept): boolean =>
      isAsked(keys, key) && isAsked(ids, id) && isAsked(typeKey, projectTypeKey)
    const found = jira.all('projects').filter(isFound)
    return jira.page(matching(jira, found), (one) => {
      const { lead, description, issueTypes } = showProject(jira, one)
      const more = Object.entries({ lead, description, issueTypes }).filter(([name]) => textsOf(expand).includes(name))
      return { ...inList(jira, one), ...Object.fromEntries(more) }
    })
  },
  'POST project': (jira) => {
    const { lead, leadAccountId = lead, projectTypeKey = 'software', projectTemplateKey } = jira.body
    const body = { ...jira.body, ...(leadAccountId !== undefined && { leadAccountId }) }
    checkProject(jira, body)
    const usual = { description: '', assigneeType: 'UNASSIGNED', projectTypeKey, _last: 0 }
    const made = jira.add('projects', 'project', { ...usual, ...withLead(body, 'key') }, 10_001)
    const picture = `https://avatars.example/${made.id}.svg`
    const avatarUrls = { '48x48': picture, '24x24': picture, '16x16': picture, '32x32': picture }
    const project = jira.records.projects.update(made, { avatarUrls })
    tellProject(jira, 'created', project)
    const [kind] = /scrum|kanban/.exec(String(projectTemplateKey)) ?? []
    if (kind !== undefined) addBoard(jira, project, kind)
    return jira.respond(201, { ...jira.whole('projects', project, ['key']), id: Number(project.id) })
  },
  'GET project/{projectIdOrKey}': (jira) => showProject(jira, jira.find('projects')),
  'PUT project/{projectIdOrKey}': (jira) => {
    const { issues, projects } = jira.records
    const project = jira.find('projects')
    checkProject(jira, jira.body, project)
    const changed = projects.update(project, withLead(jira.body, 'key'))
    if (changed.key !== project.key)
      for (const issue of issues.where({ 'fields.project': ref('projects', project.id) }))
        issues.update(issue, { key: String(issue.key).replace(/^.*-/, `${changed.key}-`) })
    tellProject(jira, 'updated', changed)
    return showProject(jira, changed)
  },
  'DELETE project/{projectIdOrKey}': (jira) => {
    const { id } = jira.find('projects')
    const mine = ref('projects', id)
    const parts = { issues: { 'fields.project': mine }, versions: { projectId: Number(id) } }
    const others = { components: { projectId: Number(id) }, boards: { _project: mine } }
    for (const [name, equal] of Object.entries({ ...parts, ...others }))
      for (const one of jira.all(name as Collection, equal)) jira.records[name as Collection].remove(one)
    tellProject(jira, 'deleted', jira.remove('projects'))
  },
  'GET project/{projectIdOrKey}/statuses': (jira) => {
    jira.find('projects', jira.path.projectIdOrKey)
    const show = (one: Kept): Shown => jira.whole('issuetypes', one, ['id', 'name', 'subtask'])
    return jira.all('issuetypes').map((one) => ({ ...show(one), statuses: jira.shown('statuses') }))
  },
  'GET project/{projectIdOrKey}/components': (jira) => showProject(jira, jira.find('projects')).components,
  'GET project/{projectIdOrKey}/versions': (jira) => showProject(jira, jira.find('projects')).versions,
  'GET project/{projectIdOrKey}/version': (jira) => {
    const all = jira.all('versions', { projectId: Number(jira.find('projects', jira.path.projectIdOrKey).id) })
    const stateOf = ({ archived, released }: Kept) => (archived ? 'archived' : released ? 'released' : 'unreleased')
    const found = all.filter((one) => isAsked(jira.query.status, stateOf(one)))
    return jira.list('versions', matching(jira, found))
  },
  'GET project/{projectIdOrKey}/component': (jira) => {
    const all = jira.all('components', { projectId: Number(jira.find('projects').id) })
    return jira.page(matching(jira, all), (one) => {
      return { ...jira.whole('components', one), issueCount: within(jira, 'components', one).length }
    })
  },
}
