import type { Work } from './context.ts'
import {
  allOf,
  type Fields,
  fieldsOf,
  findIssue,
  isDocument,
  issueOf,
  type Json,
  type Kept,
  known,
  linkTo,
  listOf,
  Misfit,
  misfit,
  type Shown,
  same,
  showUser,
  textOf,
  toDocument,
  toTime,
} from './context.ts'
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

/** What shows and compares a value as it is. */
const plain = {
  read: (_: Work, value: Json): Json => value,
  show: (_: Work, value: Json): unknown => value,
  entries: (_: Work, value: Json): Entry[] => [{ id: String(value), name: String(value) }],
}
const namesOf = (given: Json): Fields => (typeof given === 'object' ? fieldsOf(given) : { id: given })

const wrongName = (noun: string, id: Json | undefined, name: Json | undefined): string =>
  `${noun} ${id === undefined ? 'name' : 'id'} '${id ?? name}' is not valid`

/** A field with a value of a list of the site. */
const option = (list: OptionList, noun: string): Kind => ({
  type: list,
  read: (_, value) => {
    const { id, name } = namesOf(value)
    const found = id === undefined ? OPTIONS[list].find((one) => same(one.name, name)) : optionOf(list, id)
    return found?.id ?? misfit(wrongName(noun, id, name))
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
      return found?.id ?? misfit(wrongName(noun, id, name))
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
  ...plain,
  read: (_, value) =>
    /^\d{4}-\d\d-\d\d$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))
      ? value
      : misfit(`Error parsing date string: ${value}`),
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
    return findIssue(work, key)?.id ?? misfit('Could not find issue by id or key.')
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

const MINUTE = 60
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

const TOO_LONG = 'The entered text is too long. It exceeds the allowed limit of 255 characters.'
const WITH_LINES = 'The summary is invalid because it contains newline characters.'

export const KINDS = {
  text: {
    ...plain,
    type: 'string',
    read: (_, value, __, { id }) => {
      if (typeof value !== 'string') return misfit('Operation value must be a string')
      if (value.length > 255) return misfit(id === 'summary' ? "Summary can't exceed 255 characters." : TOO_LONG)
      return value.includes('\n') ? misfit(WITH_LINES) : value
    },
  },
  document: {
    type: 'string',
    read: ({ version }, value) => {
      if (version === 2 && typeof value === 'string') return value === '' ? null : toDocument(value)
      if (isDocument(value)) return value
      const wanted = 'an Atlassian Document (see the Atlassian Document Format)'
      return misfit(`Operation value must be ${version === 2 ? 'a string' : wanted}`)
    },
    show: ({ version }, value) => (version === 2 ? textOf(value) : value),
    entries: (work, value) => plain.entries(work, textOf(value)),
  },
  number: {
    ...plain,
    type: 'number',
    read: (_, value) => (typeof value === 'number' ? value : misfit('Operation value must be a number')),
    entries: (_, value) => [{ id: String(value), name: String(value), order: Number(value) }],
  },
  day,
  moment,
  user,
  parent,
  timetracking,
  labels: {
    ...plain,
    type: 'array',
    items: 'string',
    read: (_, value) => {
      const labels = listed(value).map((label) => {
        if (typeof label !== 'string') return misfit('Operation value must be a string')
        return /\s/.test(label) ? misfit(`The label '${label}' contains spaces which is invalid.`) : label
      })
      return [...new Set(labels)]
    },
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
  epic: { ...parent, type: 'any', show: (work, value) => issueOf(work, value).key },
  rank: { ...plain, type: 'any' },
} as const satisfies Record<string, Kind>

export const avatarsOf = (id: unknown): Shown =>
  Object.fromEntries(['48x48', '24x24', '16x16', '32x32'].map((size) => [size, `https://avatars.example/${id}.svg`]))

const AGILE = 'com.pyxis.greenhopper.jira:'
const CUSTOM = 'com.atlassian.jira.plugin.system.customfieldtypes:'

const fixed = (id: string, name: string, kind: string, ...clauses: string[]): Field => {
  return { id, name, kind, clauses, isFixed: true }
}
const field = (id: string, name: string, kind: string, ...clauses: string[]): Field => ({ id, name, kind, clauses })
const custom = (number: number, name: string, kind: string, type: string): Field => {
  return { id: `customfield_${number}`, name, kind, custom: type, isFixed: kind === 'rank' }
}

const FIELDS: readonly Field[] = [
  field('summary', 'Summary', 'text'),
  field('description', 'Description', 'document'),
  field('environment', 'Environment', 'document'),
  field('issuetype', 'Issue Type', 'issuetype', 'type'),
  field('project', 'Project', 'project'),
  fixed('status', 'Status', 'status'),
  field('priority', 'Priority', 'priority'),
  fixed('resolution', 'Resolution', 'resolution'),
  field('assignee', 'Assignee', 'user'),
  field('reporter', 'Reporter', 'user'),
  fixed('creator', 'Creator', 'user'),
  field('labels', 'Labels', 'labels'),
  field('components', 'Components', 'components', 'component'),
  field('fixVersions', 'Fix versions', 'versions', 'fixVersion'),
  field('versions', 'Affects versions', 'versions', 'affectedVersion'),
  field('duedate', 'Due date', 'day', 'due'),
  field('parent', 'Parent', 'parent'),
  field('timetracking', 'Time tracking', 'timetracking'),
  fixed('created', 'Created', 'moment', 'createdDate'),
  fixed('updated', 'Updated', 'moment', 'updatedDate'),
  fixed('resolutiondate', 'Resolved', 'moment'),
  custom(10_011, 'Epic Name', 'text', `${AGILE}gh-epic-label`),
  custom(10_014, 'Epic Link', 'epic', `${AGILE}gh-epic-link`),
  custom(10_015, 'Start date', 'day', `${CUSTOM}datepicker`),
  custom(10_016, 'Story Points', 'number', `${CUSTOM}float`),
  custom(10_019, 'Rank', 'rank', `${AGILE}gh-lexo-rank`),
  custom(10_020, 'Sprint', 'sprint', `${AGILE}gh-sprint`),
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
export const keptValue = ({ values }: Kept, { id, kind }: Field): Json =>
  fieldsOf(values)[kind === 'epic' ? 'parent' : id] ?? null

export const entriesOf = (work: Work, field: Field, value: Json): Entry[] =>
  value === null ? [] : kindOf(field).entries(work, value)

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
  const names = custom === undefined ? [id] : [`cf[${id.replace('customfield_', '')}]`, name]
  const facts = { custom: custom !== undefined, orderable: true, navigable: true, searchable: true }
  const clauseNames = [...new Set([...names, ...clauses])]
  return { id, key: id, name, ...known({ description }), ...facts, clauseNames, schema: schemaOf(field) }
}

export function schemaOf(field: Field): Shown {
  const { id, custom } = field
  const { type, items } = kindOf(field)
  const place = custom === undefined ? { system: id } : { custom, customId: Number(id.replace('customfield_', '')) }
  return { type, ...known({ items }), ...place }
}

/** A field of `createmeta`, `editmeta` and transitions. */
export function showMeta(work: Work, field: Field, project: Kept): Shown {
  const { id, name, kind } = field
  const isList = kindOf(field).type === 'array' && kind !== 'sprint'
  return {
    required: ['summary', 'issuetype', 'project'].includes(id),
    ...{ schema: schemaOf(field), name, key: id, fieldId: id, hasDefaultValue: id === 'priority' },
    operations: isList ? ['add', 'set', 'remove'] : ['set'],
    ...known({ allowedValues: allowedOf(work, field, project) }),
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
    const fieldtype = custom ? 'custom' : 'jira'
    const facts = { field: CHANGE_NAMES[id] ?? (custom ? name : id), fieldtype, fieldId: id }
    const isNamed = !['text', 'document', 'number', 'labels'].includes(kind)
    const ids = (list: readonly Entry[]) => (isNamed && list.map((one) => one.id).join(', ')) || null
    const names = (list: readonly Entry[]) =>
      kind === 'labels' ? list.map((one) => one.name).join(' ') : list.map((one) => one.name).join(', ') || null
    const item = (one: readonly Entry[], other: readonly Entry[]): Fields => {
      return { ...facts, from: ids(one), fromString: names(one), to: ids(other), toString: names(other) }
    }
    if (kind !== 'components' && kind !== 'versions') return [item(from, to)]
    const gone = from.filter((one) => !to.some((other) => other.id === one.id))
    const added = to.filter((one) => !from.some((other) => other.id === one.id))
    return [...gone.map((one) => item([one], [])), ...added.map((one) => item([], [one]))]
  })
}

const CHANGE_NAMES: Readonly<Record<string, string>> = {
  ...{ components: 'Component', fixVersions: 'Fix Version', versions: 'Version', parent: 'IssueParentAssociation' },
}
