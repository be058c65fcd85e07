import { singularName, singularOf } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { fieldsOf, isDownload, isOpenObject, isOpenSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { lastStatic } from './path-shape.ts'
import { nounShown, nounWritten } from './setting-words.ts'
import type { PathSite } from './sites.ts'
import { verbOf } from './verbs.ts'

/** Names of what narrows a list, cuts it into pages or sorts it. */
const NARROWS = /^(filters?|limit|offset|cursor|page|pagesize|pagenumber|perpage|sort|sortby|orderby|sortorder)$/

/** `POST /controls { filters, page }`, `POST /calls` that is named queryCalls: asks for a list. */
export function asksForList(draft: OperationDraft, noun: string): boolean {
  const kind = verbOf(draft)?.kind
  if (kind === 'list' || kind === 'search') return true
  if (kind === 'read') return singularName(noun) !== noun
  return kind === undefined && schemaOfBody(draft.requestBody)?.once(hasNarrowing) === true
}

/** Many operations may share one body. */
const hasNarrowing = (body: Schema): boolean => [...fieldsOf(body).keys()].some((name) => NARROWS.test(foldName(name)))

/** Whether `GET /articles` without a described answer lists: it takes a page, or its name or summary says so. */
function isListed(draft: OperationDraft): boolean {
  const isPaged = draft.parameters.some(({ in: place, name }) => place === 'query' && PAGES.test(foldName(name)))
  return isPaged || verbOf(draft)?.kind === 'list' || /\b(list|all)\b/i.test(draft.summary ?? '')
}

const PAGES = /^(limit|offset|cursor|page|pagesize|pagenumber|perpage|startat|maxresults)$/

/** Whether a list's answer has no schema, or one that says nothing, but its name, and that of a creation or of a page's parameter beside it. */
export function isBlindList(site: PathSite): boolean {
  const get = site.own.get('GET')
  const post = site.own.get('POST')
  const answer = get && schemaOfResponse(get.draft.success)
  // An object alone may as well be a document.
  const isOpen = isOpenSchema(answer) || (post !== undefined && isOpenObject(answer))
  if (!get || (answer && !isOpen) || isDownload(get.draft.success)) return false
  const text = lastStatic(site.steps)
  if (!post) return site.own.size === 1 && singularOf(text) !== text && isListed(get.draft)
  const [reads, makes] = [verbOf(get.draft)?.kind, verbOf(post.draft)?.kind]
  if (reads === 'list' && makes === 'create') return true
  // `GET` and `POST /orders/{id}/comments`, where the word is that of several things.
  const isMaking =
    makes === 'create' || (makes === undefined && nounWritten(text) === undefined && nounShown(text) !== '')
  const isKeyed = get.draft.parameters.some(({ in: place, required }) => place === 'query' && required)
  const isAsked = !isKeyed && (reads === 'list' || reads === 'read' || reads === undefined)
  return isAsked && isMaking && singularOf(text) !== text && fieldsOf(schemaOfBody(post.draft.requestBody)).size > 0
}
