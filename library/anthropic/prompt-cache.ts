import { createHash } from 'node:crypto'
import { after } from '../shared/times.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
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

/** How many blocks before a `cache_control` an earlier beginning is looked for. */
const BACK = 20

/** A beginning of a request: up to a block, perhaps one that its client wants cached. */
interface Prefix {
  readonly key: string
  readonly toPart: () => Fields
  readonly ttl: keyof typeof KEPT_S | undefined
}

/** Reads the longest beginning that is cached, and caches those that end with `cache_control`. */
export function useCache(work: Work, request: Fields): CacheUse {
  const { records, tokens, now } = work
  const prefixes = prefixesOf(request)
  const isLive = ({ key }: Prefix): boolean =>
    String(records.prompt_caches.get(key)?.expires_at ?? '') > now.toISOString()
  const countOf = ({ toPart }: Prefix): number => tokens(toTalk(work, toPart()))
  const isNear = (at: number): boolean => prefixes.slice(at, at + BACK + 1).some(({ ttl }) => ttl !== undefined)
  const marked = prefixes.filter((prefix) => prefix.ttl !== undefined && countOf(prefix) >= LEAST)
  const last = marked.at(-1)
  if (last === undefined) return { read: 0, written: 0, isLong: false }
  const found = prefixes.findLast((prefix, at) => isNear(at) && isLive(prefix))
  for (const { key, ttl = '5m' } of marked) {
    const expires_at = after(now, KEPT_S[ttl])
    if (records.prompt_caches.get(key) === undefined) records.prompt_caches.create({ id: key, ttl, expires_at })
    else records.prompt_caches.update(key, { ttl, expires_at })
  }
  const read = found === undefined ? 0 : countOf(found)
  return { read, written: Math.max(0, countOf(last) - read), isLong: last.ttl === '1h' }
}

/** The beginnings of a request, block by block: tools come first, then the system, then the messages. */
function prefixesOf(request: Fields): Prefix[] {
  const { model = '', tools: sent, system: instructions, messages: turns, cache_control } = request
  const [tools, system] = [listOf(sent), toBlocks(instructions)]
  const messages = listOf(turns).map((message) => ({ ...message, content: toBlocks(message.content) }))
  let key = String(model)
  const add = (place: string, block: Fields, toPart: () => Fields): Prefix => {
    const { cache_control: mark, ...rest } = block
    key = createHash('sha256')
      .update(`${key} ${place} ${JSON.stringify(rest)}`)
      .digest('hex')
      .slice(0, 32)
    return { key, toPart, ttl: mark == null ? undefined : ttlOf(mark) }
  }
  const all = [
    ...tools.map((tool, at) => add('tool', tool, () => ({ model, tools: tools.slice(0, at + 1) }))),
    ...system.map((block, at) => add('system', block, () => ({ model, tools, system: system.slice(0, at + 1) }))),
    ...messages.flatMap((message, turn) =>
      message.content.map((block, at) =>
        add(`${turn} ${fieldsOf(message).role}`, block, () => {
          const begun = { ...message, content: message.content.slice(0, at + 1) }
          return { model, tools, system, messages: [...messages.slice(0, turn), begun] }
        }),
      ),
    ),
  ]
  const whole = all.pop()
  if (whole !== undefined) all.push(cache_control == null ? whole : { ...whole, ttl: ttlOf(cache_control) })
  return all
}

const toBlocks = (content: unknown): Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)

const ttlOf = (control: unknown): keyof typeof KEPT_S => (fieldsOf(control).ttl === '1h' ? '1h' : '5m')
