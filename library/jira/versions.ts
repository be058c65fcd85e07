import { changeIssue } from './change-issue.ts'
import { tell } from './hooks.ts'
import type { Fields, Jira, Kept, Operations } from './jira.ts'
import { idOf, pick, ref, same, valuesOf } from './jira.ts'

type Field = 'components' | 'fixVersions' | 'versions'

/** Given fields of a record, with its lead. */
export const withLead = (body: Fields, ...names: string[]): Fields => ({
  ...pick(body, 'name', 'description', 'assigneeType', ...names),
  ...(body.leadAccountId !== undefined && { lead: ref('users', body.leadAccountId) }),
})
const toVersion = ({ body }: Jira): Fields =>
  pick(body, 'name', 'description', 'archived', 'released', 'startDate', 'releaseDate')

/** Creates a version or a component in its project, where its name is free. */
function addPart(jira: Jira, noun: 'version' | 'component', facts: Fields): Kept {
  const { project, projectId, name } = jira.body
  const of = `${projectId === undefined ? 'key' : 'id'} '${projectId ?? project}'`
  const absent = `No project could be found with ${of}.`
  const { id } = jira.lookUp('projects', projectId ?? project) ?? jira.fail(404, absent)
  const own = { projectId: Number(id), description: '', ...facts }
  if (typeof name !== 'string' || name === '') jira.failField('name', `You must specify a valid ${noun} name`)
  const subject = noun === 'version' ? 'A version with this name' : `A component with the name ${name}`
  if (jira.all(`${noun}s`, { projectId: own.projectId }).some((one) => same(one.name, name)))
    jira.failField('name', `${subject} already exists in this project.`)
  return jira.add(`${noun}s`, noun, own)
}

/** Replaces a part of issues, or takes it out. */
function replaceIn(jira: Jira, name: Field, { id }: Kept, by?: unknown, test = (_: Kept) => true): void {
  const list = name === 'components' ? 'components' : 'versions'
  for (const issue of jira.records.issues.where(test)) {
    const kept = [valuesOf(issue)[name] ?? []].flat()
    const others = kept.filter((one) => idOf(one) !== id)
    if (others.length < kept.length)
      changeIssue(jira, issue, { [name]: by === undefined ? others : [...others, ref(list, by)] })
  }
}

/** Removes the version of the path, and puts others into issues in its place. */
function removeVersion(jira: Jira, fixed?: unknown, affected?: unknown): void {
  const version = jira.find('versions', jira.path.id)
  replaceIn(jira, 'fixVersions', version, fixed)
  replaceIn(jira, 'versions', version, affected)
  jira.records.versions.remove(version)
  tell(jira, 'jira:version_deleted', version)
}

const isOpen = (issue: Kept): boolean => valuesOf(issue).resolution == null

/** Issues with a version or a component in a field. */
export const within = (jira: Jira, name: Field, { id }: Kept): Kept[] =>
  jira.records.issues.where((issue) => [valuesOf(issue)[name] ?? []].flat().some((one) => idOf(one) === id))

/** Versions and components of projects. */
export const versions: Operations = {
  'POST version': (jira) => {
    const version = addPart(jira, 'version', { archived: false, released: false, ...toVersion(jira) })
    return jira.whole('versions', tell(jira, 'jira:version_created', version))
  },
  'PUT version/{id}': (jira) => {
    const before = jira.find('versions')
    const version = jira.records.versions.update(before, toVersion(jira))
    tell(jira, 'jira:version_updated', version)
    if (version.released !== before.released)
      tell(jira, `jira:version_${version.released === true ? 'released' : 'unreleased'}`, version)
    const next = jira.body.moveUnfixedIssuesTo
    if (version.released === true && next !== undefined)
      replaceIn(jira, 'fixVersions', version, String(next).replace(/^.*\//, ''), isOpen)
    return jira.whole('versions', version)
  },
  'GET version/{id}/relatedIssueCounts': (jira) => {
    const version = jira.find('versions')
    const issuesFixedCount = within(jira, 'fixVersions', version).length
    const issuesAffectedCount = within(jira, 'versions', version).length
    const facts = { issuesFixedCount, issuesAffectedCount, issueCountWithCustomFieldsShowingVersion: 0 }
    return { self: jira.link(`version/${jira.path.id}`), ...facts }
  },
  'GET version/{id}/unresolvedIssueCount': (jira) => {
    const all = within(jira, 'fixVersions', jira.find('versions'))
    const self = jira.link(`version/${jira.path.id}`)
    return { self, issuesUnresolvedCount: all.filter(isOpen).length, issuesCount: all.length }
  },
  'GET component/{id}/relatedIssueCounts': (jira) => {
    const issueCount = within(jira, 'components', jira.find('components')).length
    return { self: jira.link(`component/${jira.path.id}`), issueCount }
  },
  'DELETE version/{id}': (jira) => removeVersion(jira, jira.query.moveFixIssuesTo, jira.query.moveAffectedIssuesTo),
  'POST version/{id}/removeAndSwap': (jira) =>
    removeVersion(jira, jira.body.moveFixIssuesTo, jira.body.moveAffectedIssuesTo),
  'PUT version/{id}/mergeto/{moveIssuesTo}': (jira) => {
    const { id } = jira.find('versions')
    removeVersion(jira, id, id)
  },
  'POST component': (jira) =>
    jira.whole('components', addPart(jira, 'component', { assigneeType: 'PROJECT_DEFAULT', ...withLead(jira.body) })),
  'PUT component/{id}': (jira) => jira.change('components', withLead(jira.body)),
  'DELETE component/{id}': (jira) => {
    replaceIn(jira, 'components', jira.find('components'), jira.query.moveIssuesTo)
    jira.remove('components')
  },
}
