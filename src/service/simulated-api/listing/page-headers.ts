import { foldName } from '../../../names/words.ts'
import type { Operation } from '../../openapi/model.ts'
import type { ListFacts } from './list-facts.ts'

/** The headers of a list that the description declares: `Link`, totals, page numbers. */
export function pageHeaders(operation: Operation, facts: ListFacts): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of operation.success.headers.keys()) {
    const value = headerWord(foldName(name).replace(/^x/, ''), facts)
    if (value !== undefined && value !== '') headers[toWireName(name)] = value
  }
  return headers
}

function headerWord(name: string, facts: ListFacts): string | undefined {
  const { page, total, links } = facts
  if (name === 'link') return linkHeader(facts)
  if (
    /^(pagination)?(total|totalcount|totalitems|totalresults|resultcount|count|itemcount|totalrecords|totalelements)$/.test(
      name,
    )
  )
    return String(total)
  if (/^(pagination)?(totalpages|pagecount|pages|pagetotal)$/.test(name)) return String(facts.pages)
  if (/^(pagination)?(perpage|limit|pagesize|pagelimit)$/.test(name))
    return Number.isFinite(page.limit) ? String(page.limit) : undefined
  if (/^(pagination)?(page|currentpage|pagenumber|paginationpage)$/.test(name)) return String(page.number)
  if (/^(pagination)?nextpage$/.test(name)) return facts.hasMore ? String(page.number + 1) : ''
  if (/^(pagination)?(prevpage|previouspage)$/.test(name)) return facts.hasPrevious ? String(page.number - 1) : ''
  if (/^(pagination)?(nextcursor|nexttoken|cursor|nextpagetoken|cursornext)$/.test(name))
    return facts.hasMore ? facts.lastCursor : ''
  if (name === 'hasmore' || name === 'hasnext') return String(facts.hasMore)
  return name === 'nexturl' || name === 'nextlink' ? links.next : undefined
}

/** RFC 8288: `<https://...?page=2>; rel="next"`. */
function linkHeader({ links }: ListFacts): string {
  const named = {
    prev: links.previous,
    next: links.next,
    last: links.next && links.last,
    first: links.previous && links.first,
  }
  return Object.entries(named)
    .filter(([, url]) => url !== undefined)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
}

const toWireName = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())
