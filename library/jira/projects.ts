import { addBoard } from './agile.ts'
import {
  type Context,
  type Fields,
  fail,
  fieldsOf,
  type Json,
  type Kept,
  linkTo,
  nextOf,
  projectOf,
  recordOf,
  type Shown,
  same,
  showUser,
  textsOf,
  toPage,
  type Work,
} from './context.ts'
import { avatarsOf } from './fields.ts'
import { happen } from './hooks.ts'
import { changeIssue } from './issues.ts'
import { OPTIONS, showOption } from './scheme.ts'

const pathProject = (context: Context): Kept => projectOf(context, context.path.projectIdOrKey)
const noContent = (context: Context): object => context.respond({ status: 204 })

/** A project. @param isWhole whether with its components, versions, types and roles */
function showProject(work: Work, project: Kept, isWhole = true): Shown {
  const { id, key, name, description, lead, assigneeType, projectTypeKey } = project
  const all = (collection: 'components' | 'versions') => work.records[collection].where({ project: id }).toReversed()
  const facts = { simplified: false, style: 'classic', isPrivate: false, properties: {}, entityId: undefined }
  const whole = (): Shown => ({
    description,
    lead: showUser(work, lead),
    assigneeType,
    components: all('components').map((one) => showComponent(work, one)),
    versions: all('versions').map((one) => showVersion(work, one)),
    issueTypes: OPTIONS.issuetype.map((one) => showOption(work, 'issuetype', one.id)),
    roles: rolesOf(work, project),
  })
  return {
    expand: 'description,lead,issueTypes,url,projectKeys,permissions,insight',
    self: linkTo(work, `project/${id}`),
    id,
    key,
    name,
    avatarUrls: avatarsOf(id),
    projectTypeKey,
    ...facts,
    ...(isWhole && whole()),
  }
}

const rolesOf = (work: Work, { id }: Kept): Shown =>
  Object.fromEntries(OPTIONS.role.map((one) => [one.name, linkTo(work, `project/${id}/role/${one.id}`)]))

const showVersion = (
  work: Work,
  { id, project, name, description, archived, released, startDate, releaseDate }: Kept,
): Shown => ({
  self: linkTo(work, `version/${id}`),
  id,
  name,
  description,
  archived,
  released,
  ...(startDate != null && { startDate }),
  ...(releaseDate != null && {
    releaseDate,
    overdue: released === false && String(releaseDate) < work.now.toISOString().slice(0, 10),
  }),
  projectId: Number(project),
})

function showComponent(work: Work, { id, project, name, description, lead, assigneeType }: Kept): Shown {
  const { key, lead: own } = fieldsOf(work.records.projects.get(String(project)))
  const person = assigneeType === 'COMPONENT_LEAD' ? lead : assigneeType === 'PROJECT_LEAD' ? own : null
  const user = person == null ? {} : { assignee: showUser(work, person), realAssignee: showUser(work, person) }
  return {
    self: linkTo(work, `component/${id}`),
    id,
    name,
    description,
    ...(lead != null && { lead: showUser(work, lead) }),
    assigneeType,
    ...user,
    realAssigneeType: assigneeType,
    isAssigneeTypeValid: person != null,
    project: key,
    projectId: Number(project),
  }
}

const tell = (context: Context, type: string, name: string, show: (of: Work) => Shown): void =>
  happen(context, type, (of) => ({ [name]: show(of) }))
const tellVersion = (context: Context, verb: string, version: Kept): void =>
  tell(context, `jira:version_${verb}`, 'version', (of) => showVersion(of, version))
const tellProject = (context: Context, verb: string, project: Kept): void =>
  tell(context, `project_${verb}`, 'project', (of) => ({
    ...showProject(of, project, false),
    id: Number(project.id),
    projectLead: showUser(of, project.lead),
  }))

function checkProject(context: Context, { key, name, leadAccountId }: Fields, own?: Kept): void {
  const { projects, users } = context.records
  const errors: Record<string, string> = {}
  const other = (test: (one: Kept) => boolean) => [...projects].find((one) => one.id !== own?.id && test(one))
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
  if (leadAccountId !== undefined && users.get(String(leadAccountId)) === undefined)
    errors.projectLead = 'The project lead does not exist.'
  if (Object.keys(errors).length > 0) fail(context, 400, [], errors)
}

/** Given fields of a record, by their names. */
const pick = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))) as Fields
const PROJECT_FIELDS = ['key', 'name', 'description', 'assigneeType']
const VERSION_FIELDS = ['name', 'description', 'archived', 'released', 'startDate', 'releaseDate']
const COMPONENT_FIELDS = ['name', 'description', 'assigneeType']

const versionOf = (context: Context): Kept =>
  recordOf(context, 'versions', context.path.id, `Could not find version for id '${context.path.id}'`)
const componentOf = (context: Context): Kept =>
  recordOf(context, 'components', context.path.id, `The component with id ${context.path.id} does not exist.`)

/** The project of a new part, whose name is free. */
function homeOf(context: Context, collection: 'components' | 'versions', noun: string): Kept {
  const { project, projectId, name } = context.body
  const { projects } = context.records
  const found = projects.get(String(projectId)) ?? projects.find({ key: String(project).toUpperCase() })
  if (found === undefined)
    return fail(
      context,
      404,
      `No project could be found with ${projectId === undefined ? 'key' : 'id'} '${projectId ?? project}'.`,
    )
  if (typeof name !== 'string' || name === '')
    return fail(context, 400, [], { name: `You must specify a valid ${noun} name` })
  if (context.records[collection].where({ project: found.id }).some((one) => same(one.name, name)))
    return fail(context, 400, [], {
      name:
        noun === 'version'
          ? 'A version with this name already exists in this project.'
          : `A component with the name ${name} already exists in this project.`,
    })
  return found
}

/** Removes a part from issues, or replaces it. */
function replaceIn(context: Context, names: readonly string[], id: string, by?: unknown): void {
  for (const issue of context.records.issues) {
    const values = fieldsOf(issue.values)
    const change = names.flatMap((name): [string, Json][] => {
      const ids = values[name] as string[]
      const others = ids.filter((one) => one !== id)
      return others.length === ids.length ? [] : [[name, by === undefined ? others : [...others, String(by)]]]
    })
    if (change.length > 0) changeIssue(context, issue, Object.fromEntries(change))
  }
}

function sortBy(context: Context, list: Kept[]): Kept[] {
  const order = String(context.query.orderBy ?? '')
  const name = order.replace(/^[-+]/, '')
  if (name === '' || name === 'sequence') return list
  const sorted = list.toSorted((a, b) => String(a[name]).localeCompare(String(b[name])))
  return order.startsWith('-') ? sorted.reverse() : sorted
}

const matching = (context: Context, list: Kept[]): Kept[] => {
  const words = String(context.query.query ?? '').toLowerCase()
  return sortBy(
    context,
    list.filter(({ key = '', name }) => `${key} ${name}`.toLowerCase().includes(words)),
  )
}

const allProjects = ({ records }: Context): Kept[] => [...records.projects].toReversed()

export const projects = {
  'GET /rest/api/3/project': (context: Context) => allProjects(context).map((one) => showProject(context, one, false)),
  'GET /rest/api/3/project/search': (context: Context) => {
    const [keys, ids] = [textsOf(context.query.keys), textsOf(context.query.id)]
    const found = allProjects(context).filter(({ id, key, projectTypeKey }) => {
      const types = textsOf(context.query.typeKey)
      return (
        (keys.length === 0 || keys.includes(String(key))) &&
        (ids.length === 0 || ids.includes(id)) &&
        (types.length === 0 || types.includes(String(projectTypeKey)))
      )
    })
    const expand = textsOf(context.query.expand)
    return {
      self: linkTo(context, 'project/search'),
      ...toPage(context, matching(context, found), (one) => ({
        ...showProject(context, one, false),
        ...(expand.includes('lead') && { lead: showUser(context, one.lead) }),
        ...(expand.includes('description') && { description: one.description }),
        ...(expand.includes('issueTypes') && {
          issueTypes: OPTIONS.issuetype.map(({ id }) => showOption(context, 'issuetype', id)),
        }),
      })),
    }
  },
  'POST /rest/api/3/project': (context: Context) => {
    const { body } = context
    const { projectTypeKey = 'software', projectTemplateKey = '' } = body
    checkProject(context, { ...body, leadAccountId: body.leadAccountId ?? body.lead ?? null } as Fields)
    const facts = {
      description: '',
      assigneeType: 'UNASSIGNED',
      ...pick(body, PROJECT_FIELDS),
      projectTypeKey,
      lead: body.leadAccountId ?? body.lead ?? null,
      last_number: 0,
    }
    const project = context.records.projects.create({
      id: String(nextOf(context, 'projects', 10_001)),
      ...facts,
    } as Fields)
    tellProject(context, 'created', project)
    const [kind] = /scrum|kanban/.exec(String(projectTemplateKey)) ?? []
    if (kind !== undefined) addBoard(context, project, kind)
    return context.respond({
      status: 201,
      body: { self: linkTo(context, `project/${project.id}`), id: Number(project.id), key: project.key },
    })
  },
  'GET /rest/api/3/project/{projectIdOrKey}': (context: Context) => showProject(context, pathProject(context)),
  'PUT /rest/api/3/project/{projectIdOrKey}': (context: Context) => {
    const { records, body } = context
    const project = pathProject(context)
    checkProject(context, body, project)
    const changed = records.projects.update(project.id, {
      ...pick(body, PROJECT_FIELDS),
      ...(body.leadAccountId !== undefined && { lead: body.leadAccountId }),
    })
    if (changed.key !== project.key)
      for (const { id, key } of [...records.issues].filter((one) => one.project === project.id))
        records.issues.update(id, { key: String(key).replace(/^.*-/, `${changed.key}-`) })
    tellProject(context, 'updated', changed)
    return showProject(context, changed)
  },
  'DELETE /rest/api/3/project/{projectIdOrKey}': (context: Context) => {
    const { records } = context
    const project = pathProject(context)
    for (const { id } of [...records.issues].filter((one) => one.project === project.id)) records.issues.remove(id)
    for (const name of ['versions', 'components', 'boards'] as const)
      for (const { id } of records[name].where({ project: project.id })) records[name].remove(id)
    records.projects.remove(project.id)
    tellProject(context, 'deleted', project)
    return noContent(context)
  },
  'GET /rest/api/3/project/{projectIdOrKey}/statuses': (context: Context) => {
    pathProject(context)
    const statuses = OPTIONS.status.map(({ id }) => showOption(context, 'status', id))
    return OPTIONS.issuetype.map(({ id, name, subtask }) => ({
      self: linkTo(context, `issuetype/${id}`),
      id,
      name,
      subtask,
      statuses,
    }))
  },
  'GET /rest/api/3/project/{projectIdOrKey}/components': (context: Context) =>
    context.records.components
      .where({ project: pathProject(context).id })
      .toReversed()
      .map((one) => showComponent(context, one)),
  'GET /rest/api/3/project/{projectIdOrKey}/versions': (context: Context) =>
    context.records.versions
      .where({ project: pathProject(context).id })
      .toReversed()
      .map((one) => showVersion(context, one)),
  'GET /rest/api/3/project/{projectIdOrKey}/version': (context: Context) => {
    const wanted = textsOf(context.query.status)
    const all = context.records.versions.where({ project: pathProject(context).id }).toReversed()
    const found = all.filter(
      ({ archived, released }) =>
        wanted.length === 0 ||
        wanted.includes(archived === true ? 'archived' : released === true ? 'released' : 'unreleased'),
    )
    return toPage(context, matching(context, found), (one) => showVersion(context, one))
  },
  'GET /rest/api/3/project/{projectIdOrKey}/role': (context: Context) => rolesOf(context, pathProject(context)),
  'POST /rest/api/3/version': (context: Context) => {
    const project = homeOf(context, 'versions', 'version')
    const facts = {
      description: '',
      archived: false,
      released: false,
      ...pick(context.body, VERSION_FIELDS),
      project: project.id,
    }
    const version = context.records.versions.create({ id: String(nextOf(context, 'versions')), ...facts })
    tellVersion(context, 'created', version)
    return showVersion(context, version)
  },
  'GET /rest/api/3/version/{id}': (context: Context) => showVersion(context, versionOf(context)),
  'PUT /rest/api/3/version/{id}': (context: Context) => {
    const before = versionOf(context)
    const version = context.records.versions.update(before.id, pick(context.body, VERSION_FIELDS))
    tellVersion(context, 'updated', version)
    if (version.released !== before.released)
      tellVersion(context, version.released === true ? 'released' : 'unreleased', version)
    const { moveUnfixedIssuesTo } = context.body
    if (version.released === true && moveUnfixedIssuesTo !== undefined)
      for (const issue of context.records.issues) {
        const { fixVersions, resolution } = fieldsOf(issue.values) as { fixVersions: string[]; resolution: Json }
        if (resolution === null && fixVersions.includes(version.id))
          changeIssue(context, issue, {
            fixVersions: [
              ...fixVersions.filter((one) => one !== version.id),
              String(moveUnfixedIssuesTo).replace(/^.*\//, ''),
            ],
          })
      }
    return showVersion(context, version)
  },
  'DELETE /rest/api/3/version/{id}': (context: Context) => {
    const version = versionOf(context)
    const { moveFixIssuesTo, moveAffectedIssuesTo } = context.query
    replaceIn(context, ['fixVersions'], version.id, moveFixIssuesTo)
    replaceIn(context, ['versions'], version.id, moveAffectedIssuesTo)
    context.records.versions.remove(version.id)
    tellVersion(context, 'deleted', version)
    return noContent(context)
  },
  'POST /rest/api/3/component': (context: Context) => {
    const project = homeOf(context, 'components', 'component')
    const facts = {
      description: '',
      assigneeType: 'PROJECT_DEFAULT',
      ...pick(context.body, COMPONENT_FIELDS),
      lead: context.body.leadAccountId ?? null,
      project: project.id,
    }
    const component = context.records.components.create({ id: String(nextOf(context, 'components')), ...facts })
    return showComponent(context, component)
  },
  'GET /rest/api/3/component/{id}': (context: Context) => showComponent(context, componentOf(context)),
  'PUT /rest/api/3/component/{id}': (context: Context) => {
    const { leadAccountId } = context.body
    const change = {
      ...pick(context.body, COMPONENT_FIELDS),
      ...(leadAccountId !== undefined && { lead: leadAccountId }),
    }
    return showComponent(context, context.records.components.update(componentOf(context).id, change))
  },
  'DELETE /rest/api/3/component/{id}': (context: Context) => {
    const { id } = componentOf(context)
    replaceIn(context, ['components'], id, context.query.moveIssuesTo)
    context.records.components.remove(id)
    return noContent(context)
  },
}
