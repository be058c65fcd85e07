import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fieldsOf } from '../shared/values.ts'
import { filled, type Handler, isThere, paged, pick, refused, secondsOf } from './answers.ts'

const REPO = '/repos/{owner}/{repo}'

/** The id of what a path leads to, after a word; undefined for what the caller may not change. */
const scopeAt = (context: OperationContext, word: string, at: string): string | undefined => {
  const { status, body } = context.call('GET', filled(context, at))
  const { permissions } = at.startsWith(REPO) ? fieldsOf(context.call('GET', filled(context, REPO)).body) : {}
  return status < 400 && fieldsOf(permissions).push !== false ? `${word}${fieldsOf(body).id}` : undefined
}
const PUBLIC_KEY = {
  key_id: '568250167242549743',
  key: Buffer.from('backlot-public-key-of-32-bytes-0').toString('base64'),
}
const SHOWN = ['name', 'value', 'created_at', 'updated_at', 'visibility']

/** The operations on secrets, or on variables, of what a path leads to. */
function stored(word: string, at: string, below: string, kind: 'secrets' | 'variables'): Record<string, Handler> {
  const param = kind === 'secrets' ? 'secret_name' : 'name'
  const list = `${at}${below}/${kind}`
  const one = `${list}/{${param}}`
  const show = (record: JsonObject) =>
    pick(
      record,
      SHOWN.filter((name) => record[name] !== null),
    )
  type Act = (context: OperationContext, scope: string, id: number, found: JsonObject | undefined) => object
  const on =
    (act: Act): Handler =>
    (context) => {
      const scope = scopeAt(context, word, at)
      if (scope === undefined) return isThere(context, false)
      const name = String(context.path[param] ?? context.body.name).toUpperCase()
      const found = context.records[kind]?.find({ scope, name })
      return act(context, scope, Number(found?.id), found)
    }
  const there = (act: (context: OperationContext, id: number, found: JsonObject) => object) =>
    on((context, _, id, found) => (found ? act(context, id, found) : isThere(context, false)))
  const write: Act = (context, scope, id, found) => {
    const { records, path, body, respond } = context
    const name = String(body.name ?? path[param]).toUpperCase()
    const fields = { ...pick(body, ['value', 'visibility']), name, updated_at: secondsOf(context) }
    if (found) records[kind]?.update(id, fields)
    else records[kind]?.create({ ...fields, scope, created_at: secondsOf(context) })
    return found ? isThere(context, true) : respond({ status: 201, body: {} })
  }
  return {
    [`GET ${list}`]: on((context, scope) =>
      paged(context, list, (context.records[kind]?.where({ scope }) ?? []).toReversed().map(show), kind),
    ),
    [`GET ${one}`]: there((_, __, found) => show(found)),
    [`DELETE ${one}`]: there((context, id) => {
      context.records[kind]?.remove(id)
      return isThere(context, true)
    }),
    ...(kind === 'secrets'
      ? { [`GET ${list}/public-key`]: on(() => PUBLIC_KEY), [`PUT ${one}`]: on(write) }
      : {
          [`POST ${list}`]: on((context, scope, id, found) =>
            found
              ? refused(context, 409, 'Already exists - Variable already exists')
              : write(context, scope, id, found),
          ),
          [`PATCH ${one}`]: there((context, id, found) => write(context, '', id, found)),
        }),
  }
}

const ENVIRONMENT = `${REPO}/environments/{environment_name}`
/** Secrets and variables of Actions, and secrets of Dependabot. */
export const secrets: Record<string, Handler> = {
  ...stored('repo', REPO, '/actions', 'secrets'),
  ...stored('repo', REPO, '/actions', 'variables'),
  ...stored('bot', REPO, '/dependabot', 'secrets'),
  ...stored('env', ENVIRONMENT, '', 'secrets'),
  ...stored('env', ENVIRONMENT, '', 'variables'),
  ...stored('org', '/orgs/{org}', '/actions', 'secrets'),
  ...stored('org', '/orgs/{org}', '/actions', 'variables'),
}
