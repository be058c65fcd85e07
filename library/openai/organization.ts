import { toUnix } from '../shared/times.ts'
import { type Fields, fieldsOf, type Json, type Kept, withoutKept } from '../shared/values.ts'
import { type Collections, type Context, find, missing } from './context.ts'
import { oldestFirst, plainOperations, toPage } from './lists.ts'

const PROJECT = '/organization/projects/{project_id}'
/** Seconds that an invite is good for. */
const INVITE_S = 7 * 86_400

/** A key: it shows its value as it is made, and never again. */
function newKey({ id }: Context, prefix: string): { value: string; redacted_value: string } {
  const value = id(prefix)
  return { value, redacted_value: `${value.slice(0, 8)}...${value.slice(-4)}` }
}

/** The operations that list, show and delete what a project has. */
function operationsOfProject(collection: keyof Collections, part: string, name: string, object: string) {
  const findOne = (context: Context): Kept => {
    const { id } = find(context, 'projects', 'project_id')
    const found = find(context, collection, name)
    return found.kept_project === id ? found : context.refuse(...missing(collection, found.id))
  }
  return {
    [`GET ${PROJECT}/${part}`]: (context: Context) => {
      const { id } = find(context, 'projects', 'project_id')
      return toPage(context, oldestFirst(context.records[collection].where({ kept_project: id })).map(withoutKept))
    },
    [`GET ${PROJECT}/${part}/{${name}}`]: (context: Context) => withoutKept(findOne(context)),
    [`DELETE ${PROJECT}/${part}/{${name}}`]: (context: Context) => {
      const { id } = findOne(context)
      context.records[collection].remove(id)
      return { id, object, deleted: true }
    },
  }
}

/** Seconds of a bucket, and how many of them a page has. */
const WIDTHS: Readonly<Record<string, readonly [seconds: number, usual: number]>> = {
  '1m': [60, 60],
  '1h': [3_600, 24],
  '1d': [86_400, 7],
}

/** The usage in a page of buckets of time, from one that begins before `start_time`. */
function toBuckets(context: Context): Fields {
  const { query, now } = context
  const { start_time, end_time = toUnix(now), bucket_width = '1d', page } = query
  const [seconds, usual] = WIDTHS[String(bucket_width)] ?? [86_400, 7]
  const first = Number(page === undefined ? start_time : String(page).replace('page_', ''))
  const begin = first - (first % seconds)
  const count = Math.max(0, Math.ceil((Number(end_time) - begin) / seconds))
  const size = Math.min(count, Number(query.limit ?? usual))
  const data = Array.from({ length: size }, (_, at) => {
    const from = begin + at * seconds
    return {
      object: 'bucket',
      start_time: from,
      end_time: from + seconds,
      results: usedIn(context, from, from + seconds),
    }
  })
  const has_more = size < count
  return { object: 'page', data, has_more, next_page: has_more ? `page_${begin + size * seconds}` : null }
}

/** What stored responses and chats of a span have used, of each model where it is asked for. */
function usedIn({ records, query }: Context, from: number, to: number): Fields[] {
  const isByModel = [query.group_by ?? []].flat().includes('model')
  const sums = new Map<Json, { input: number; cached: number; output: number; count: number }>()
  for (const record of [...records.responses, ...records.chat_completions]) {
    const time = Number(record.created_at ?? record.created)
    const { input_tokens, prompt_tokens, output_tokens, completion_tokens, ...rest } = fieldsOf(record.usage)
    if (time < from || time >= to) continue
    const key = isByModel ? (record.model ?? null) : null
    const { input, cached, output, count } = sums.get(key) ?? { input: 0, cached: 0, output: 0, count: 0 }
    const details = fieldsOf(rest.input_tokens_details ?? rest.prompt_tokens_details)
    sums.set(key, {
      input: input + Number(input_tokens ?? prompt_tokens ?? 0),
      cached: cached + Number(details.cached_tokens ?? 0),
      output: output + Number(output_tokens ?? completion_tokens ?? 0),
      count: count + 1,
    })
  }
  return [...sums].map(([model, { input, cached, output, count }]) => ({
    ...{ object: 'organization.usage.completions.result', input_tokens: input, input_cached_tokens: cached },
    ...{ output_tokens: output, input_audio_tokens: 0, output_audio_tokens: 0, num_model_requests: count },
    ...{ project_id: null, user_id: null, api_key_id: null, batch: null, service_tier: null, model },
  }))
}

/** What an administrator of an organization does. */
export const organization = {
  ...plainOperations('admin_api_keys', {
    path: '/organization/admin_api_keys',
    name: 'key_id',
    deleted: 'organization.admin_api_key.deleted',
  }),
  'POST /organization/admin_api_keys': (context: Context) => {
    const { body, now, records } = context
    const { value, redacted_value } = newKey(context, 'sk-admin-')
    const seconds = body.expires_in_seconds
    const owner = { type: 'user', object: 'organization.user', name: 'Owner', role: 'owner', created_at: toUnix(now) }
    const made = records.admin_api_keys.create({
      ...{ object: 'organization.admin_api_key', name: body.name, redacted_value, created_at: toUnix(now) },
      ...{ last_used_at: null, expires_at: seconds === undefined ? null : toUnix(now) + Number(seconds), owner },
    })
    return { ...made, value }
  },
  ...plainOperations('invites', {
    path: '/organization/invites',
    name: 'invite_id',
    show: (invite, { now }) => ({
      ...withoutKept(invite),
      status: Number(invite.expires_at) > toUnix(now) ? 'pending' : 'expired',
    }),
    deleted: 'organization.invite.deleted',
  }),
  'POST /organization/invites': ({ body, now, records }: Context) => {
    const { email, role, projects = [] } = body
    const facts = { object: 'organization.invite', email, role, status: 'pending', projects }
    const created_at = toUnix(now)
    return records.invites.create({ ...facts, created_at, expires_at: created_at + INVITE_S, accepted_at: null })
  },
  ...plainOperations('organization_users', {
    path: '/organization/users',
    name: 'user_id',
    deleted: 'organization.user.deleted',
  }),
  'POST /organization/users/{user_id}': (context: Context) =>
    context.records.organization_users.update(find(context, 'organization_users', 'user_id').id, context.body),
  ...plainOperations('projects', { path: '/organization/projects', name: 'project_id' }),
  'GET /organization/projects': (context: Context) => {
    const { include_archived } = context.query
    const all = oldestFirst(context.records.projects)
    return toPage(context, include_archived === true ? all : all.filter(({ status }) => status === 'active'))
  },
  'POST /organization/projects': ({ body, now, records }: Context) =>
    records.projects.create({
      ...{ object: 'organization.project', name: body.name, status: 'active' },
      ...{ created_at: toUnix(now), archived_at: null },
    }),
  [`POST ${PROJECT}`]: (context: Context) =>
    context.records.projects.update(find(context, 'projects', 'project_id').id, context.body),
  [`POST ${PROJECT}/archive`]: (context: Context) => {
    const change = { status: 'archived', archived_at: toUnix(context.now) }
    return context.records.projects.update(find(context, 'projects', 'project_id').id, change)
  },
  ...operationsOfProject(
    'service_accounts',
    'service_accounts',
    'service_account_id',
    'organization.project.service_account.deleted',
  ),
  [`POST ${PROJECT}/service_accounts`]: (context: Context) => {
    const { body, now, records } = context
    const kept_project = find(context, 'projects', 'project_id').id
    const created_at = toUnix(now)
    const object = 'organization.project.service_account'
    const account = withoutKept(
      records.service_accounts.create({ object, name: body.name, role: 'member', created_at, kept_project }),
    )
    const { value, redacted_value } = newKey(context, 'sk-svcacct-')
    const { id } = records.project_api_keys.create({
      ...{ object: 'organization.project.api_key', name: 'Secret Key', redacted_value, created_at, last_used_at: null },
      ...{ owner: { type: 'service_account', service_account: account }, owner_project_access: 'active', kept_project },
    })
    const api_key = {
      object: 'organization.project.service_account.api_key',
      id,
      name: 'Secret Key',
      created_at,
      value,
    }
    return { ...account, api_key }
  },
  ...operationsOfProject('project_api_keys', 'api_keys', 'api_key_id', 'organization.project.api_key.deleted'),
  'GET /organization/usage/completions': toBuckets,
}
