import { after } from '../shared/times.ts'
import { type Fields, fieldsOf, type Kept, listOf } from '../shared/values.ts'
import {
  type Context,
  contentsOf,
  type Fault,
  invalid,
  read,
  refuseWith,
  removing,
  toPage,
  type Work,
} from './context.ts'
import { idOf, modelFault } from './models.ts'
import { toTalk } from './talk.ts'

/** Models whose caches have at least 1,024 tokens; those of others have 4,096. */
const SMALL_CACHES = /(?:2\.5|3(?:\.\d)?)-flash/

/** Seconds that a cache lives without a wish. */
const USUAL_S = 3_600

const isLive = ({ now }: Pick<Work, 'now'>, { expireTime }: Fields): boolean => String(expireTime) > now.toISOString()

const shown = ({ id: _, kept_content: _c, advances_at: _a, ...cache }: Fields): Fields => cache

const gone = (name: unknown): Fault => ({
  status: 403,
  message: `CachedContent not found (or permission denied): ${name}`,
})

function findCache(context: Context): Kept {
  const kept = context.records.cached_contents.get(context.path.id)
  return kept !== undefined && isLive(context, kept)
    ? kept
    : refuseWith(context, gone(`cachedContents/${context.path.id}`))
}

/** When a cache expires, by the wish of a request. */
function expiryOf(context: Context): string | undefined {
  const { ttl } = context.body
  const wished = read(context.body, 'expireTime')
  if (ttl === undefined) return wished === undefined ? undefined : new Date(String(wished)).toISOString()
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(ttl))?.[1]
  if (seconds === undefined) refuseWith(context, invalid(`Invalid value at 'cached_content.ttl' (Duration): "${ttl}"`))
  return after(context.now, Number(seconds))
}

const TWICE =
  'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\nProposed fix: move those values to CachedContent from GenerateContent request.'

/** The cached content that a request begins with, and its tokens. */
export function cachedFor(
  work: Work,
  body: Fields,
  model?: string,
): { content: Fields; tokens: number; fault?: Fault } {
  const name = read(body, 'cachedContent')
  const none = { content: {}, tokens: 0 }
  if (name === undefined) return none
  const kept = work.records.cached_contents.get(String(name).replace('cachedContents/', ''))
  if (kept === undefined || !isLive(work, kept)) return { ...none, fault: gone(name) }
  const used = `Model used by GenerateContent request (models/${model}) and CachedContent (${kept.model})`
  if (model !== undefined && idOf(kept.model) !== model)
    return { ...none, fault: invalid(`${used} has to be the same.`) }
  if (['systemInstruction', 'tools', 'toolConfig'].some((field) => read(body, field) !== undefined))
    return { ...none, fault: invalid(TWICE) }
  return { content: fieldsOf(kept.kept_content), tokens: Number(fieldsOf(kept.usageMetadata).totalTokenCount) }
}

export const caches = {
  'POST /cachedContents': (context: Context) => {
    const { body, now, records, tokens, id } = context
    const model = idOf(body.model)
    const fault = modelFault(context, model, 'createCachedContent')
    if (fault !== undefined) refuseWith(context, fault)
    const kept_content = {
      contents: contentsOf(body),
      systemInstruction: read(body, 'systemInstruction') ?? null,
      tools: listOf(body.tools),
      toolConfig: read(body, 'toolConfig') ?? null,
    }
    const count = tokens(toTalk(context, model, {}, kept_content))
    const least = SMALL_CACHES.test(model) ? 1_024 : 4_096
    if (count < least)
      refuseWith(
        context,
        invalid(`Cached content is too small. total_token_count=${count}, min_total_token_count=${least}`),
      )
    const time = now.toISOString()
    const key = id().toLowerCase()
    return shown(
      records.cached_contents.create({
        id: key,
        name: `cachedContents/${key}`,
        model: `models/${model}`,
        displayName: read(body, 'displayName') ?? '',
        createTime: time,
        updateTime: time,
        expireTime: expiryOf(context) ?? after(now, USUAL_S),
        usageMetadata: { totalTokenCount: count },
        kept_content,
      }),
    )
  },
  'GET /cachedContents': (context: Context) => {
    const live = [...context.records.cached_contents].filter((cache) => isLive(context, cache))
    return toPage(context, 'cachedContents', live.map(shown))
  },
  'GET /cachedContents/{id}': (context: Context) => shown(findCache(context)),
  'PATCH /cachedContents/{id}': (context: Context) => {
    const { id } = findCache(context)
    const expireTime = expiryOf(context) ?? refuseWith(context, invalid('Only ttl and expire_time can be updated.'))
    return shown(context.records.cached_contents.update(id, { expireTime, updateTime: context.now.toISOString() }))
  },
  'DELETE /cachedContents/{id}': removing('cached_contents', findCache),
}
