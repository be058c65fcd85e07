import { withStatus } from './change-issue.ts'
import { editIssue, removeIssue } from './issues.ts'
import type { Fields, Jira, Kept, Operations, Shown } from './jira.ts'
import { fieldsOf, listOf, ref, textsOf } from './jira.ts'
import { isEditable, metaOf, projectOf } from './show-issue.ts'

type Act = (jira: Jira, issue: Kept) => void

/** Does for each named issue what a request of many asks for, at once, and keeps the result as a task. */
function run(jira: Jira, work: readonly (readonly [names: unknown, act: Act])[]): unknown {
  const failedAccessibleIssues: Record<string, string[]> = {}
  const processedAccessibleIssues: number[] = []
  const all = work.flatMap(([names, act]) => [names ?? []].flat().map((name) => [name, act] as const))
  if (all.length === 0) jira.fail(400, 'selectedIssueIdsOrKeys must not be empty')
  if (all.length > 1_000) jira.fail(400, 'The number of selected issues must not be over 1000')
  let absent = 0
  for (const [name, act] of all) {
    const issue = jira.lookUp('issues', name)
    const error = issue && jira.refusalOf(() => act(jira, issue))
    if (issue === undefined) absent += 1
    else if (error === undefined) processedAccessibleIssues.push(Number(issue.id))
    else failedAccessibleIssues[issue.id] = [error]
  }
  const [now, facts] = [jira.now.getTime(), { processedAccessibleIssues, failedAccessibleIssues }]
  const task = jira.records.tasks.create({
    ...{ id: jira.next('tasks'), status: 'COMPLETE', progressPercent: 100, totalIssueCount: all.length, ...facts },
    ...{ invalidOrInaccessibleIssueCount: absent, created: now, started: now, updated: now },
    submittedBy: { accountId: jira.me.accountId ?? null },
  })
  return jira.respond(201, { taskId: task.id })
}

const each =
  (toAct: (jira: Jira) => Act) =>
  (jira: Jira): unknown =>
    run(jira, [[jira.body.selectedIssueIdsOrKeys, toAct(jira)]])

const watch =
  (isIn: boolean): Act =>
  (jira, issue) => {
    const { accountId } = jira.me
    const others = listOf(issue._watchers).filter(({ id }) => id !== accountId)
    jira.records.issues.update(issue, { _watchers: isIn ? [...others, ref('users', accountId)] : others })
  }

/** The value of an edited field, by the name of its group in `editedFieldsInput`. */
const VALUES: Readonly<Record<string, (given: Fields) => unknown>> = {
  clearableNumberFields: ({ value }) => value,
  datePickerFields: ({ date }) => fieldsOf(date).formattedDate,
  dateTimePickerFields: ({ dateTime }) => fieldsOf(dateTime).formattedDateTime,
  richTextFields: ({ richText }) => fieldsOf(richText).adfValue,
  singleLineTextFields: ({ text }) => text,
  singleSelectClearableUserPickerFields: ({ user }) => user,
}
/** The same of fields with lists: their items, and what names one. */
const ITEMS: Readonly<Record<string, (given: Fields) => unknown[]>> = {
  labelsFields: ({ labels }) => listOf(labels).map(({ name }) => name),
  multipleSelectFields: ({ options }) => listOf(options).map(({ optionId: id }) => ({ id })),
  multipleVersionPickerFields: ({ versions }) => listOf(versions).map(({ versionId: id }) => ({ id })),
}

/** The edits of a request, as those of one issue. */
function toEdit({ body: { editedFieldsInput } }: Jira): Fields {
  const fields: Record<string, unknown> = {}
  const update: Record<string, unknown> = {}
  const given = fieldsOf(editedFieldsInput)
  for (const [group, value] of Object.entries(given)) {
    if (group === 'priority') fields.priority = { id: fieldsOf(value).priorityId }
    if (group === 'issueType') fields.issuetype = { id: fieldsOf(value).issueTypeId }
    for (const one of listOf(value)) {
      const [id, items] = [String(one.fieldId), ITEMS[group]?.(one)]
      const option = String(one.bulkEditMultiSelectFieldOption ?? 'REPLACE')
      if (items === undefined) fields[id] = VALUES[group]?.(one) ?? null
      else if (/^REPLACE|^REMOVE_ALL/.test(option)) fields[id] = option === 'REPLACE' ? items : []
      else update[id] = items.map((item) => ({ [option.toLowerCase()]: item }))
    }
  }
  return { fields, update } as Fields
}

const issuesOf = ({ query }: Jira) => textsOf(query.issueIdsOrKeys)

/** What is done to many issues in the background: here at once, so that a task is complete when it is first read. */
export const bulk: Operations = {
  'GET bulk/issues/transition': (jira) => {
    const issues = issuesOf(jira).map((name) => jira.find('issues', name).key)
    const transitions = jira.all('transitions').map(({ id, name, to }): Shown => {
      const status = jira.deref(to)
      return {
        ...{ transitionId: Number(id), transitionName: name },
        to: { statusId: Number(status?.id), statusName: status?.name },
      }
    })
    return { availableTransitions: [{ issues, isTransitionsFiltered: false, transitions }] }
  },
  'POST bulk/issues/transition': (jira) =>
    run(
      jira,
      listOf(jira.body.bulkTransitionInputs).map(({ selectedIssueIdsOrKeys, transitionId: id }) => {
        const wrong = `Transition id '${id}' is not valid.`
        const { to } = jira.lookUp('transitions', id) ?? jira.fail(400, wrong)
        return [
          selectedIssueIdsOrKeys,
          (_, issue) => editIssue(jira, issue, {}, isEditable, withStatus(jira, fieldsOf(to))),
        ]
      }),
    ),
  'GET bulk/issues/fields': (jira) => {
    const [name = ''] = issuesOf(jira)
    const metas = metaOf(jira, projectOf(jira, jira.find('issues', name)), isEditable)
    const fields = Object.values(metas).map((one) => {
      const { fieldId: id, name, schema, required } = fieldsOf(one)
      return { id, name, type: fieldsOf(schema).system ?? fieldsOf(schema).custom, isRequired: required }
    })
    return { fields }
  },
  'POST bulk/issues/fields': each((jira) => (_, issue) => editIssue(jira, issue, toEdit(jira))),
  'POST bulk/issues/delete': each(() => removeIssue),
  'POST bulk/issues/watch': each(() => watch(true)),
  'POST bulk/issues/unwatch': each(() => watch(false)),
  'GET bulk/queue/{taskId}': (jira) => {
    const { id: taskId, ...task } = jira.find('tasks')
    return { taskId, ...task }
  },
}
