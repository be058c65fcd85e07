import type { CollectionDescription } from '../../protocol/collection-description.ts'
import type { Json } from '../../protocol/json.ts'

const TERM = /^([\w.]+)(?::|=)?(>=|<=|>|<)?("[^"]*"|\S+)$/
const BOUNDS = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const

/**
 * A filter line as the query of `record-query`, so that the service filters all records. Undefined for parts that this
 * language lacks: wildcards and negated terms.
 */
export function toRecordQuery(line: string, description: CollectionDescription): URLSearchParams | undefined {
  const where: Record<string, Json> = {}
  const words: string[] = []
  for (const term of line.match(/[^\s"]*"[^"]*"|\S+/g) ?? []) {
    const [, field = '', sign, text = ''] = /[:=<>]/.test(term) ? (TERM.exec(term) ?? []) : []
    if (term.startsWith('-') || /\*/.test(term) || (/[:=<>]/.test(term) && field === '')) return undefined
    if (field === '') {
      words.push(unquoted(term))
      continue
    }
    const known = description.fields.find(({ name }) => name === field.split('.')[0])
    if (known === undefined || field in where) return undefined
    const value = toValue(unquoted(text), known.name === field ? known.types : [])
    where[field] = sign === undefined ? value : { [BOUNDS[sign as keyof typeof BOUNDS]]: value }
  }
  if (words.length > 1) return undefined
  return new URLSearchParams({
    ...(Object.keys(where).length > 0 && { where: JSON.stringify(where) }),
    ...(words[0] !== undefined && { q: words[0] }),
  })
}

const unquoted = (text: string): string => text.replace(/^"|"$/g, '')

/** A text converted to a value of these types of JSON Schema. */
function toValue(text: string, types: readonly string[]): string | number | boolean | null {
  if (text === 'null') return null
  const isText = types.includes('string')
  if (!isText && (text === 'true' || text === 'false')) return text === 'true'
  return !isText && text !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
}
