import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Json, type Kept, listOf } from '../openai/context.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf }

/** The collections of the description. */
type Collections = Record<Collection, Kept>
type Collection =
  | ('attachments' | 'boards' | 'changes' | 'comments' | 'components' | 'fields' | 'filters' | 'groups' | 'happenings')
  | ('hooks' | 'issues' | 'links' | 'projects' | 'remote_links' | 'sequences' | 'sprints' | 'users' | 'versions')
  | 'worklogs'

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections> & { readonly version?: 2 }
/** What a handler of a due record gets. */
export type Due = DueContext<Collections, Kept>
/** What both get. */
export type Work = WorldContext<Collections> & Partial<Pick<Context, 'headers' | 'origin' | 'version'>>
/** Handlers, by operations without the path of the API. */
export type Operations = Readonly<Record<string, (context: Context) => unknown>>
/** What an answer shows. */
export type Shown = Readonly<Record<string, unknown>>

/** The same work, with members of its own. */
const withOwn = <W extends Work>(work: W, own: object): W =>
  new Proxy(work, {
    get(target, name) {
      if (name in own) return Reflect.get(own, name)
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

/** The same work for version 2 of the API, whose rich texts are texts. */
export const asVersion2 = <W extends Work>(work: W): W => withOwn(work, { version: 2 })

/** A value that a field does not take. */
export class Misfit extends Error {}
export const misfit = (message: string): never => {
  throw new Misfit(message)
}

/** Why a part of the work is refused; undefined if it is not. */
export function refusalOf(work: Work, run: (work: Work) => unknown): string | undefined {
  try {
    run(withOwn(work, { refuse: (_: number, { message }: { message: string }) => misfit(message) }))
    return undefined
  } catch (error) {
    if (error instanceof Misfit) return error.message
    throw error
  }
}

/** An address of the API; where the clock does the work, one that leads nowhere. */
export const linkTo = ({ origin = 'https://jira.example', version }: Work, path: string): string =>
  `${origin}/rest/api/${version ?? 3}/${path}`

export const agileLink = ({ origin = 'https://jira.example' }: Work, path: string): string =>
  `${origin}/rest/agile/1.0/${path}`

/** A time as Jira shows it. */
export const toTime = (iso: unknown): string => String(iso).replace('Z', '+0000')

/** Refuses a request, in the form of Jira's errors. */
export function fail(
  { refuse }: Pick<Work, 'refuse'>,
  status: number,
  messages: string | readonly string[],
  errors: Shown = {},
): never {
  const errorMessages = [messages].flat()
  const message = errorMessages[0] ?? Object.entries(errors).join()
  const facts = { errorMessages, errors }
  return refuse(status, { code: 'refused', message, ...facts })
}

export const NO_ISSUE = 'Issue does not exist or you do not have permission to see it.'

/** Refuses a value of one field of a request. */
export const failField = (work: Work, field: string, message: string): never =>
  fail(work, 400, [], { [field]: message })

export const noContent = (context: Context): object => context.respond({ status: 204 })

/** Facts that are there. */
export const known = (facts: Shown): Shown =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined))

const byKey = ({ records }: Work, collection: 'issues' | 'projects', idOrKey: unknown): Kept | undefined =>
  records[collection].get(String(idOrKey)) ?? records[collection].find({ key: String(idOrKey).toUpperCase() })
export const findIssue = (work: Work, idOrKey: unknown): Kept | undefined => byKey(work, 'issues', idOrKey)
export const findProject = (work: Work, idOrKey: unknown): Kept | undefined => byKey(work, 'projects', idOrKey)

export const issueOf = (work: Work, idOrKey: unknown): Kept => findIssue(work, idOrKey) ?? fail(work, 404, NO_ISSUE)
export const projectOf = (work: Work, idOrKey: unknown): Kept =>
  findProject(work, idOrKey) ?? fail(work, 404, `No project could be found with key '${idOrKey}'.`)
export const pathIssue = (context: Context): Kept => issueOf(context, context.path.issueIdOrKey)
export const pathProject = (context: Context): Kept => projectOf(context, context.path.projectIdOrKey)

const ABSENT = {
  attachments: "The attachment with id '{id}' does not exist",
  boards:
    'The requested board cannot be viewed because it either does not exist or you do not have permission to view it.',
  comments: 'Can not find a comment for the id: {id}.',
  components: 'The component with id {id} does not exist.',
  filters: "The selected filter with id '{id}' does not exist.",
  hooks: 'The webhook does not exist.',
  links: "No issue link with id '{id}' exists.",
  remote_links: 'The remote issue link does not exist.',
  sprints: 'Sprint does not exist',
  users: 'Specified user does not exist or you do not have required permissions',
  versions: "Could not find version for id '{id}'",
  worklogs: "Cannot find worklog with id: '{id}'.",
}

/** The record with an id, by default that of the path. @param issue that it belongs to */
export function find(
  context: Context,
  collection: keyof typeof ABSENT,
  id: unknown = context.path.id,
  issue?: Kept,
): Kept {
  const record = context.records[collection].get(String(id))
  if (record !== undefined && (issue === undefined || record.issue === issue.id)) return record
  return fail(context, collection === 'filters' ? 400 : 404, ABSENT[collection].replace('{id}', String(id)))
}

/** Removes the record of the path. */
export function removeOf(context: Context, collection: keyof typeof ABSENT, id?: unknown): Kept {
  const record = find(context, collection, id)
  context.records[collection].remove(record.id)
  return record
}

/** Creates a record with the next number of its collection. */
export const add = (work: Work, collection: Collection, facts: Fields, first?: number): Kept =>
  work.records[collection].create({ id: String(nextOf(work, collection, first)), ...facts })

/** Records from the oldest on. */
export const oldest = ({ records }: Work, collection: Collection, equal: Fields = {}): Kept[] =>
  records[collection].where(equal).toReversed()

/** The next number of a sequence. */
export function nextOf({ records }: Work, name: string, first = 10_000): number {
  const number = Number(records.sequences.get(name)?.next ?? first)
  if (number === first) records.sequences.create({ id: name, next: number + 1 })
  else records.sequences.update(name, { next: number + 1 })
  return number
}

const ADA = '712020:00000000-0000-4000-8000-000000000ada'

/** The user of a request: of the e-mail address of its Basic authorization, else Ada. */
export function meOf({ headers, records, refuse }: Work): Kept {
  const [, sent = ''] = /^Basic +(.+)$/i.exec(headers?.authorization ?? '') ?? []
  const [emailAddress = ''] = Buffer.from(sent, 'base64').toString().split(':')
  return records.users.find({ emailAddress }) ?? records.users.get(ADA) ?? refuse(401)
}

export function showUser(work: Work, id: unknown): Shown | null {
  const user = work.records.users.get(String(id))
  if (user === undefined) return null
  const { id: accountId, groups: _, ...facts } = user
  const picture = `https://avatars.example/${accountId.slice(-3)}.png`
  const avatarUrls = Object.fromEntries(['48x48', '24x24', '16x16', '32x32'].map((size) => [size, picture]))
  return { self: linkTo(work, `user?accountId=${encodeURIComponent(accountId)}`), accountId, avatarUrls, ...facts }
}

/** Numbers of a page in the query or the body. */
export function windowOf(context: Context, usual = 50): { startAt: number; maxResults: number } {
  const { startAt = 0, maxResults = usual } = { ...context.query, ...context.body } as Fields
  return { startAt: Number(startAt), maxResults: Number(maxResults) }
}

/** A page of a list. */
export function toPage<T>(
  context: Context,
  items: readonly T[],
  show: (item: T) => unknown,
  name = 'values',
  usual?: number,
): Shown {
  const { startAt, maxResults } = windowOf(context, usual)
  const values = items.slice(startAt, startAt + maxResults).map(show)
  const total = items.length
  return { maxResults, startAt, total, isLast: startAt + values.length >= total, [name]: values }
}

export const same = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase()

/** Texts of a query parameter, which may be repeated or have commas. */
export const textsOf = (value: unknown): string[] =>
  value === undefined ? [] : [value].flat().flatMap((text) => String(text).split(','))

/** Whether a query parameter is absent, or has a value. */
export function isAsked(parameter: unknown, value: unknown): boolean {
  const wanted = textsOf(parameter)
  return wanted.length === 0 || wanted.includes(String(value))
}

/** Whether a text has the words of a query parameter. */
export const hasWords = (words: unknown, text: string): boolean =>
  text.toLowerCase().includes(String(words ?? '').toLowerCase())

/** Records of a list of ids, in its order. */
export const allOf = ({ records }: Work, collection: Collection, ids: Json | undefined): Kept[] =>
  (Array.isArray(ids) ? ids : []).flatMap((id) => records[collection].get(String(id)) ?? [])

/** A text, in wiki markup, as a document: headings, bullets, paragraphs and bold words. */
export function toDocument(text: string): Fields {
  const content = text.split(/\r?\n/).map((line): Fields => {
    const [, level, title] = /^h([1-6])\. +(.*)$/.exec(line) ?? []
    if (title !== undefined) return { type: 'heading', attrs: { level: Number(level) }, content: toInline(title) }
    const [, item] = /^[*-] +(.*)$/.exec(line) ?? []
    const paragraph = { type: 'paragraph', content: toInline(item ?? line) }
    return item === undefined
      ? paragraph
      : { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph] }] }
  })
  return { type: 'doc', version: 1, content }
}

const toInline = (line: string): Fields[] =>
  line
    .split(/(\*[^*\s](?:[^*]*[^*\s])?\*)/)
    .filter((part) => part !== '')
    .map((part) =>
      /^\*.+\*$/.test(part)
        ? { type: 'text', text: part.slice(1, -1), marks: [{ type: 'strong' }] }
        : { type: 'text', text: part },
    )

export const isDocument = (value: Json): value is Fields => {
  const { type, version, content } = fieldsOf(value)
  return type === 'doc' && version === 1 && Array.isArray(content)
}

const BLOCKS = new Set(['paragraph', 'heading', 'codeBlock', 'blockquote', 'listItem', 'tableRow', 'panel', 'rule'])

/** The words of a document. */
export const textOf = (node: unknown): string => write(fieldsOf(node)).replace(/\n+$/, '')

function write(node: Fields): string {
  const { text, shortName, url } = fieldsOf(node.attrs)
  if (node.type === 'hardBreak') return '\n'
  const inner = String(node.text ?? text ?? shortName ?? url ?? '') + listOf(node.content).map(write).join('')
  return BLOCKS.has(String(node.type)) && !inner.endsWith('\n') ? `${inner}\n` : inner
}
