import {
  allOf,
  type Fields,
  fieldsOf,
  issueOf,
  type Json,
  type Kept,
  linkTo,
  listOf,
  Misfit,
  meOf,
  misfit,
  type Shown,
  same,
  showUser,
  toTime,
  type Work,
} from './context.ts'
import { isDocument, textOf, toDocument } from './documents.ts'
import { OPTIONS, type OptionList, optionOf, showOption } from './scheme.ts'

/** A field of issues. */
export interface Field {
  readonly id: string
  readonly name: string
  readonly kind: string
  /** What JQL calls it too. */
  readonly clauses?: readonly string[]
  /** Whether requests cannot set it. */
  readonly isFixed?: boolean
  /** The type of a custom field. */
  readonly custom?: string
  readonly description?: string
}

/** Where a value belongs. */
export interface Place {
  readonly project: Kept
  readonly values: Fields
}

/** A value as changelogs and JQL name it. */
export interface Entry {
  readonly id: string
  readonly name: string
  /** Other names. */
  readonly also?: readonly unknown[]
  readonly order?: number
}

interface Kind {
  readonly type: string
  readonly items?: string
  /** Reads a value that is not null. */
  read(work: Work, value: Json, place: Place, field: Field): Json
  show(work: Work, value: Json, issue: Kept): unknown
  entries(work: Work, value: Json): Entry[]
}

const plain = (value: Json): Entry[] => [{ id: String(value), name: String(value) }]
const asIs = (_: Work, value: Json): Json => value
const namesOf = (given: Json): Fields => (typeof given === 'object' ? fieldsOf(given) : { id: given })

/** A field with a value of a list of the site. */
const option = (list: OptionList, noun: string): Kind => ({
  type: list,
  read: (_, value) => {
    const { id, name } = namesOf(value)
    const found = id === undefined ? OPTIONS[list].find((one) => same(one.name, name)) : optionOf(list, id)
    return found?.id ?? misfit(`${noun} ${id === undefined ? 'name' : 'id'} '${id ?? name}' is not valid`)
  },
  show: (work, value) => showOption(work, list, value),
  entries: (_, value) => {
    const order = OPTIONS[list].findIndex(({ id }) => id === value)
    const { id = '', name = '' } = OPTIONS[list][order] ?? {}
    return [{ id, name, order: list === 'priority' ? -order : order }]
  },
})

/** A field with components or versions of the project. */
const parts = (collection: 'components' | 'versions', noun: string): Kind => ({
  type: 'array',
  items: collection.slice(0, -1),
  read: (work, value, { project }) =>
    listed(value).map((one) => {
      const { id, name } = namesOf(one)
      const all = work.records[collection].where({ project: project.id })
      const found = all.find((part) => (id === undefined ? same(part.name, name) : part.id === String(id)))
      return found?.id ?? misfit(`${noun} ${id === undefined ? 'name' : 'id'} '${id ?? name}' is not valid`)
    }),
  show: (work, value) =>
    allOf(work, collection, value).map(({ id, name, description, archived, released, releaseDate }) => {
      const facts = { description, archived, released, releaseDate }
      return { self: linkTo(work, `${collection.slice(0, -1)}/${id}`), id, name, ...facts }
    }),
  entries: (work, value) => allOf(work, collection, value).map(({ id, name }) => ({ id, name: String(name) })),
})

const listed = (value: Json): Json[] => (Array.isArray(value) ? value : misfit('data was not an array'))

const day: Kind = {
  type: 'date',
  read: (_, value) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
      ? value
      : misfit(`Error parsing date string: ${value}`),
  show: asIs,
  entries: (_, value) => [{ id: String(value), name: String(value), order: Date.parse(String(value)) }],
}

const moment: Kind = {
  ...day,
  type: 'datetime',
  read: (_, value) => {
    const at = Date.parse(String(value))
    return Number.isNaN(at) ? misfit(`Error parsing date string: ${value}`) : new Date(at).toISOString()
  },
  show: (_, value) => toTime(value),
}

/** A linked issue as issues show it. */
export function showBrief(work: Work, { id, key, values }: Kept): Shown {
  const { summary, status, priority, issuetype } = fieldsOf(values)
  const options = { status, priority, issuetype }
  const shown = Object.entries(options).map(([list, one]) => [list, showOption(work, list as OptionList, one)])
  return { id, key, self: linkTo(work, `issue/${id}`), fields: { summary, ...Object.fromEntries(shown) } }
}

const parent: Kind = {
  type: 'issuelink',
  read: (work, value) => {
    const { id, key = id } = namesOf(value)
    const { issues } = work.records
    const found = issues.get(String(key)) ?? issues.find({ key: String(key).toUpperCase() })
    return found?.id ?? misfit('Could not find issue by id or key.')
  },
  show: (work, value) => showBrief(work, issueOf(work, value)),
  entries: (work, value) =>
    allOf(work, 'issues', [value]).map(({ id, key }) => ({ id, name: String(key), also: [id] })),
}

const user: Kind = {
  type: 'user',
  read: (work, value, { project }, { id: field, name: label }) => {
    const { accountId, id = accountId, name } = fieldsOf(value)
    if (id === null) return null
    if (id === '-1') return project.assigneeType === 'PROJECT_LEAD' ? (project.lead ?? null) : null
    if (id === undefined && name === undefined) return misfit(`Specify a valid value for ${field}`)
    const found = work.records.users.get(String(id))
    if (found === undefined) return misfit(`Specify a valid value for ${field}`)
    return found.active === false ? misfit(`User '${id}' cannot be set as ${label}.`) : found.id
  },
  show: (work, value) => showUser(work, value),
  entries: (work, value) =>
    allOf(work, 'users', [value]).map(({ id, displayName, emailAddress }) => {
      return { id, name: String(displayName), also: [emailAddress] }
    }),
}

export const MINUTE = 60
const UNITS: Readonly<Record<string, number>> = { w: 5 * 8 * 60, d: 8 * 60, h: 60, m: 1 }

/** Seconds of `2d 4h`, with days of eight hours and weeks of five days. */
export function toSeconds(text: unknown): number | undefined {
  const parts = String(text).trim().split(/\s+/)
  if (!parts.every((part) => /^\d+(\.\d+)?[wdhm]?$/.test(part))) return undefined
  return MINUTE * parts.reduce((sum, part) => sum + Number.parseFloat(part) * (UNITS[part.slice(-1)] ?? 1), 0)
}

export function toPretty(seconds: unknown): string {
  let left = Math.floor(Number(seconds) / MINUTE)
  const texts = Object.entries(UNITS).flatMap(([unit, minutes]) => {
    const count = Math.floor(left / minutes)
    left -= count * minutes
    return count > 0 ? [`${count}${unit}`] : []
  })
  return texts.join(' ') || '0m'
}

const timetracking: Kind = {
  type: 'timetracking',
  read: (_, value, { values }) => {
    const { originalEstimate, remainingEstimate } = fieldsOf(value)
    const kept = fieldsOf(values.timetracking)
    const read = (text: Json): number => toSeconds(text) ?? misfit(`The time '${text}' is not valid, such as '2d 4h'.`)
    const original = originalEstimate == null ? kept.original : read(originalEstimate)
    const remaining = remainingEstimate == null ? (kept.remaining ?? original) : read(remainingEstimate)
    return { ...kept, original: original ?? null, remaining: remaining ?? null }
  },
  show: (_, value) => {
    const { original, remaining, spent } = fieldsOf(value)
    const names = Object.entries({ originalEstimate: original, remainingEstimate: remaining, timeSpent: spent })
    const known = names.filter(([, seconds]) => seconds != null)
    return Object.fromEntries([
      ...known.map(([name, seconds]) => [name, toPretty(seconds)]),
      ...known.map(([name, seconds]) => [`${name}Seconds`, seconds]),
    ])
  },
  entries: (_, value) => {
    const { original, remaining } = fieldsOf(value)
    return [{ id: `${original ?? ''}/${remaining ?? ''}`, name: String(remaining ?? original ?? '') }]
  },
}

const text: Kind = {
  type: 'string',
  read: (_, value, __, { id }) => {
    if (typeof value !== 'string') return misfit('Operation value must be a string')
    if (value.length > 255)
      return misfit(
        id === 'summary'
          ? "Summary can't exceed 255 characters."
          : 'The entered text is too long. It exceeds the allowed limit of 255 characters.',
      )
    return value.includes('\n') ? misfit('The summary is invalid because it contains newline characters.') : value
  },
  show: asIs,
  entries: (_, value) => plain(value),
}

export const KINDS = {
  text,
  document: {
    type: 'string',
    read: ({ version }, value) => {
      if (version === 2 && typeof value === 'string') return value === '' ? null : toDocument(value)
      if (isDocument(value)) return value
      const wanted = 'an Atlassian Document (see the Atlassian Document Format)'
      return misfit(`Operation value must be ${version === 2 ? 'a string' : wanted}`)
    },
    show: ({ version }, value) => (version === 2 ? textOf(value) : value),
    entries: (_, value) => plain(textOf(value)),
  },
  number: {
    type: 'number',
    read: (_, value) => (typeof value === 'number' ? value : misfit('Operation value must be a number')),
    show: asIs,
    entries: (_, value) => [{ id: String(value), name: String(value), order: Number(value) }],
  },
  day,
  moment,
  user,
  parent,
  timetracking,
  labels: {
    type: 'array',
    items: 'string',
    read: (_, value) => {
      const labels = listed(value).map((label) => {
        if (typeof label !== 'string') return misfit('Operation value must be a string')
        return /\s/.test(label) ? misfit(`The label '${label}' contains spaces which is invalid.`) : label
      })
      return [...new Set(labels)]
    },
    show: asIs,
    entries: (_, value) => (value as string[]).map((label) => ({ id: label, name: label })),
  },
  components: parts('components', 'Component'),
  versions: parts('versions', 'Version'),
  issuetype: {
    ...option('issuetype', 'Issue type'),
    read: (_, value) => {
      const { id, name } = namesOf(value)
      return optionOf('issuetype', id ?? name)?.id ?? misfit('Specify a valid issue type')
    },
  },
  status: option('status', 'Status'),
  priority: option('priority', 'Priority'),
  resolution: option('resolution', 'Resolution'),
  project: {
    type: 'project',
    read: (_, __, { project }) => project.id,
    show: (work, value) => {
      const { id, key, name } = fieldsOf(work.records.projects.get(String(value)))
      const facts = { projectTypeKey: 'software', simplified: false, avatarUrls: avatarsOf(id) }
      return { self: linkTo(work, `project/${id}`), id, key, name, ...facts }
    },
    entries: (work, value) =>
      allOf(work, 'projects', [value]).map(({ id, key, name }) => ({ id, name: String(key), also: [name] })),
  },
  sprint: {
    type: 'array',
    items: 'json',
    read: (work, value) => {
      const id = [value].flat()[0]
      if (id == null) return null
      const sprint = work.records.sprints.get(String(id))
      if (sprint === undefined) return misfit('Sprint with the given id does not exist.')
      return sprint.state === 'closed' ? misfit('Issues cannot be added to a closed sprint.') : [sprint.id]
    },
    show: (work, value) =>
      allOf(work, 'sprints', value).map(({ id, name, state, board, goal, startDate, endDate, completeDate }) => {
        const facts = { goal, startDate, endDate, completeDate }
        return { id: Number(id), name, state, boardId: Number(board), ...facts }
      }),
    entries: (work, value) =>
      allOf(work, 'sprints', value).map(({ id, name }) => ({ id, name: String(name), order: Number(id) })),
  },
  /** The key of the epic above: another view of the parent. */
  epic: {
    type: 'any',
    read: (work, value, place, field) => parent.read(work, value, place, field),
    show: (work, value) => issueOf(work, value).key,
    entries: (work, value) => parent.entries(work, value),
  },
  rank: { type: 'any', read: asIs, show: asIs, entries: (_, value) => plain(value) },
} as const satisfies Record<string, Kind>

export const avatarsOf = (id: unknown): Shown =>
  Object.fromEntries(['48x48', '24x24', '16x16', '32x32'].map((size) => [size, `https://avatars.example/${id}.svg`]))

const AGILE = 'com.pyxis.greenhopper.jira:'
const CUSTOM = 'com.atlassian.jira.plugin.system.customfieldtypes:'

const FIELDS: readonly Field[] = [
  { id: 'summary', name: 'Summary', kind: 'text' },
  { id: 'description', name: 'Description', kind: 'document' },
  { id: 'environment', name: 'Environment', kind: 'document' },
  { id: 'issuetype', name: 'Issue Type', kind: 'issuetype', clauses: ['type'] },
  { id: 'project', name: 'Project', kind: 'project' },
  { id: 'status', name: 'Status', kind: 'status', isFixed: true },
  { id: 'priority', name: 'Priority', kind: 'priority' },
  { id: 'resolution', name: 'Resolution', kind: 'resolution', isFixed: true },
  { id: 'assignee', name: 'Assignee', kind: 'user' },
  { id: 'reporter', name: 'Reporter', kind: 'user' },
  { id: 'creator', name: 'Creator', kind: 'user', isFixed: true },
  { id: 'labels', name: 'Labels', kind: 'labels' },
  { id: 'components', name: 'Components', kind: 'components', clauses: ['component'] },
  { id: 'fixVersions', name: 'Fix versions', kind: 'versions', clauses: ['fixVersion'] },
  { id: 'versions', name: 'Affects versions', kind: 'versions', clauses: ['affectedVersion'] },
  { id: 'duedate', name: 'Due date', kind: 'day', clauses: ['due'] },
  { id: 'parent', name: 'Parent', kind: 'parent' },
  { id: 'timetracking', name: 'Time tracking', kind: 'timetracking' },
  { id: 'created', name: 'Created', kind: 'moment', isFixed: true, clauses: ['createdDate'] },
  { id: 'updated', name: 'Updated', kind: 'moment', isFixed: true, clauses: ['updatedDate'] },
  { id: 'resolutiondate', name: 'Resolved', kind: 'moment', isFixed: true },
  { id: 'customfield_10011', name: 'Epic Name', kind: 'text', custom: `${AGILE}gh-epic-label` },
  { id: 'customfield_10014', name: 'Epic Link', kind: 'epic', custom: `${AGILE}gh-epic-link` },
  { id: 'customfield_10015', name: 'Start date', kind: 'day', custom: `${CUSTOM}datepicker` },
  { id: 'customfield_10016', name: 'Story Points', kind: 'number', custom: `${CUSTOM}float` },
  { id: 'customfield_10019', name: 'Rank', kind: 'rank', isFixed: true, custom: `${AGILE}gh-lexo-rank` },
  { id: 'customfield_10020', name: 'Sprint', kind: 'sprint', custom: `${AGILE}gh-sprint` },
]

/** The types that new custom fields may have. */
export const CUSTOM_KINDS: Readonly<Record<string, string>> = {
  [`${CUSTOM}textfield`]: 'text',
  [`${CUSTOM}url`]: 'text',
  [`${CUSTOM}textarea`]: 'document',
  [`${CUSTOM}float`]: 'number',
  [`${CUSTOM}datepicker`]: 'day',
  [`${CUSTOM}datetime`]: 'moment',
  [`${CUSTOM}labels`]: 'labels',
  [`${CUSTOM}userpicker`]: 'user',
}

/** All fields: those of every site, then created ones. */
export const fieldsIn = ({ records }: Work): Field[] => [
  ...FIELDS,
  ...[...records.fields].toReversed().map((one) => one as unknown as Field),
]

export const kindOf = ({ kind }: Field): Kind => KINDS[kind as keyof typeof KINDS]

/** The value of a field of an issue. */
export const keptValue = ({ values }: Kept, { id, kind }: Field): Json => {
  const kept = fieldsOf(values)
  if (kind !== 'epic') return kept[id] ?? null
  return kept.parent ?? null
}

export function entriesOf(work: Work, field: Field, value: Json): Entry[] {
  return value === null ? [] : kindOf(field).entries(work, value)
}

export function showField(work: Work, field: Field, issue: Kept): unknown {
  const value = keptValue(issue, field)
  if (field.kind === 'epic' && !isBelowEpic(work, issue)) return null
  if (value === null) return field.kind === 'timetracking' ? {} : isEmptyList(field) ? [] : null
  return kindOf(field).show(work, value, issue)
}

const isEmptyList = ({ kind, custom }: Field): boolean =>
  custom === undefined && ['components', 'labels', 'versions'].includes(kind)

const isBelowEpic = ({ records }: Work, { values }: Kept): boolean =>
  fieldsOf(records.issues.get(String(fieldsOf(values).parent ?? ''))?.values).issuetype === '10000'

/** A field as `GET /field` shows it. */
export function showFact(field: Field): Shown {
  const { id, name, custom, clauses = [], description } = field
  const number = Number(id.replace('customfield_', ''))
  const names = custom === undefined ? [id] : [`cf[${number}]`, name]
  return {
    id,
    key: id,
    name,
    ...(description !== undefined && { description }),
    custom: custom !== undefined,
    orderable: true,
    navigable: true,
    searchable: true,
    clauseNames: [...new Set([...names, ...clauses])],
    schema: schemaOf(field),
  }
}

export function schemaOf(field: Field): Shown {
  const { id, custom } = field
  const { type, items } = kindOf(field)
  const place = custom === undefined ? { system: id } : { custom, customId: Number(id.replace('customfield_', '')) }
  return { type, ...(items !== undefined && { items }), ...place }
}

/** A field of `createmeta`, `editmeta` and transitions. */
export function showMeta(work: Work, field: Field, project: Kept): Shown {
  const { id, name, kind } = field
  const isList = kindOf(field).type === 'array' && kind !== 'sprint'
  const allowed = allowedOf(work, field, project)
  const required = ['summary', 'issuetype', 'project'].includes(id)
  const operations = isList ? ['add', 'set', 'remove'] : ['set']
  const hasDefaultValue = id === 'priority'
  return {
    required,
    schema: schemaOf(field),
    name,
    key: id,
    fieldId: id,
    hasDefaultValue,
    operations,
    ...(allowed !== undefined && { allowedValues: allowed }),
  }
}

function allowedOf(work: Work, { kind }: Field, project: Kept): unknown {
  if (kind === 'components' || kind === 'versions') {
    const ids = work.records[kind].where({ project: project.id }).map(({ id }) => id)
    return KINDS[kind].show(work, ids, project)
  }
  if (kind === 'project') return [KINDS.project.show(work, project.id)]
  if (kind !== 'issuetype' && kind !== 'priority' && kind !== 'resolution') return undefined
  return OPTIONS[kind].map(({ id }) => showOption(work, kind, id))
}

/** What a request's `fields` and `update` make of the values of an issue. @param errors by field; receives those of this request */
export function readValues(
  work: Work,
  { fields = {}, update = {} }: Fields,
  place: Place,
  { errors, allowed }: { errors: Record<string, string>; allowed: (field: Field) => boolean },
): Fields {
  const known = fieldsIn(work)
  const values: Record<string, Json> = {}
  const set = (name: string, toValue: (field: Field, kept: Json) => Json): void => {
    const field = known.find(({ id }) => id === name)
    if (field === undefined || !allowed(field)) {
      errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`
      return
    }
    const key = field.kind === 'epic' ? 'parent' : name
    try {
      values[key] = toValue(field, values[key] ?? place.values[key] ?? null)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      errors[name] = error.message
    }
  }
  const read = (field: Field, value: Json): Json =>
    value === null ? emptyOf(field) : kindOf(field).read(work, value, place, field)
  for (const [name, value] of Object.entries(fieldsOf(fields))) set(name, (field) => read(field, value))
  for (const [name, operations] of Object.entries(fieldsOf(update))) {
    if (VERBS_ELSEWHERE.has(name)) continue
    for (const operation of listOf(operations))
      for (const [verb, value] of Object.entries(operation))
        set(name, (field, kept) => {
          if (verb === 'set' || verb === 'edit') return read(field, value)
          const list = Array.isArray(kept) ? kept : []
          if (kindOf(field).type !== 'array' || (verb !== 'add' && verb !== 'remove'))
            return misfit(`Field '${name}' does not support operation '${verb}'`)
          const [one = null] = read(field, [value]) as Json[]
          const others = list.filter((other) => other !== one)
          return verb === 'add' ? (others.length === list.length ? [...list, one] : list) : others
        })
  }
  return values
}

/** Parts of an issue that `update` adds as records of their own. */
const VERBS_ELSEWHERE = new Set(['comment', 'worklog', 'issuelinks'])

function emptyOf({ id, kind }: Field): Json {
  if (id === 'summary') return misfit('You must specify a summary of the issue.')
  return ['components', 'labels', 'versions'].includes(kind) ? [] : null
}

/** The items of a changelog: what differs between values. */
export function changesOf(work: Work, before: Fields, after: Fields): Fields[] {
  return fieldsIn(work).flatMap((field): Fields[] => {
    const { id, kind, name, custom } = field
    const [old, now] = [before[id] ?? null, after[id] ?? null]
    if (kind === 'epic' || JSON.stringify(old) === JSON.stringify(now)) return []
    const [from, to] = [entriesOf(work, field, old), entriesOf(work, field, now)]
    const facts = {
      field: CHANGE_NAMES[id] ?? (custom === undefined ? id : name),
      fieldtype: custom ? 'custom' : 'jira',
      fieldId: id,
    }
    const item = (one: readonly Entry[], other: readonly Entry[], join = ', '): Fields => ({
      ...facts,
      from: isNamed ? one.map((entry) => entry.id).join(join) || null : null,
      fromString: one.map((entry) => entry.name).join(join) || null,
      to: isNamed ? other.map((entry) => entry.id).join(join) || null : null,
      toString: other.map((entry) => entry.name).join(join) || null,
    })
    const isNamed = !['text', 'document', 'number', 'labels'].includes(kind)
    if (kind === 'labels')
      return [
        {
          ...item(from, to, ' '),
          fromString: from.map((one) => one.name).join(' '),
          toString: to.map((one) => one.name).join(' '),
        },
      ]
    if (kind !== 'components' && kind !== 'versions') return [item(from, to)]
    const gone = from.filter((one) => !to.some((other) => other.id === one.id))
    const added = to.filter((one) => !from.some((other) => other.id === one.id))
    return [...gone.map((one) => item([one], [])), ...added.map((one) => item([], [one]))]
  })
}

const CHANGE_NAMES: Readonly<Record<string, string>> = {
  components: 'Component',
  fixVersions: 'Fix Version',
  versions: 'Version',
  parent: 'IssueParentAssociation',
}

export const isMine = (work: Work, ids: Json | undefined): boolean => Array.isArray(ids) && ids.includes(meOf(work).id)
