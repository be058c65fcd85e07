/** A text in parts: as it stands, or a placeholder by the name between its braces. */
export type TemplatePart = string | { readonly name: string }

/** Takes `t={t},v1={signature}` apart. What stands between braces is a name; an open brace alone is text. */
export function parseTemplate(text: string): TemplatePart[] {
  return text
    .split(/(\{[^{}]+\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{[^{}]+\}$/.test(part) ? { name: part.slice(1, -1) } : part))
}

/** The names of the placeholders of a template, each once. */
export function placeholdersOf(text: string): string[] {
  return [...new Set(parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])))]
}

/** The template with a value in each place. */
export function fillTemplate(parts: readonly TemplatePart[], valueFor: (name: string) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : valueFor(part.name))).join('')
}

/**
 * The values in the places of a template, in order; undefined where `text` is not of its form. Where it can be read in several ways, each value
 * is as long as possible, the first one first. Each character is looked at once, since strangers send such texts: it is read from the end, where
 * a value is as short as possible.
 */
export function readTemplate(parts: readonly TemplatePart[], text: string): string[] | undefined {
  const values: string[] = []
  let end = text.length
  for (const [at, part] of [...parts.entries()].reverse()) {
    if (typeof part === 'string') {
      if (!text.endsWith(part, end)) return undefined
      end -= part.length
      continue
    }
    const start = startOfValue(text, end, parts.slice(0, at))
    if (start < 0 || start >= end) return undefined
    values.unshift(text.slice(start, end))
    end = start
  }
  return end === 0 ? values : undefined
}

/** Where a value begins that ends at `end`: after the last text of `before`, which it follows, with at least one character between. */
function startOfValue(text: string, end: number, before: readonly TemplatePart[]): number {
  const front = before.at(-1)
  if (front === undefined) return 0
  if (typeof front !== 'string') return end - 1
  if (before.length === 1) return front.length
  const found = text.lastIndexOf(front, end - 1 - front.length)
  return found === -1 ? -1 : found + front.length
}
