import type { CollectionView } from '../../world/collection-view.ts'

/** Marks a cursor of ours, so that a plain key is not taken for one. */
const MARK = 'c1.'

/**
 * An opaque cursor: the key of the last record shown and that of the one that follows, so that a client that deletes
 * records while it walks still finds the next page.
 */
export function toCursor(last: string, next: string | undefined): string {
  return Buffer.from(`${MARK}${JSON.stringify(next === undefined ? [last] : [last, next])}`).toString('base64url')
}

/** The key to start after. Plain keys are cursors too; undefined where there is no cursor. */
export function readCursor(text: string | undefined, view: CollectionView): string | undefined {
  if (text === undefined) return undefined
  if (view.has(text)) return text
  const keys = decode(text)
  if (keys === undefined) return text
  const [last, next] = keys
  if (last !== undefined && view.has(last)) return last
  return next === undefined ? last : (keyBefore(view, next) ?? last)
}

/** The live record in front of `key`, in the natural order of lists. */
function keyBefore(view: CollectionView, key: string): string | undefined {
  return view.select({ newestFirst: true, before: key, limit: 1 }).records[0]?.key
}

function decode(text: string): string[] | undefined {
  const plain = Buffer.from(text, 'base64url').toString('utf8')
  if (!plain.startsWith(MARK)) return undefined
  try {
    const keys: unknown = JSON.parse(plain.slice(MARK.length))
    return Array.isArray(keys) ? keys.map(String) : undefined
  } catch {
    return undefined
  }
}
