import type { ChangeEvent } from '../../protocol/event.ts'
import type { LogDetail } from '../../protocol/reads.ts'
import { RowMemory } from './row-memory.ts'
import { inOrder, type Row, toRequestRow } from './rows.ts'
import { call, simulationPath } from './service.ts'

/** Events and requests read at a time. */
const OLDER_EVENTS = 500
const OLDER_REQUESTS = 200

/** Changes and requests before the known ones, oldest first. Empty where the service has none. @param rows oldest first */
export async function readOlderRows(slug: string, rows: readonly Row[]): Promise<Row[]> {
  const change = rows.find((row) => row.kind === 'change')
  const request = rows.find((row) => row.kind === 'request')
  const [events, logs] = await Promise.all([
    readBefore<ChangeEvent>(slug, '/events', { limit: OLDER_EVENTS, before: change?.event.id }),
    readBefore<LogDetail>(slug, '/logs', { limit: OLDER_REQUESTS, before: request?.entry.id, detail: true }),
  ])
  // Differences are found among the older ones only, since the page knows later states of their records.
  const memory = new RowMemory()
  const older = [
    ...logs.toReversed().map(toRequestRow),
    ...events.toReversed().map((event) => memory.toChangeRow(event)),
  ]
  return inOrder(older)
}

/** Empty without a known row of this kind: then there was none. */
async function readBefore<Entry>(
  slug: string,
  below: string,
  query: { limit: number; before: string | undefined; detail?: boolean },
): Promise<readonly Entry[]> {
  if (query.before === undefined) return []
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return (await call<{ data: Entry[] }>('GET', simulationPath(slug, `${below}?${search}`))).data
}
