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
