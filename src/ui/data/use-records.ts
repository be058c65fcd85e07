import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CollectionDescription } from '../../protocol/collection-description.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { RecordsPage } from '../../protocol/reads.ts'
import type { LiveSimulation } from './live.ts'
import { attempt } from './notices.ts'
import { FIRST_RECORDS, recordsPath } from './records-path.ts'
import { call, simulationPath } from './service.ts'

/** Most records that a page reads for filtering. */
export const MOST_RECORDS = 5_000
const PAGE = 500

/** The fields of a collection's records; undefined until read. */
export function useDescription(live: LiveSimulation, name: string | undefined): CollectionDescription | undefined {
  const [description, setDescription] = useState<CollectionDescription | undefined>(undefined)
  useEffect(() => {
    if (name === undefined) return
    const path = simulationPath(live.slug, `/collections/${encodeURIComponent(name)}`)
    void attempt(async () => setDescription(await call<CollectionDescription>('GET', path)))
  }, [live, name])
  return description?.name === name ? description : undefined
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
