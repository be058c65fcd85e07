import type { ChangeEvent } from '../../protocol/event.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { LogDetail, RecordsPage } from '../../protocol/reads.ts'
import type { KeptRecord } from '../../protocol/record-edit.ts'
import type { ReportPage } from '../../protocol/report-page.ts'

export const report: ReportPage | undefined = readReport()

function readReport(): ReportPage | undefined {
  const text = document.getElementById('report')?.textContent
  return text ? (JSON.parse(text) as ReportPage) : undefined
}

/** The management API's answer at the time of the report; undefined where the report does not have it. @param path below `/v1` */
export function answerOf({ slug, answers }: ReportPage, path: string): unknown {
  const below = path.slice(`/simulations/${encodeURIComponent(slug)}`.length)
  const [pathname = '', query = ''] = below.split('?')
  const known = answers[below] ?? answers[pathname]
  const [, section = '', name = '', id] = pathname.split('/').map(decodeURIComponent)
  if (section === 'records') {
    const list = answers[`/records/${encodeURIComponent(name)}`] as RecordsPage | undefined
    return id === undefined ? pageOf(list, query) : findRecord(list, answers, id)
  }
  if (section === 'logs' && name !== '') {
    const { data } = answers['/logs?detail=true'] as { data: LogDetail[] }
    return data.find((entry) => entry.id === name)
  }
  return section === 'hold' ? { held: false, test: null } : known
}

function pageOf(list: RecordsPage | undefined, query: string): RecordsPage | undefined {
  const offset = Number(new URLSearchParams(query).get('offset'))
  return list && { ...list, data: list.data.slice(offset), offset }
}

function findRecord(list: RecordsPage | undefined, answers: ReportPage['answers'], id: string): KeptRecord | undefined {
  const { data } = (answers['/events'] ?? { data: [] }) as { data: ChangeEvent[] }
  const event = data.find((one) => one.data.id === id)
  const record = list?.data.find((one) => Object.values(one).includes(id)) ?? (event?.data.object as JsonObject)
  return record && { id, origin: event === undefined ? 'generated' : 'changed', record }
}
