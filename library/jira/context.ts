import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import type { Fields, Json, Kept } from '../openai/context.ts'

export { type Fields, fieldsOf, type Json, type Kept, listOf } from '../openai/context.ts'

/** The collections of the description. */
type Collections = Record<
  | 'attachments'
  | 'boards'
  | 'changes'
  | 'comments'
  | 'components'
  | 'fields'
  | 'filters'
  | 'groups'
  | 'happenings'
  | 'hooks'
  | 'issues'
  | 'links'
  | 'projects'
  | 'remote_links'
  | 'sequences'
  | 'sprints'
  | 'users'
  | 'versions'
  | 'worklogs',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections> & { readonly version?: 2 }
/** What a handler of a due record gets. */
export type Due = DueContext<Collections, Kept>
/** What both get. */
export type Work = WorldContext<Collections> & Partial<Pick<Context, 'headers' | 'origin' | 'version'>>
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

/** The issue with this id or key. */
export function issueOf(work: Work, idOrKey: unknown): Kept {
  const { issues } = work.records
  const key = String(idOrKey)
  return issues.get(key) ?? issues.find({ key: key.toUpperCase() }) ?? fail(work, 404, NO_ISSUE)
}

export function projectOf(work: Work, idOrKey: unknown): Kept {
  const { projects } = work.records
  const found = projects.get(String(idOrKey)) ?? projects.find({ key: String(idOrKey).toUpperCase() })
  return found ?? fail(work, 404, `No project could be found with key '${idOrKey}'.`)
}

/** The record of the path. @param message where there is none */
export const recordOf = (work: Work, collection: keyof Collections, id: unknown, message: string): Kept =>
  work.records[collection].get(String(id)) ?? fail(work, 404, message)

/** The next number of a sequence. */
export function nextOf({ records }: Work, name: string, first = 10_000): number {
  const sequence = records.sequences.get(name)
  const number = Number(sequence?.next ?? first)
  if (sequence === undefined) records.sequences.create({ id: name, next: number + 1 })
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
export function toPage<T>(context: Context, items: readonly T[], show: (item: T) => unknown, name = 'values'): Shown {
  const { startAt, maxResults } = windowOf(context)
  const values = items.slice(startAt, startAt + maxResults).map(show)
  const total = items.length
  return { maxResults, startAt, total, isLast: startAt + values.length >= total, [name]: values }
}

export const same = (one: unknown, other: unknown): boolean => String(one).toLowerCase() === String(other).toLowerCase()

/** Texts of a query parameter, which may be repeated or have commas. */
export const textsOf = (value: unknown): string[] =>
  value === undefined ? [] : [value].flat().flatMap((text) => String(text).split(','))

/** Records of a list of ids, in its order. */
export const allOf = ({ records }: Work, collection: keyof Collections, ids: Json | undefined): Kept[] =>
  (Array.isArray(ids) ? ids : []).flatMap((id) => records[collection].get(String(id)) ?? [])
