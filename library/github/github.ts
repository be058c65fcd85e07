import { valueText } from '../../src/protocol/json.ts'
import { after } from '../shared/times.ts'
import { linkHeader, MOST } from './answers.ts'
import { pushedRepo } from './links.ts'
import { notify } from './notify.ts'
import {
  type Collection,
  type Context,
  type Fields,
  fieldsOf,
  idsOf,
  type Json,
  textOf,
  type World,
} from './records.ts'
import { toAccount, toPerson } from './show-accounts.ts'
import { INSTALLATION_ID } from './show-app.ts'
import { toRepo } from './show-repo.ts'

export {
  API,
  type Collection,
  type Context,
  type Due,
  type Fields,
  fieldsOf,
  filled,
  idsOf,
  type Json,
  listOf,
  nodeId,
  type Reader,
  SITE,
  sent,
  sha1,
  textOf,
  textsOf,
  without,
} from './records.ts'

/** Handlers by operations. */
export type Operations = Readonly<Record<string, (github: GitHubRequest) => unknown>>

/** An entry of `errors` in a refusal. */
interface Fault {
  readonly resource?: string
  readonly field?: string
  readonly code?: string
  readonly value?: Json | undefined
  readonly message?: string
}

/** The app that installation tokens are of acts as this user. */
const BOT_ID = 4

/** The records, the clock, the events, and who acts. */
export class GitHub {
  readonly records: World['records']
  readonly now: Date
  /** Undefined for a request without a key. */
  readonly actor: Fields | undefined
  readonly id: World['id']

  constructor({ records, now, id }: Pick<World, 'records' | 'now' | 'id'>, actor: Fields | undefined) {
    this.records = records
    this.now = now
    this.id = id
    this.actor = actor
  }

  /** World time, as records have it. */
  get time(): string {
    return this.now.toISOString().replace(/\.\d+/, '')
  }

  later(seconds: number): string {
    return after(this.now, seconds).replace(/\.\d+/, '')
  }

  get actorId(): Json {
    return this.actor?.id ?? null
  }

  /** Creates a record with the time. */
  create(collection: Collection, fields: Fields): Fields {
    return this.records[collection].create({ created_at: this.time, updated_at: this.time, ...fields })
  }

  /** Sets fields of a record, and its time. */
  update(collection: Collection, record: Fields, fields: Fields): Fields {
    return this.records[collection].update(record.id as number, { ...fields, updated_at: this.time })
  }

  /** The account with this login in any case. */
  accountNamed(login: Json | undefined): Fields | undefined {
    return this.records.users.find({ key: textOf(login).toLowerCase() })
  }

  /** Sends an event of a repository. @param repo undefined for one that is of none */
  happen(repo: Fields | undefined, type: string, payload: Fields): void {
    const hooked = this.records.repos.get(repo?.id as number)
    const owner = this.records.users.get(hooked?.owner_id as number)
    const isOrgs = owner?.type === 'Organization'
    const shown = hooked && toRepo(this, hooked)
    const sent: Fields = {
      ...payload,
      ...(shown && { repository: type === 'push' ? pushedRepo(shown) : shown }),
      ...(isOrgs && { organization: toAccount(owner) }),
      ...(this.actor && { sender: toPerson(this.actor) }),
      installation: { id: INSTALLATION_ID, node_id: 'MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9uNTAwMQ==' },
    }
    this.records.happenings.create({
      ...{ type, repository_id: repo?.id ?? 0, org_id: isOrgs ? (owner.id ?? 0) : 0, created_at: this.time },
      payload: sent,
    })
    notify(this, repo, type, payload)
  }

  /** Sends an event of an organization. */
  happenIn(org: Fields, type: string, payload: Fields): void {
    const sender = this.actor ? { sender: toPerson(this.actor) } : {}
    this.records.happenings.create({
      ...{ type, repository_id: 0, org_id: org.id ?? 0, created_at: this.time },
      payload: { ...payload, organization: toAccount(org), ...sender },
    })
  }
}

/** The permission that a part of a repository's path needs of an app, where it is not its name. */
const NEEDED: Readonly<Record<string, string>> = {
  ...{ assignees: 'issues', labels: 'issues', milestones: 'issues', pulls: 'pull_requests' },
  ...{ 'check-runs': 'checks', 'check-suites': 'checks', hooks: 'repository_hooks' },
  ...{ branches: 'contents', commits: 'contents', compare: 'contents', git: 'contents' },
  ...{ merges: 'contents', releases: 'contents' },
  ...{ 'actions/secrets': 'secrets', 'actions/variables': 'variables', 'dependabot/secrets': 'dependabot_secrets' },
}
const CODE =
  'actions branches check-runs check-suites contents deployments dispatches git merges releases statuses'.split(' ')

/** Who a key is of, and the token of an installation that it is. */
function callerOf({ records, key, headers }: Context): { actor: Fields | undefined; installed: Fields | undefined } {
  const text = key ?? ''
  const installed = key === null ? undefined : records.installation_tokens.find({ token: text })
  const signedIn = records.access_tokens.get(text)
  const actor = text.startsWith('octocat_')
    ? records.users.find({ key: 'octocat' })
    : ((installed && records.users.get(BOT_ID)) ??
      records.users.get(signedIn?.user_id as number) ??
      (key === null ? undefined : records.users.find({ me: true })))
  return { actor, installed: headers.authorization === undefined ? undefined : installed }
}

/** The same, with a request. */
export class GitHubRequest extends GitHub {
  readonly of: Context
  readonly body: Fields
  /** The token of an app's installation, where the key is one. */
  readonly installed: Fields | undefined
  readonly #method: string
  readonly #template: string
  #place: { readonly repo: Fields; readonly role: string } | undefined

  /** @param operation such as `GET /user` */
  constructor(of: Context, operation: string) {
    const { actor, installed } = callerOf(of)
    super(of, actor)
    // A wrong key is refused where none is needed.
    if (of.key === null && of.headers.authorization !== undefined) of.refuse(401, { code: 'unauthorized' })
    this.of = of
    this.body = fieldsOf(of.body)
    this.installed = installed
    const [method = '', template = ''] = operation.split(' ')
    this.#method = method
    this.#template = template
  }

  get path(): Readonly<Record<string, string>> {
    return this.of.path
  }

  get query(): Fields {
    return this.of.query
  }

  /** A parameter of the query with one text. */
  param(name: string): string {
    return valueText(this.query[name] ?? '')
  }

  /** Who acts. */
  get me(): Fields {
    return this.actor ?? this.refuse(401, 'Requires authentication')
  }

  refuse(status: number, text: string, errors?: Json): never {
    const facts = { code: 'refused', text, ...(errors !== undefined && { errors }) }
    return this.of.refuse(status, facts)
  }

  gone(): never {
    return this.refuse(404, 'Not Found')
  }

  /** Refuses a field of the request. */
  invalid(fault: Fault): never {
    return this.refuse(422, 'Validation Failed', [fault as Fields])
  }

  /** Refuses a request that its texts explain. */
  custom(resource: string, message: string): never {
    return this.invalid({ resource, code: 'custom', message })
  }

  /** Refuses a value that another record has. */
  taken(resource: string, field: string, message: string): never {
    return this.invalid({ resource, field, code: 'custom', message })
  }

  /** The fields of the body that it has; refuses one of another type. @param form a value of each field's type, null for any */
  sent(form: Fields): Fields {
    const names = Object.keys(form).filter((name) => this.body[name] !== undefined)
    for (const name of names) {
      const [wanted, given] = [form[name] ?? null, this.body[name] ?? null]
      if (wanted !== null && given !== null && typeOf(wanted) !== typeOf(given))
        this.refuse(422, `Invalid request.\n\nFor '${name}', ${JSON.stringify(given)} is not a ${typeOf(wanted)}.`)
    }
    return Object.fromEntries(names.map((name) => [name, this.body[name] ?? null]))
  }

  /** The record with this id in the path; 404 where there is none, or it is not of these. */
  find(collection: Collection, id: Json | undefined, of: Fields = {}): Fields {
    const record = this.records[collection].get(id as string)
    const isOf = record !== undefined && Object.entries(of).every(([name, value]) => record[name] === value)
    return isOf ? record : this.gone()
  }

  /** The account of the path. */
  get account(): Fields {
    return this.accountNamed(this.path.username ?? this.path.org) ?? this.gone()
  }

  get organization(): Fields {
    const org = this.accountNamed(this.path.org)
    return org?.type === 'Organization' ? org : this.gone()
  }

  /** The repository of the path, which the caller may see and, with this request, use. */
  get repo(): Fields {
    return this.place.repo
  }

  /** `admin`, `maintain`, `push`, `triage`, `pull` or `none`. */
  get role(): string {
    return this.place.role
  }

  get place(): { readonly repo: Fields; readonly role: string } {
    this.#place ??= this.#findPlace()
    return this.#place
  }

  /** The repository with this name, or that once had it. */
  repoNamed(full_name: string): Fields | undefined {
    const key = full_name.toLowerCase()
    const { repos } = this.records
    return repos.find({ key }) ?? repos.find(({ former_keys }) => idsOf(former_keys).includes(key))
  }

  #findPlace(): { readonly repo: Fields; readonly role: string } {
    const { installed } = this
    const repo = this.repoNamed(`${this.path.owner}/${this.path.repo}`) ?? this.gone()
    const role = this.#roleIn(repo)
    const [, , , , part = '', kind = '', action = ''] = this.#template.split('/')
    const isWrite = this.#method !== 'GET'
    const isReader = ['none', 'pull', 'read'].includes(role)
    const isAdmin = role === 'admin'
    const isHidden =
      (installed?.repos != null && !idsOf(installed.repos).includes(repo.id ?? null)) ||
      (role === 'none' && repo.private === true) ||
      (!isAdmin && role !== 'maintain' && ['hooks', 'keys'].includes(part)) ||
      ((isReader || role === 'triage') && isWrite && CODE.includes(part))
    if (isHidden) this.gone()
    const isForbidden =
      (!isAdmin && ['', 'collaborators', 'transfer', 'topics'].includes(part)) ||
      (isReader && ['labels', 'milestones'].includes(part)) ||
      (isReader && ['labels', 'assignees', 'lock', 'merge', 'requested_reviewers'].includes(action))
    if (isWrite && isForbidden) this.refuse(403, 'Must have admin rights to Repository.')
    const needed = ['secrets', 'variables'].includes(kind) ? NEEDED[`${part}/${kind}`] : NEEDED[part]
    const granted = fieldsOf(installed?.asked)[needed ?? part]
    if (installed?.asked != null && part !== '' && (granted === undefined || (granted === 'read' && isWrite)))
      this.refuse(403, 'Resource not accessible by integration')
    if (repo.archived === true && isWrite && !['', 'forks', 'subscription'].includes(part))
      this.refuse(403, 'Repository was archived so is read-only.')
    return { repo, role }
  }

  #roleIn(repo: Fields): string {
    const { actor, actorId, installed, records } = this
    if (actor?.me === true || installed !== undefined || (actor && repo.owner_id === actorId)) return 'admin'
    const test = { repository_id: repo.id ?? null, user_id: actorId, pending: false }
    const collaborator = actor && records.collaborators.find(test)
    if (collaborator) return textOf(collaborator.permission)
    const owner = records.users.get(repo.owner_id as number)
    return actor && idsOf(owner?.members).includes(actorId) ? 'admin' : 'none'
  }

  /** The media type that `Accept` asks for first, where it has this word: `raw`, `sha`. */
  accepts(word: string): string | undefined {
    const [wanted = ''] = textOf(this.of.headers.accept).toLowerCase().split(/[,;]/)
    return wanted.split(/[./+]/).includes(word) ? wanted.trim() : undefined
  }

  /** The bytes of a file, as `Accept` asks for them. @param content in base64 */
  file(content: string): object {
    const headers = { 'Content-Type': `${this.accepts('raw')}; charset=utf-8` }
    return this.of.respond({ status: 200, headers, body: Buffer.from(content, 'base64') })
  }

  /** The answer without a body. */
  get empty(): object {
    return this.of.respond({ status: 204 })
  }

  /** An answer without a body, where it is so. */
  isThere(is: boolean): object {
    return is ? this.empty : this.gone()
  }

  created(body: unknown): object {
    return this.of.respond({ status: 201, body })
  }

  /** A page of a list, with its `Link`. */
  page(items: readonly Fields[], show: (item: Fields) => unknown, more: Readonly<Record<string, string>> = {}): object {
    const { Link, shown } = this.#cut(items)
    const headers = Link === undefined ? more : { ...more, Link }
    return this.of.respond({ status: 200, headers, body: shown.map(show) })
  }

  /** A page of a list that is a field of the answer. @param fields others of the answer @default the number of all */
  pageIn(
    name: string,
    items: readonly Fields[],
    { show, fields = { total_count: items.length } }: { show: (item: Fields) => unknown; fields?: Fields },
  ): object {
    const { Link, shown } = this.#cut(items)
    const headers = Link === undefined ? {} : { Link }
    return this.of.respond({ status: 200, headers, body: { ...fields, [name]: shown.map(show) } })
  }

  #cut(items: readonly Fields[]): { Link: string | undefined; shown: readonly Fields[] } {
    const size = Math.min(Number(this.query.per_page ?? 0) || 30, MOST)
    const page = Math.max(1, Number(this.query.page ?? 1) || 1)
    return {
      Link: linkHeader(this.of, this.#template, { page, last: Math.max(1, Math.ceil(items.length / size)) }),
      shown: items.slice((page - 1) * size, page * size),
    }
  }
}

const typeOf = (value: Json): string => (Array.isArray(value) ? 'array' : typeof value)

/** A list by a field; `descending` turns it round. Equal ones keep their order. */
export function sorted(items: readonly Fields[], by: string, isDescending = false): Fields[] {
  const fieldAt = (item: Fields) => by.split('.').reduce<Json>((value, name) => fieldsOf(value)[name] ?? null, item)
  const sign = isDescending ? -1 : 1
  return items.toSorted((left, right) => {
    const [a, b] = [fieldAt(left), fieldAt(right)]
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return (a < b ? -1 : 1) * sign
  })
}
