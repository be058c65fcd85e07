import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Json, JsonObject } from '../../protocol/json.ts'
import type { RecordsPage } from '../../protocol/reads.ts'
import type { CollectionDescription } from '../../protocol/record-edit.ts'
import type { LiveSimulation } from './live.ts'
import { attempt } from './notices.ts'
import { call, simulationPath } from './service.ts'
import { useAnswer } from './use-answer.ts'

/** Most records that a page reads for filtering. */
export const MOST_RECORDS = 5_000
const PAGE = 500

/** The fields of a collection's records; undefined until read. */
export function useDescription(live: LiveSimulation, name: string | undefined): CollectionDescription | undefined {
  const path = name && simulationPath(live.slug, `/collections/${encodeURIComponent(name)}`)
  const { answer } = useAnswer<CollectionDescription>(path)
  return answer?.name === name ? answer : undefined
}

/**
 * The first records of a collection or of a search. They are read again after changes.
 *
 * @param search query of the service; empty: all
 */
export function useRecords(live: LiveSimulation, name: string, search = '') {
  const [page, setPage] = useState<{ records: readonly JsonObject[] | undefined; total: number }>({
    records: undefined,
    total: 0,
  })
  const revision = live.revision.value
  const asked = `${revision} ${search}`
  const wanted = useRef(asked)
  wanted.current = asked
  const isReading = useRef(false)
  const isShown = page.records !== undefined
  useLayoutEffect(() => {
    if (isReading.current) return
    isReading.current = true
    void attempt(async () => {
      for (let read = ''; read !== wanted.current; ) {
        read = wanted.current
        const query = read.slice(read.indexOf(' ') + 1)
        setPage(await readRecords(live.slug, { name, search: query }, isShown ? undefined : setPage))
      }
    }).finally(() => {
      isReading.current = false
    })
  }, [live, name, asked])
  return page
}

/** @param showFirst gets the first records before the rest is read */
async function readRecords(
  slug: string,
  { name, search }: { name: string; search: string },
  showFirst: ((page: { records: readonly JsonObject[]; total: number }) => void) | undefined,
): Promise<{ records: readonly JsonObject[]; total: number }> {
  const read = (limit: number, offset: number) => {
    const range = `limit=${limit}&offset=${offset}${search === '' ? '' : `&${search}`}`
    return call<RecordsPage>('GET', recordsPath(slug, name, range))
  }
  const { data, total } = await read(showFirst === undefined ? PAGE : FIRST_RECORDS, 0)
  const records = [...data]
  if (records.length < total) showFirst?.({ records: data, total })
  for (let added = data.length; added > 0 && records.length < Math.min(total, MOST_RECORDS); ) {
    const next = await read(PAGE, records.length)
    records.push(...next.data)
    added = next.data.length
  }
  return { records, total }
}

/** Records shown at once, before the rest is read. */
export const FIRST_RECORDS = 60

/** Path of some records of a collection, below `/v1`. */
export const recordsPath = (slug: string, name: string, range: string): string =>
  simulationPath(slug, `/records/${encodeURIComponent(name)}?${range}`)

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
