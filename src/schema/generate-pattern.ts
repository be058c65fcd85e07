import { Random } from '../runtime/random.ts'
import type { PatternNode } from './parse-pattern.ts'

const MAX_LENGTH = 4_096
/** Most parts of the pattern visited for one text, including parts that write nothing. */
const MAX_PARTS = 20_000

/** A text under construction. */
interface Draft {
  readonly chars: string[]
  parts: number
}

/** A text that matches `pattern`, except most look-arounds; unbounded parts are repeated about `wish` times. */
export function generateFromPattern(pattern: PatternNode, key: number, wish: number): string {
  const draft: Draft = { chars: [], parts: 0 }
  write(pattern, new Random(key), wish, draft)
  return draft.chars.join('')
}

function isFull({ chars, parts }: Draft): boolean {
  return chars.length > MAX_LENGTH || parts > MAX_PARTS
}

function write(node: PatternNode, random: Random, wish: number, draft: Draft): void {
  if (isFull(draft)) return
  draft.parts++
  if (node.kind === 'set') {
    const { chars } = node
    if (chars !== '') draft.chars.push(chars[Math.floor(random.next() * chars.length)] as string)
  } else if (node.kind === 'sequence') {
    const start = draft.chars.length
    for (const item of node.items) write(item, random, wish, draft)
    fulfilLooks(node.items, start, random, draft)
  } else if (node.kind === 'choice') write(random.pick(node.options), random, wish, draft)
  else if (node.kind === 'repeat') {
    const count = countFor(node.min, node.max, wish, random)
    const part = Math.max(1, Math.floor(wish / Math.max(1, count)))
    const innerWish = node.item.kind === 'set' ? wish : part
    for (let times = 0; times < count && !isFull(draft); times++) write(node.item, random, innerWish, draft)
  }
}

/** Writes over the first characters what looks ahead ask for anywhere in the text: the capital of `(?=.*[A-Z])`. */
function fulfilLooks(items: readonly PatternNode[], start: number, random: Random, draft: Draft): void {
  let at = start
  for (const look of items) {
    if (look.kind !== 'look' || look.negated || look.behind || look.item.kind !== 'sequence') continue
    const [before, ...wanted] = look.item.items
    if (before?.kind !== 'repeat' || before.min > 0) continue
    const own: Draft = { chars: [], parts: draft.parts }
    for (const item of wanted) write(item, random, 0, own)
    for (const char of own.chars) if (at < draft.chars.length) draft.chars[at++] = char
  }
}

function countFor(min: number, max: number, wish: number, random: Random): number {
  if (max === min) return min
  if (max === 1) return wish <= 0 ? 0 : random.integer(0, 1)
  return Math.max(min, Math.min(max, wish))
}
