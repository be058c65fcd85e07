import { isDocument, textOf, toDocument } from './documents.ts'
import type { Collection, Fields, Jira, Json, Kept, Shown } from './jira.ts'
import { fieldsOf, idOf, isEpic, known, listOf, ref, same, toTime, valuesOf } from './jira.ts'

/** A field of issues, as `GET /field` shows it. `_fixed` are those that requests cannot set. */
export type Field = Kept & { readonly id: string; readonly name: string; readonly schema: Fields }

/** A value as changelogs and JQL name it. */
export interface Entry {
  readonly id: string
  readonly name: string
  /** Other names. */
  readonly also?: readonly unknown[]
  readonly order?: number
}

/** Reads a value of a request that is not null. @param values of the issue so far */
type Read = (jira: Jira, value: Json, values: Fields, field: Field) => Json

const namesOf = (given: Json): Fields => (typeof given === 'object' ? fieldsOf(given) : { id: given })
const listed = (jira: Jira, value: Json): Json[] =>
  Array.isArray(value) ? value : jira.fail(400, 'data was not an array')
const isOf = (project: unknown, { projectId }: Kept): boolean =>
  projectId === undefined || projectId === Number(idOf(project))

/** A record of a list of the site, or of one of the project. */
const option =
  (list: Collection, noun: string): Read =>
  (jira, value, { project }) => {
    const { id, name } = namesOf(value)
    const isNamed = (one: Kept): boolean => (id === undefined ? same(one.name, name) : one.id === String(id))
    const found = jira.records[list].find((one) => isOf(project, one) && isNamed(one))
    const by = id === undefined ? 'name' : 'id'
    return found ? ref(list, found.id) : jira.fail(400, `${noun} ${by} '${id ?? name}' is not valid`)
  }

const each =
  (read: Read): Read =>
  (jira, value, ...rest) =>
    listed(jira, value).map((one) => read(jira, one, ...rest))

const date =
  (form: RegExp, toShown: (text: string) => string): Read =>
  (jira, value) =>
    form.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
      ? toShown(String(value))
      : jira.fail(400, `Error parsing date string: ${value}`)

/** An option of a custom field. */
const choice: Read = (jira, value, { _parent = null }, { id: field }) => {
  const { id, value: name } = namesOf(value)
  const by = id === undefined ? 'value' : 'id'
  const found = jira.records.options.find(
    (one) => one._field === field && (one._parent ?? null) === _parent && same(one[by], id ?? name),
  )
  return found ? ref('options', found.id) : jira.fail(400, `Option ${by} '${id ?? name}' is not valid`)
}

const issue: Read = (jira, value) => {
  const { id, key = id } = namesOf(value)
  const found = jira.lookUp('issues', key)
  return found ? ref('issues', found.id) : jira.fail(400, 'Could not find issue by id or key.')
}

const UNITS: Readonly<Record<string, number>> = { w: 5 * 8 * 3_600, d: 8 * 3_600, h: 3_600, m: 60 }

/** Seconds of `2d 4h`, with days of eight hours and weeks of five days. */
export function toSeconds(text: unknown): number | undefined {
  const parts = String(text).trim().split(/\s+/)
  if (!parts.every((part) => /^\d+(\.\d+)?[wdhm]?$/.test(part))) return undefined
  return parts.reduce((sum, part) => sum + Number.parseFloat(part) * (UNITS[part.slice(-1)] ?? 60), 0)
}

export function toPretty(seconds: unknown): string {
  let left = Number(seconds)
  const texts = Object.entries(UNITS).flatMap(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? [`${count}${unit}`] : []
  })
  return texts.join(' ') || '0m'
}

/** A value of the time tracking of an issue, of seconds by name. */
export function toTracking(seconds: object): Fields {
  const facts = Object.entries(known(seconds)).map(([name, one]) => {
    return { [name]: toPretty(one), [`${name}Seconds`]: Number(one) }
  })
  return Object.assign({}, ...facts)
}

/** By kinds of fields. */
const READS: Readonly<Record<string, Read>> = {
  string: (jira, value, _, { id }) => {
    const most = 'The entered text is too long. It exceeds the allowed limit of 255 characters.'
    if (typeof value !== 'string') return jira.fail(400, 'Operation value must be a string')
    if (value.length > 255) return jira.fail(400, id === 'summary' ? "Summary can't exceed 255 characters." : most)
    if (!value.includes('\n')) return value
    return jira.fail(400, 'The summary is invalid because it contains newline characters.')
  },
  document: (jira, value) => {
    if (jira.version === 2 && typeof value === 'string') return value === '' ? null : toDocument(value)
    const wanted = jira.version === 2 ? 'a string' : 'an Atlassian Document (see the Atlassian Document Format)'
    return isDocument(value) ? value : jira.fail(400, `Operation value must be ${wanted}`)
  },
  number: (jira, value) => (typeof value === 'number' ? value : jira.fail(400, 'Operation value must be a number')),
  date: date(/^\d{4}-\d\d-\d\d$/, (day) => day),
  datetime: date(/./, toTime),
  user: (jira, value, values, { id: field, name: label }) => {
    const { accountId, id = accountId } = fieldsOf(value)
    if (id === null) return null
    if (id === '-1') return automaticAssignee(jira, values)
    const found = jira.lookUp('users', id) ?? jira.fail(400, `Specify a valid value for ${field}`)
    return found.active === false ? jira.fail(400, `User '${id}' cannot be set as ${label}.`) : ref('users', id)
  },
  issuelink: issue,
  any: issue,
  timetracking: (jira, value, { timetracking }) => {
    const [given, kept] = [fieldsOf(value), fieldsOf(timetracking)]
    const read = (name: string): Json | undefined =>
      given[name] == null
        ? kept[`${name}Seconds`]
        : (toSeconds(given[name]) ?? jira.fail(400, `The time '${given[name]}' is not valid, such as '2d 4h'.`))
    const originalEstimate = read('originalEstimate')
    const remainingEstimate = read('remainingEstimate') ?? originalEstimate
    return toTracking({ originalEstimate, remainingEstimate, timeSpent: kept.timeSpentSeconds })
  },
  labels: (jira, value) => {
    const labels = new Set(listed(jira, value))
    for (const label of labels) {
      if (typeof label !== 'string') jira.fail(400, 'Operation value must be a string')
      if (/\s/.test(String(label))) jira.fail(400, `The label '${label}' contains spaces which is invalid.`)
    }
    return [...labels]
  },
  component: each(option('components', 'Component')),
  /** An option, and the one of its own that is chosen. */
  'option-with-child': (jira, value, _, field) => {
    const { child = null } = namesOf(value)
    const above = choice(jira, value, {}, field)
    return [above, ...(child === null ? [] : [choice(jira, child, { _parent: idOf(above) as string }, field)])]
  },
  option: (jira, value, _, field) => (isList(field) ? each(choice) : choice)(jira, value, {}, field),
  version: each(option('versions', 'Version')),
  issuetype: (jira, value) => {
    const { id, name } = namesOf(value)
    const found = jira.lookUp('issuetypes', id ?? name) ?? jira.fail(400, 'Specify a valid issue type')
    return ref('issuetypes', found.id)
  },
  priority: option('priorities', 'Priority'),
  resolution: option('resolutions', 'Resolution'),
  project: (_, __, { project = null }) => project,
  json: (jira, value) => {
    const id = [value].flat()[0]
    if (id == null) return null
    const { state } = jira.lookUp('sprints', id) ?? jira.fail(400, 'Sprint with the given id does not exist.')
    return state === 'closed' ? jira.fail(400, 'Issues cannot be added to a closed sprint.') : [ref('sprints', id)]
  },
}

/** The records from which a field of a kind takes its values. */
export const LISTS: Readonly<Record<string, Collection>> = {
  ...{ component: 'components', version: 'versions', project: 'projects', json: 'sprints' },
  ...{ issuetype: 'issuetypes', priority: 'priorities', resolution: 'resolutions', status: 'statuses' },
  ...{ option: 'options', 'option-with-child': 'options' },
}

/** What a field has: the type of its schema, or of the items of a list. */
export function kindOf({ id, schema: { type, items, custom } }: Field): string {
  if (/^(description|environment)$/.test(id) || String(custom).endsWith(':textarea')) return 'document'
  return items === 'string' ? 'labels' : String(items ?? type)
}

/** All fields: those of every site, then created ones. */
export const fieldsIn = (jira: Jira): Field[] => jira.all('fields') as Field[]

const EPIC_LINK = 'customfield_10014'
/** Where an issue keeps a field: its epic is its parent. */
const keyOf = ({ id }: Field): string => (id === EPIC_LINK ? 'parent' : id)
export const valueIn = (issue: Kept, field: Field): Json => valuesOf(issue)[keyOf(field)] ?? null
const isList = (field: Field): boolean => field.schema.type === 'array' && kindOf(field) !== 'json'

/** What changelogs and JQL call a value. */
export function entriesOf(jira: Jira, value: Json | undefined): Entry[] {
  if (value == null) return []
  if (Array.isArray(value)) return value.flatMap((one) => entriesOf(jira, one))
  const { $, id, originalEstimateSeconds: original = '', remainingEstimateSeconds: left = original } = fieldsOf(value)
  const words = String(value)
  if (typeof value !== 'object')
    return [{ id: words, name: words, order: Number.isNaN(+words) ? Date.parse(words) : +words }]
  if (isDocument(value)) return [{ id: '', name: textOf(value) }]
  if ($ === undefined) return [{ id: `${original}/${left}`, name: String(left) }]
  const found = jira.deref(value)
  if (found === undefined) return []
  const list = $ as Collection
  const { key, value: text, name = text, displayName, emailAddress } = found
  const isOrdered = /^(issuetypes|priorities|resolutions|statuses)$/.test(list)
  const at = isOrdered ? [...jira.records[list]].findIndex((one) => one.id === id) : -1
  const order = at < 0 ? Number(id) : list === 'priorities' ? at : -at
  const also = [name, emailAddress].filter((one) => one !== undefined)
  const facts = { id: String(id), name: String(key ?? displayName ?? name), also }
  return [at >= 0 || /^(issues|sprints)$/.test(list) ? { ...facts, order } : facts]
}

/** To whom an issue goes that is for nobody else: the lead of a component, or of the project. */
export function automaticAssignee(jira: Jira, { components, project }: Fields): Json {
  const found = listOf(components).map((one) => jira.deref(one))
  const component = found.find((one) => one?.assigneeType === 'COMPONENT_LEAD')
  const { assigneeType, lead = null } = fieldsOf(jira.deref(project))
  return component?.lead ?? (assigneeType === 'PROJECT_LEAD' ? lead : null)
}

export function showField(jira: Jira, field: Field, issue: Kept): unknown {
  const value = valueIn(issue, field)
  if (field.id === EPIC_LINK) {
    const above = jira.deref(value)
    return above !== undefined && isEpic(valuesOf(above)) ? above.key : null
  }
  if (kindOf(field) === 'option-with-child' && Array.isArray(value)) {
    const [above, child] = value.map((one) => fieldsOf(jira.show(one)))
    return { ...above, ...(child !== undefined && { child }) }
  }
  if (value !== null) return jira.show(value)
  return field.id === 'timetracking' ? {} : field.custom !== true && isList(field) ? [] : null
}

/** A field of `createmeta`, `editmeta` and transitions. */
export function showMeta(jira: Jira, field: Field, project: Kept): Shown {
  const { id, name, schema } = field
  const kind = kindOf(field)
  const allowed =
    kind === 'project'
      ? [project]
      : jira.all(LISTS[kind] ?? 'fields').filter((one) => isOf(project, one) && (one._field ?? id) === id)
  const allowedValues =
    kind in LISTS && kind !== 'json' ? allowed.map((one) => jira.brief(LISTS[kind] ?? 'fields', one)) : null
  const facts = { schema, name, key: id, fieldId: id, hasDefaultValue: id === 'priority', ...known({ allowedValues }) }
  const required = ['summary', 'issuetype', 'project'].includes(id)
  return { required, ...facts, operations: isList(field) ? ['add', 'set', 'remove'] : ['set'] }
}

/** What a request's `fields` and `update` make of the values of an issue. @param errors by field; receives those of this request */
export function readValues(
  jira: Jira,
  { fields = {}, update = {} }: Fields,
  before: Fields,
  { errors, allowed }: { errors: Record<string, string>; allowed: (field: Field) => boolean },
): Fields {
  const values: Record<string, Json> = {}
  const set = (name: string, toValue: (field: Field, kept: Json) => Json): void => {
    const field = jira.lookUp('fields', name) as Field | undefined
    const absent = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`
    const fault = jira.refusalOf(() => {
      if (field === undefined || !allowed(field)) return jira.fail(400, absent)
      const key = keyOf(field)
      values[key] = toValue(field, values[key] ?? before[key] ?? null)
    })
    if (fault !== undefined) errors[name] = fault
  }
  const read = (field: Field, value: Json): Json => {
    if (field.id === 'summary' && String(value ?? '').trim() === '')
      return jira.fail(400, 'You must specify a summary of the issue.')
    if (value !== null) return READS[kindOf(field)]?.(jira, value, before, field) ?? null
    return isList(field) ? [] : null
  }
  for (const [name, value] of Object.entries(fieldsOf(fields))) set(name, (field) => read(field, value))
  for (const [name, operations] of Object.entries(fieldsOf(update)))
    for (const [verb, value] of listOf(operations).flatMap((one) => Object.entries(one)))
      if (!/^(comment|worklog|issuelinks)$/.test(name))
        set(name, (field, kept) => {
          if (verb === 'set' || verb === 'edit') return read(field, value)
          if (field.schema.type !== 'array' || (verb !== 'add' && verb !== 'remove'))
            return jira.fail(400, `Field '${name}' does not support operation '${verb}'`)
          const [one = null] = read(field, [value]) as Json[]
          const list = [kept ?? []].flat()
          const others = list.filter((other) => !isSame(other, one))
          return verb === 'remove' ? others : others.length < list.length ? list : [...list, one]
        })
  return values
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The items of a changelog: what differs between values. */
export function changesOf(jira: Jira, before: Fields, after: Fields): Fields[] {
  return fieldsIn(jira).flatMap((field): Fields[] => {
    const { id, name, custom } = field
    const kind = kindOf(field)
    if (id === EPIC_LINK || isSame(before[id], after[id])) return []
    const [from, to] = [entriesOf(jira, before[id]), entriesOf(jira, after[id])]
    const called = CHANGE_NAMES[id] ?? (custom ? name : id)
    const facts = { field: called, fieldtype: custom ? 'custom' : 'jira', fieldId: id }
    const hasIds = !/^(string|document|number|labels)$/.test(kind)
    const ids = (list: Entry[]) => (hasIds && list.map((one) => one.id).join(', ')) || null
    const names = (list: Entry[]) =>
      kind === 'labels' ? list.map((one) => one.name).join(' ') : list.map((one) => one.name).join(', ') || null
    const item = (one: Entry[], other: Entry[]): Fields => {
      return { ...facts, from: ids(one), fromString: names(one), to: ids(other), toString: names(other) }
    }
    if (kind !== 'component' && kind !== 'version') return [item(from, to)]
    const less = (one: Entry[], other: Entry[]) => one.filter(({ id }) => !other.some((two) => two.id === id))
    return [...less(from, to).map((one) => item([one], [])), ...less(to, from).map((one) => item([], [one]))]
  })
}

const CHANGE_NAMES: Readonly<Record<string, string>> = {
  ...{ components: 'Component', fixVersions: 'Fix Version', versions: 'Version', parent: 'IssueParentAssociation' },
}
