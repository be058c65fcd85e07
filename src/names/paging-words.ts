// The words of paging, folded: parameters, fields next to a list, headers.

import { foldName } from './words.ts'

/** Query parameters by role, the most usual first. */
export const PARAMETERS = {
  limit:
    `limit pagesize perpage size count maxresults pagelimit maxitems first take top rows itemsperpage max numresults
    results maxpagesize itemcount`.split(/\s+/),
  offset: 'offset skip startindex start startat from pageoffset begin'.split(' '),
  page: 'page pagenumber pageindex currentpage pageno pagenum'.split(' '),
  after: `after startingafter cursor pagetoken nexttoken nextpagetoken continuationtoken nextcursor pagecursor continue
    marker iterator pageafter next startkey scrollid endcursor sinceid pagestate bookmark nextpage aftercursor
    cursorafter afterid`.split(/\s+/),
  before: 'before endingbefore previouscursor prevtoken pagebefore previous beforecursor beforeid'.split(' '),
}

/** Names of paging parameters in bodies of POST searches. */
export const BODY_PARAMETERS = {
  limit: ['limit', 'per_page', 'perPage', 'page_size', 'pageSize', 'size', 'count', 'max_results'],
  offset: ['offset', 'skip', 'from'],
  page: ['page', 'page_number'],
  after: 'after starting_after startingAfter cursor next_cursor page_token pageToken nextPageToken'.split(' '),
  before: ['before', 'ending_before'],
} as const

export const BODY_PAGING: ReadonlySet<string> = new Set(Object.values(BODY_PARAMETERS).flat())

/** Fields and headers about the page of a list. */
export const TOTAL =
  /^(total|totals|totalcount|totalitems|totalresults|totalrecords|totalelements|totalentries|totalsize|totalhits|totalrows|totaldocs|totalobjects|numfound|recordcount|recordstotal|recordsfiltered|itemstotal|itemcount|resultcount|resultscount|counttotal|hits|totalmatching|totalavailable|nbhits|found|available)$/
export const COUNT =
  /^(count|currentcount|currentpageitems|numberofelements|pageitems|pageitemcount|itemsonpage|returned|returnedcount|length|resultsize|fetched|num|numitems)$/
export const MORE =
  /^(hasmore|more|hasnext|hasnextpage|moreresults|hasmoreitems|moreitems|hasmoreresults|ismore|moreavailable|hasadditionalresults|istruncated|truncated|moredata|hasmorepages|pagehasnext)$/
export const DONE = /^(done|last|islast|lastpage|islastpage|end|endoflist|complete|nomore|finished)$/
export const PREVIOUS_FLAG = /^(hasprevious|hasprev|haspreviouspage|hasprevpage|hasbefore)$/
export const LIMIT =
  /^(limit|pagesize|perpage|itemsperpage|resultsperpage|pagelimit|maxresults|size|take|pagelength|limitperpage|recordsperpage|top)$/
export const OFFSET = /^(offset|skip|startindex|startat|startoffset|from|start|pageoffset|startposition)$/
export const PAGE = /^(page|currentpage|pagenumber|pageno|pageindex|number|pagenum|thispage|current)$/
export const PAGES =
  /^(totalpages|pagestotal|pagecount|pages|numpages|lastpage|maxpage|maxpages|pagetotal|pagescount|numberofpages|totalpage|pagenum|last)$/
export const NEXT_PAGE = /^(next|nextpage|nextpagenumber)$/
export const PREVIOUS_PAGE = /^(prev|previous|prevpage|previouspage)$/
export const NEXT_OFFSET = /^(nextoffset|nextstart|nextpageoffset|nextskip)$/
export const NEXT_LINK =
  /^(next|nextlink|nextpage|nexturl|nextpageurl|nextpageuri|nexturi|odatanextlink|nexthref|nextpagelink|more)$/
export const PREVIOUS_LINK =
  /^(prev|previous|prevlink|previouslink|previouspage|prevpage|prevurl|previousurl|previouspageurl|prevpageurl|previouspageuri|previousuri|previouspagelink)$/
export const FIRST_LINK = /^(first|firstlink|firstpage|firstpageurl|firstpageuri|firsturl|firstpagelink)$/
export const LAST_LINK = /^(last|lastlink|lastpage|lastpageurl|lastpageuri|lasturl|lastpagelink)$/
export const SELF_LINK = /^(self|url|uri|href|link|selflink|requesturl|folded|currentpageurl|path)$/
export const NEXT_CURSOR =
  /^(nextcursor|cursor|nexttoken|nextpagetoken|pagetoken|after|endcursor|continuationtoken|nextpagecursor|iterator|nextiterator|startingafter|nextid|bookmark|scrollid|nextkey|lastkey|lastid|nextmarker|marker|nextpageid|continuation|continue|nextpage|next|offset|aftercursor|lastevaluatedkey|nextrecord|pagingtoken|nextpagekey|lastcursor|cursornext|cursorafter)$/
export const PREVIOUS_CURSOR =
  /^(prevcursor|previouscursor|before|startcursor|previtertor|previterator|endingbefore|previouspagetoken|prevpagetoken|prevtoken|previoustoken|firstid|beforecursor|firstcursor|previous|prev)$/
/** Objects with the paging data of a list. */
export const HOLDER =
  /^(meta|metadata|responsemetadata|paging|pagination|paginate|paginator|pages|page|links|link|cursors|cursor|pageinfo|info|nextpage|next|prev|previous|first|last|self|listmetadata|listmeta|pager|resultset|resultinfo|pagingmetadata|paginationmeta|_links|_meta|after|before|summary|pageable)$/

/** Names of properties about a page or an answer, not about a record. */
const META =
  /^(meta|metadata|paging|pagination|pageinfo|page|pages|perpage|pagesize|pagenumber|size|limit|offset|start|count|total|totalcount|totalcounts|totalitems|totalelements|totalpages|totalresults|totalrecords|links|link|next|nextpage|nextpagetoken|nextcursor|cursor|previous|prev|first|last|self|hasmore|hasnext|more|iterator|previterator|done|object|type|kind|apiversion|url|uri|href|ok|success|status|statuscode|code|message|messages|timestamp|err|error|errors|warning|warnings|included|facets|aggregations|responsemetadata|requestid|filter|filters|sort|query|etag|version|took|time|duration|elapsed|usage|timedout|cacheTs|context|embedded|totals|summary|before|after|truncated|nextlink|end|(first|next|previous|prev|last)page(uri|url|token|link)|odatanextlink|odatacontext|id)$/i

/** Compound names of that kind: `totalSetSize`, `startPosition`, `nextUri`, and results of the call: `ErrorMessage`, `IsSuccess`. */
const META_COMPOUND =
  /^((total|result|results|record|item|page)(set)?(size|count|number|total)|(start|end|first|last|next|previous|prev)(position|uri|url|index|offset|page|token|cursor|link|key)|(current|last|from|to)page|(has)(more|next|previous|prev)(page|items|records|results)?|(error|status|response|exception|result|return|http)(message|messages|msg|code|codes|status|description|text|detail|details)|(is|has)(success|successful|error|errors)|succeeded|(trace|request|correlation)id)$/i

export function isAboutPage(name: string): boolean {
  const folded = foldName(name)
  return META.test(folded) || META_COMPOUND.test(folded)
}
