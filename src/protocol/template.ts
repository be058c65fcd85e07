/** A part of a template: literal text, or a placeholder by the name between its braces. */
export type TemplatePart = string | { readonly name: string }

/** Parses `t={t},v1={signature}`. Text between braces is a name; an open brace alone is text. */
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

/** The template with a value for each placeholder. */
export function fillTemplate(parts: readonly TemplatePart[], valueFor: (name: string) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : valueFor(part.name))).join('')
}

/**
 * The values of a template's placeholders, in order; undefined where `text` does not fit. Where several readings fit,
 * each value is as long as possible, the first one first. Reads from the end, where each value is as short as possible,
 * so that it visits each character once: unknownPlaceholders send these texts.
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

/**
 * Where the value begins that ends at `end`: after the last occurrence of the text of `before`, with at least one
 * character between.
 */
function startOfValue(text: string, end: number, before: readonly TemplatePart[]): number {
  const front = before.at(-1)
  if (front === undefined) return 0
  if (typeof front !== 'string') return end - 1
  if (before.length === 1) return front.length
  const found = text.lastIndexOf(front, end - 1 - front.length)
  return found === -1 ? -1 : found + front.length
}
