// Names of fields that describe a page, in lower case and without separators.

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
  /^(nextcursor|cursor|nexttoken|nextpagetoken|pagetoken|after|endcursor|continuationtoken|nextpagecursor|iterator|nextiterator|startingafter|nextid|bookmark|scrollid|nextkey|lastkey|lastid|nextmarker|marker|nextpageid|continuation|continue|nextpage|next|offset|aftercursor|lastevaluatedkey|nextrecord|pagingtoken|nextpagekey|lastcursor)$/
export const PREVIOUS_CURSOR =
  /^(prevcursor|previouscursor|before|startcursor|previtertor|previterator|endingbefore|previouspagetoken|prevpagetoken|prevtoken|previoustoken|firstid|beforecursor|firstcursor|previous|prev)$/
/** Objects with the paging data of a list. */
export const HOLDER =
  /^(meta|metadata|responsemetadata|paging|pagination|paginate|paginator|pages|page|links|link|cursors|cursor|pageinfo|info|nextpage|next|prev|previous|first|last|self|listmetadata|listmeta|pager|resultset|resultinfo|pagingmetadata|paginationmeta|_links|_meta|after|before|summary)$/
