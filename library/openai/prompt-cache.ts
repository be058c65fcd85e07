import { createHash } from 'node:crypto'
import type { ModelReply, Talk } from '../../src/handlers.ts'
import { after } from '../shared/times.ts'
import type { Work } from './context.ts'

/** Fewest tokens that are cached, and the steps above them. */
const LEAST = 1_024
const STEP = 128
/** Seconds that a beginning stays cached without use. */
const KEPT_S = 600

/** A reply to a prompt that may begin as an earlier one: without a count of the script, its cached tokens are counted. */
export function withCached(work: Work, talk: Talk, reply: ModelReply): ModelReply {
  const cached = useCache(work, talk)
  return { ...reply, usage: { ...reply.usage, cached: reply.usage.cached || cached } }
}

/** The tokens of the longest beginning that is cached. Caches all beginnings, message by message. */
function useCache({ records: { prompt_caches }, tokens, now }: Work, talk: Talk): number {
  if (tokens(talk) < LEAST) return 0
  let cached = 0
  for (const at of talk.messages.keys()) {
    const messages = talk.messages.slice(0, at + 1)
    const size = tokens({ ...talk, messages })
    if (size < LEAST) continue
    const part = JSON.stringify([talk.model, talk.tools, talk.schema, messages])
    const id = createHash('sha256').update(part).digest('hex').slice(0, 32)
    const known = prompt_caches.get(id)
    if (known !== undefined && String(known.expires_at) > now.toISOString()) cached = size - (size % STEP)
    const expires_at = after(now, KEPT_S)
    if (known === undefined) prompt_caches.create({ id, expires_at })
    else prompt_caches.update(id, { expires_at })
  }
  return cached
}
