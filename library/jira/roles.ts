import type { Fields, Jira, Json, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, idOf, ref, same, textsOf } from './jira.ts'
import { rolesOf } from './projects.ts'

const projectOf = (jira: Jira): Kept => jira.find('projects', jira.path.projectIdOrKey)

/** Who has the role of the path in its project: users and groups. */
const actorsOf = (jira: Jira): Json[] => [fieldsOf(projectOf(jira)._actors)[String(jira.find('roles').id)] ?? []].flat()

function setActors(jira: Jira, actors: readonly Fields[]): void {
  const { _actors } = projectOf(jira)
  jira.records.projects.update(projectOf(jira), {
    _actors: { ...fieldsOf(_actors), [String(jira.find('roles').id)]: [...actors] },
  })
}

/** Users and groups that a request names. */
function namedActors(jira: Jira, { user, group, groupId }: Fields): Fields[] {
  const toGroup = (test: (one: Kept) => boolean, name: string): Fields => {
    const found = jira.records.groups.find(test) ?? jira.fail(404, `The group '${name}' does not exist.`)
    return ref('groups', found.groupId)
  }
  return [
    ...textsOf(user).map((id) => ref('users', jira.find('users', id).accountId)),
    ...textsOf(group).map((name) => toGroup((one) => same(one.name, name), name)),
    ...textsOf(groupId).map((id) => toGroup((one) => one.groupId === id, id)),
  ]
}

function showActor(jira: Jira, actor: Json, id: number): Shown {
  const { accountId, name, groupId, displayName = name }: Fields = jira.deref(actor) ?? {}
  return accountId === undefined
    ? { id, displayName, type: 'atlassian-group-role-actor', actorGroup: { name, displayName, groupId } }
    : { id, displayName, type: 'atlassian-user-role-actor', actorUser: { accountId } }
}

function showRole(jira: Jira): Shown {
  const role = jira.find('roles')
  const actors = actorsOf(jira).map((one, at) => showActor(jira, one, 10_240 + at))
  return { ...jira.whole('roles', role), self: jira.link(`project/${projectOf(jira).id}/role/${role.id}`), actors }
}

const isOf =
  (actor: Json) =>
  (other: Json): boolean =>
    idOf(actor) === idOf(other)

/** Project roles, and who has them. */
export const roles: Operations = {
  'GET project/{projectIdOrKey}/role': (jira) => rolesOf(jira, projectOf(jira)),
  'GET project/{projectIdOrKey}/role/{id}': showRole,
  'POST project/{projectIdOrKey}/role/{id}': (jira) => {
    const [kept, added] = [actorsOf(jira), namedActors(jira, jira.body)]
    setActors(jira, [...kept.map(fieldsOf), ...added.filter((one) => !kept.some(isOf(one)))])
    return showRole(jira)
  },
  'PUT project/{projectIdOrKey}/role/{id}': (jira) => {
    const { 'atlassian-user-role-actor': user, ...groups } = fieldsOf(jira.body.categorisedActors)
    const { 'atlassian-group-role-actor': group, 'atlassian-group-role-actor-id': groupId } = groups
    setActors(jira, namedActors(jira, { user, group, groupId } as Fields))
    return showRole(jira)
  },
  'DELETE project/{projectIdOrKey}/role/{id}': (jira) => {
    const removed = namedActors(jira, jira.query)
    setActors(
      jira,
      actorsOf(jira)
        .map(fieldsOf)
        .filter((one) => !removed.some(isOf(one))),
    )
  },
}
