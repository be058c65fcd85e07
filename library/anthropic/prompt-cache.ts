import { createHash } from 'node:crypto'
import { fieldsOf, listOf } from '../openai/context.ts'
import { after } from '../openai/times.ts'
import type { Fields, Work } from './context.ts'
import { toTalk } from './talk.ts'

/** Fewest tokens that are cached. */
const LEAST = 1_024
/** Seconds since the last use, by `ttl`. */
const KEPT_S = { '5m': 300, '1h': 3_600 } as const

/** Tokens of a request that come from the cache, and that go there, perhaps for an hour. */
interface CacheUse {
  readonly read: number
  readonly written: number
  readonly isLong: boolean
}

/** A beginning of a request that its client wants cached. */
interface Prefix {
  readonly part: Fields
  readonly ttl: keyof typeof KEPT_S
}

/** Reads the longest beginning that is cached, and caches the others. */
export function useCache(work: Work, request: Fields): CacheUse {
  const { records, tokens, now } = work
  const counted = prefixesOf(request)
    .map(({ part, ttl }) => ({ key: keyOf(part), count: tokens(toTalk(work, part)), ttl }))
    .filter(({ count }) => count >= LEAST)
  const isLive = (key: string): boolean => String(records.prompt_caches.get(key)?.expires_at ?? '') > now.toISOString()
  const found = counted.findLast(({ key }) => isLive(key))
  const last = counted.at(-1)
  if (last === undefined) return { read: 0, written: 0, isLong: false }
  for (const { key, ttl } of counted) {
    const expires_at = after(now, KEPT_S[ttl])
    if (records.prompt_caches.get(key) === undefined) records.prompt_caches.create({ id: key, ttl, expires_at })
    else records.prompt_caches.update(key, { ttl, expires_at })
  }
  const read = found?.count ?? 0
  return { read, written: last.count - read, isLong: last.ttl === '1h' }
}

/** The beginnings of a request that end with `cache_control`: tools come first, then the system, then the messages. */
function prefixesOf(request: Fields): Prefix[] {
  const { model = '', tools = [], system = [], messages = [], cache_control } = request
  const [allTools, blocks, all] = [listOf(tools), listOf(system), listOf(messages)]
  const ofTools = marked(allTools, (part) => ({ model, tools: part }))
  const ofSystem = marked(blocks, (part) => ({ model, tools, system: part }))
  const ofMessages = all.flatMap((message, at) =>
    marked(listOf(message.content), (part) => ({
      model,
      tools,
      system,
      messages: [...all.slice(0, at), { ...message, content: part }],
    })),
  )
  const whole = cache_control == null ? [] : [{ part: { model, tools, system, messages }, ttl: ttlOf(cache_control) }]
  return [...ofTools, ...ofSystem, ...ofMessages, ...whole]
}

const marked = (list: readonly Fields[], toPart: (part: Fields[]) => Fields): Prefix[] =>
  list.flatMap(({ cache_control }, at) =>
    cache_control == null ? [] : [{ part: toPart(list.slice(0, at + 1)), ttl: ttlOf(cache_control) }],
  )

const ttlOf = (control: unknown): Prefix['ttl'] => (fieldsOf(control).ttl === '1h' ? '1h' : '5m')

const keyOf = (part: Fields): string =>
  createHash('sha256')
    .update(JSON.stringify(part, (name, value: unknown) => (name === 'cache_control' ? undefined : value)))
    .digest('hex')
    .slice(0, 32)
