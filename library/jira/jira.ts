import type { AnyOperation, OperationContext, WorldContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf } from '../shared/values.ts'
import { htmlOf, isDocument, wikiOf } from './documents.ts'

export { type Fields, fieldsOf, type Json, listOf } from '../shared/values.ts'

/** A record as the API shows it: what begins with `_` is not shown, `self` is a path, and a {@link ref} another record. */
export type Kept = Fields & { readonly id: string | number }

/** The collections of the description. */
export type Collection =
  | ('attachments' | 'boards' | 'categories' | 'changes' | 'comments' | 'components' | 'fields' | 'filters' | 'groups')
  | ('happenings' | 'hooks' | 'issues' | 'issuetypes' | 'link_types' | 'links' | 'permissions' | 'priorities')
  | ('projects' | 'remote_links' | 'resolutions' | 'roles' | 'sequences' | 'sprints' | 'statuses' | 'transitions')
  | ('field_types' | 'options' | 'tasks' | 'users' | 'versions' | 'worklogs')
type Records = Record<Collection, Kept>
type Context = OperationContext<AnyOperation, Records>

/** What an answer shows. */
export type Shown = Readonly<Record<string, unknown>>
/** Handlers, by operations without the path of the API. */
export type Operations = Readonly<Record<string, (jira: Jira) => unknown>>

/** What stands for a record in another one. */
export const ref = (collection: Collection, id: unknown): Fields => ({ $: collection, id: String(id) })
/** The id in a reference. */
export const idOf = (value: unknown): unknown => fieldsOf(value).id

export const valuesOf = (issue: Kept | undefined): Fields => fieldsOf(issue?.fields)
export const isSubtask = ({ issuetype }: Fields): boolean => idOf(issuetype) === '10003'
export const isEpic = ({ issuetype }: Fields): boolean => idOf(issuetype) === '10000'

export const same = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase()
/** A time as Jira shows it. */
export const toTime = (at: Date | string): string => new Date(at).toISOString().replace('Z', '+0000')

/** Facts that are there. */
export const known = (facts: object): Shown =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined))

/** Given fields of a record, by their names. */
export const pick = (body: Fields, ...names: string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name] ?? null]])))

/** Texts of a query parameter, which may be repeated or have commas. */
export const textsOf = (value: unknown): string[] =>
  value == null ? [] : [value].flat().flatMap((text) => String(text).split(','))

/** Whether a query parameter is absent, or has a value. */
export const isAsked = (parameter: unknown, value: unknown): boolean =>
  textsOf(parameter).length === 0 || textsOf(parameter).includes(String(value))

/** Whether a text has the words of a query parameter. */
export const hasWords = (words: unknown, text: unknown): boolean =>
  `${text}`.toLowerCase().includes(`${words ?? ''}`.toLowerCase())

/** Those with the words of `query`, in the order of `orderBy`. */
export function matching({ query: { query, orderBy = '' } }: Jira, list: Kept[]): Kept[] {
  const [, sign, by = ''] = /^([-+]?)(.*)$/.exec(String(orderBy)) ?? []
  const found = list.filter(({ key = '', name }) => hasWords(query, `${key} ${name}`))
  if (by !== '' && by !== 'sequence') found.sort((a, b) => String(a[by]).localeCompare(String(b[by])))
  return sign === '-' ? found.reverse() : found
}

/** What other records show of one; by default all. */
const BRIEF: Partial<Record<Collection, readonly string[]>> = {
  components: ['id', 'name', 'description'],
  issues: ['id', 'key'],
  options: ['id', 'value'],
  priorities: ['id', 'name', 'iconUrl'],
  projects: ['id', 'key', 'name', 'projectTypeKey', 'simplified', 'avatarUrls'],
  sprints: ['id', 'name', 'state', 'goal', 'startDate', 'endDate', 'completeDate'],
  versions: ['id', 'name', 'description', 'archived', 'released', 'releaseDate'],
}

/** What is computed of a record at each answer. */
const COMPUTED: Partial<Record<Collection, (jira: Jira, record: Kept) => Shown>> = {
  attachments: (jira, { id }) => ({ content: jira.link(`attachment/content/${id}`) }),
  boards: (jira, { _project }) => {
    const { id, key: projectKey, name: projectName, projectTypeKey, avatarUrls } = fieldsOf(jira.deref(_project))
    const name = `${projectName} (${projectKey})`
    const names = { name, displayName: name, projectName, projectKey, projectTypeKey }
    return { location: { projectId: Number(id), ...names, avatarURI: fieldsOf(avatarUrls)['24x24'] } }
  },
  comments: ({ query }, { body }) =>
    textsOf(query.expand).includes('renderedBody') ? { renderedBody: htmlOf(body) } : {},
  components: (jira, { projectId, lead, assigneeType }) => {
    const { key, lead: own } = fieldsOf(jira.lookUp('projects', projectId))
    const person = assigneeType === 'COMPONENT_LEAD' ? lead : assigneeType === 'PROJECT_LEAD' ? own : undefined
    const user = person == null ? {} : { assignee: jira.show(person), realAssignee: jira.show(person) }
    return { ...user, realAssigneeType: assigneeType, isAssigneeTypeValid: person != null, project: key }
  },
  filters: (jira, { id, jql, favourite }) => {
    const searchUrl = jira.link(`search?jql=${encodeURIComponent(String(jql))}`)
    return { viewUrl: `https://jira.example/issues/?filter=${id}`, searchUrl, favouritedCount: Number(favourite) }
  },
  versions: ({ now }, { released, releaseDate }) => {
    const isLate = released === false && String(releaseDate) < now.toISOString().slice(0, 10)
    return releaseDate == null ? {} : { overdue: isLate }
  },
}

/** What is computed where another record shows one. */
const SUMMARY: Partial<Record<Collection, (jira: Jira, record: Kept) => Shown>> = {
  issues: (jira, { fields }) => {
    const { summary, status, priority, issuetype } = fieldsOf(fields)
    return { fields: jira.show({ summary, status, priority, issuetype }) }
  },
  sprints: (_, { originBoardId }) => ({ boardId: originBoardId }),
}

const ADA = '712020:00000000-0000-4000-8000-000000000ada'

/** What handlers do with the site: an operation, or a due record. */
export class Jira {
  readonly of: WorldContext<Records> & Partial<Context>
  /** Of the API: in 2 rich texts are texts. */
  readonly version: 2 | 3
  readonly records: WorldContext<Records>['records']
  readonly now: Date
  readonly body: Fields
  readonly query: Fields
  readonly path: Readonly<Record<string, string>>
  /** The path of the operation, with its parameters by name. */
  readonly #template: string

  constructor(of: WorldContext<Records> & Partial<Context>, version: 2 | 3 = 3, template = '') {
    this.of = of
    this.#template = template
    this.version = version
    this.records = of.records
    this.now = of.now
    this.body = of.body ?? {}
    this.query = of.query ?? {}
    this.path = of.path ?? {}
  }

  /** The user of a request: of the e-mail address of its Basic authorization, else Ada. */
  get me(): Kept {
    const [, sent = ''] = /^Basic +(.+)$/i.exec(this.of.headers?.authorization ?? '') ?? []
    const [emailAddress = ''] = Buffer.from(sent, 'base64').toString().split(':')
    const { users } = this.records
    return users.find({ emailAddress }) ?? users.get(ADA) ?? this.of.refuse(401)
  }

  get who(): Fields {
    return ref('users', this.me.accountId)
  }

  /** Who changes a record, and when. */
  get edited(): Fields {
    return { updateAuthor: this.who, updated: toTime(this.now) }
  }

  get stamp(): Fields {
    return { author: this.who, created: toTime(this.now) }
  }

  /** The issue of the path. */
  get issue(): Kept {
    return this.find('issues', this.path.issueIdOrKey)
  }

  respond(status: number, body?: unknown): unknown {
    return this.of.respond?.({ status, body })
  }

  /** Refuses a request, in the form of Jira's errors. */
  fail(status: number, messages: string | readonly string[], errors: Shown = {}): never {
    const errorMessages = [messages].flat()
    const message = errorMessages[0] ?? Object.values(errors).join()
    return this.of.refuse(status, { code: 'refused', message, ...{ errorMessages, errors } })
  }

  /** Refuses a value of one field of a request. */
  failField(field: string, message: string): never {
    return this.fail(400, [], { [field]: message })
  }

  /** Why a part of the work is refused; undefined if it is not. */
  refusalOf(run: () => unknown): string | undefined {
    try {
      run()
      return undefined
    } catch (error) {
      if (error instanceof Error && error.name === 'Refusal') return error.message
      throw error
    }
  }

  /** The record with an id, of an issue or a project with a key, and of the lists of a site with a name. */
  lookUp(collection: Collection, id: unknown): Kept | undefined {
    const found = this.records[collection].get(String(id))
    if (found !== undefined || !/^(issues|projects|issuetypes|statuses|link_types)$/.test(collection)) return found
    return /^(issues|projects)$/.test(collection)
      ? this.records[collection].find({ key: String(id).toUpperCase() })
      : this.records[collection].find(({ name }) => same(name, id))
  }

  /** The record with an id, by default of the end of the path, and in the issue of the path. */
  find(collection: Collection, id: unknown = Object.values(this.path).at(-1)): Kept {
    const record = this.lookUp(collection, id)
    const isElsewhere = this.path.issueIdOrKey && record?._issue !== undefined && record._issue !== this.issue.id
    if (record !== undefined && !isElsewhere) return record
    return this.of.refuse(collection === 'filters' ? 400 : 404, { code: `no_${collection}`, ...{ id: String(id) } })
  }

  /** Records from the oldest on. */
  all(collection: Collection, equal: Fields = {}): Kept[] {
    return this.records[collection].where(equal).toReversed()
  }

  /** The next number of a collection, as a text where ids are texts. */
  next(name: Collection, first = 10_000): string | number {
    const { sequences } = this.records
    const number = Number(sequences.get(name)?.next ?? first)
    if (number === first) sequences.create({ id: name, next: number + 1 })
    else sequences.update(name, { next: number + 1 })
    return /^(boards|hooks|remote_links|sprints)$/.test(name) ? number : String(number)
  }

  /** Creates a record with the next number of its collection. @param path of its address, without the number */
  add(collection: Collection, path: string, facts: object, first?: number): Kept {
    const id = this.next(collection, first)
    return this.records[collection].create({ id, self: `${path}/${id}`, ...facts })
  }

  /** Removes the record of the path. */
  remove(collection: Collection): Kept {
    const record = this.find(collection)
    this.records[collection].remove(record)
    return record
  }

  deref(value: unknown): Kept | undefined {
    const { $, id } = fieldsOf(value)
    return $ === undefined ? undefined : this.records[$ as Collection].get(String(id))
  }

  /** An address of the API; where the clock does the work, one that leads nowhere. */
  link(path: unknown): string {
    const base = String(path).startsWith('/') ? '' : `/rest/api/${this.version}/`
    return `${this.of.origin ?? 'https://jira.example'}${base}${path}`
  }

  /** A record as the API shows it. */
  whole(collection: Collection, record: Kept, names?: readonly string[]): Shown {
    const isShown = ([name, value]: [string, unknown]): boolean =>
      value !== null && !/^_|^fields$/.test(name) && (name === 'self' || (names?.includes(name) ?? true))
    const facts = Object.fromEntries(Object.entries(record).filter(isShown))
    return { ...fieldsOf(this.show(facts)), ...(names === undefined && COMPUTED[collection]?.(this, record)) }
  }

  /** A record as another one shows it. */
  brief(collection: Collection, record: Kept): Shown {
    return { ...this.whole(collection, record, BRIEF[collection]), ...SUMMARY[collection]?.(this, record) }
  }

  /** A value with records in place of what stands for them, and in version 2 with texts in place of documents. */
  show(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.show(one))
    if (isDocument(value)) return this.version === 2 ? wikiOf(value) : value
    if (typeof value !== 'object' || value === null) return value
    const toShown = ([name, one]: [string, unknown]) => [name, name === 'self' ? this.link(one) : this.show(one)]
    if (!('$' in value)) return Object.fromEntries(Object.entries(value).map(toShown))
    const record = this.deref(value)
    return record === undefined ? null : this.brief(fieldsOf(value).$ as Collection, record)
  }

  /** Records as the API shows them: by default all. */
  shown(collection: Collection, records: readonly Kept[] = this.all(collection)): Shown[] {
    return records.map((one) => this.whole(collection, one))
  }

  /** Changes the record of the path. @returns it as the API shows it */
  change(collection: Collection, facts: Fields): Shown {
    return this.whole(collection, this.records[collection].update(this.find(collection), facts))
  }

  /** A page of records. */
  list(collection: Collection, records: readonly Kept[], usual?: number): Shown {
    return this.page(records, (one) => this.whole(collection, one), 'values', usual)
  }

  /** The address of a page of the operation. */
  #pageAt(startAt: number, maxResults: number): string {
    const path = this.#template.replace(/\{(\w+)\}/g, (_, name) => this.path[name] ?? '')
    const asked = Object.entries({ ...this.query, startAt, maxResults })
    const query = asked.flatMap(([name, value]) => textsOf(value).map((text) => [name, text]))
    return this.link(`${path}?${new URLSearchParams(query)}`)
  }

  /** A page of a list. */
  page<T>(items: readonly T[], toShown: (one: T) => unknown, name = 'values', usual = 50): Shown {
    const { startAt = 0, maxResults = usual } = { ...this.query, ...this.body }
    const [start, most] = [Number(startAt), Number(maxResults)]
    const values = items.slice(start, start + most).map(toShown)
    const total = items.length
    const isLast = start + values.length >= total
    const paged = { maxResults: most, startAt: start, total, isLast, [name]: values }
    if (name !== 'values' || !this.#template.startsWith('/rest/api/')) return paged
    const nextPage = isLast ? undefined : this.#pageAt(start + most, most)
    return { self: this.#pageAt(start, most), ...known({ nextPage }), ...paged }
  }
}
