import { foldName } from '../../../names/words.ts'
import type { Paging, Parameter } from '../model.ts'

const LIMIT = [
  'limit',
  'pagesize',
  'perpage',
  'size',
  'count',
  'maxresults',
  'pagelimit',
  'maxitems',
  'first',
  'take',
  'top',
  'rows',
  'itemsperpage',
  'max',
  'numresults',
  'results',
  'maxpagesize',
  'itemcount',
]
const OFFSET = ['offset', 'skip', 'startindex', 'start', 'startat', 'from', 'pageoffset', 'begin']
const PAGE = ['page', 'pagenumber', 'pageindex', 'currentpage', 'pageno', 'pagenum']
const AFTER = [
  'after',
  'startingafter',
  'cursor',
  'pagetoken',
  'nexttoken',
  'nextpagetoken',
  'continuationtoken',
  'nextcursor',
  'pagecursor',
  'continue',
  'marker',
  'iterator',
  'pageafter',
  'next',
  'startkey',
  'scrollid',
  'endcursor',
  'sinceid',
  'pagestate',
  'token',
  'bookmark',
  'nextpage',
]
const BEFORE = ['before', 'endingbefore', 'previouscursor', 'prevtoken', 'pagebefore', 'previous']

/** The query parameters that cut a list into pages, by role. */
export function findPaging(parameters: readonly Parameter[]): Paging {
  const query = new Map<string, Parameter>()
  for (const parameter of parameters) {
    // Moments (`after`, `before`, `from` of format date-time) narrow a list; they do not cut it into pages.
    const isMoment = parameter.schema?.format === 'date-time' || parameter.schema?.format === 'date'
    if (parameter.in === 'query' && !isMoment) query.set(foldName(parameter.name), parameter)
  }
  // A list begins without a cursor: what has to be sent is another token.
  const findOptional = (names: readonly string[]) => find(names.filter((name) => !query.get(name)?.required))
  const find = (names: readonly string[]) =>
    names.map((name) => query.get(name)).find((parameter) => parameter !== undefined)
  const page = find(PAGE)
  // Where `page` is a text it is a cursor (Twilio, Stripe search).
  const isToken =
    page?.schema?.types.length === 1 &&
    page.schema.types[0] === 'string' &&
    !isNumeric(page.schema.example ?? page.schema.default)
  const after = findOptional(AFTER) ?? (isToken ? page : undefined)
  return {
    limit: find(LIMIT)?.name,
    offset: find(OFFSET)?.name,
    page: isToken ? undefined : page?.name,
    firstPage: page?.schema?.minimum === 0 || page?.schema?.default === 0 ? 0 : 1,
    after: after?.name,
    before: findOptional(BEFORE)?.name,
  }
}

function isNumeric(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && Number.isFinite(Number(value))
}
