import type { Collection, Fields, Jira, Kept, Operations } from './jira.ts'
import { fieldsOf, pick } from './jira.ts'

/** Data of an application about a record, by keys. @param path of the record, which ends with its parameter */
function propertiesAt(path: string, collection: Collection): Operations {
  const parameter = path.replace(/^.*\{|\}$/g, '')
  const recordOf = (jira: Jira): Kept => jira.find(collection, jira.path[parameter])
  const keptOf = (jira: Jira): Fields => fieldsOf(recordOf(jira)._properties)
  const set = (jira: Jira, _properties: Fields) => jira.records[collection].update(recordOf(jira), { _properties })
  const keyOf = (jira: Jira): string => {
    const key = String(jira.path.propertyKey)
    return key in keptOf(jira) ? key : jira.fail(404, `The property with key '${key}' does not exist.`)
  }
  return {
    [`GET ${path}/properties`]: (jira) => {
      const { self } = recordOf(jira)
      return { keys: Object.keys(keptOf(jira)).map((key) => ({ key, self: jira.link(`${self}/properties/${key}`) })) }
    },
    [`GET ${path}/properties/{propertyKey}`]: (jira) => {
      const key = keyOf(jira)
      return { key, value: keptOf(jira)[key] }
    },
    [`PUT ${path}/properties/{propertyKey}`]: (jira) => {
      const [kept, key] = [keptOf(jira), String(jira.path.propertyKey)]
      set(jira, { ...kept, [key]: jira.body })
      return jira.respond(key in kept ? 200 : 201, {})
    },
    [`DELETE ${path}/properties/{propertyKey}`]: (jira) => {
      const [kept, key] = [keptOf(jira), keyOf(jira)]
      set(jira, pick(kept, ...Object.keys(kept).filter((name) => name !== key)))
    },
  }
}

export const properties: Operations = {
  ...propertiesAt('issue/{issueIdOrKey}', 'issues'),
  ...propertiesAt('issue/{issueIdOrKey}/worklog/{worklogId}', 'worklogs'),
  ...propertiesAt('comment/{commentId}', 'comments'),
  ...propertiesAt('project/{projectIdOrKey}', 'projects'),
}

export const agileProperties: Operations = {
  ...propertiesAt('board/{boardId}', 'boards'),
  ...propertiesAt('sprint/{sprintId}', 'sprints'),
}
