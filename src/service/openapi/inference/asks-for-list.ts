import { singularName } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { OperationDraft } from '../operation-draft.ts'
import { fieldsOf, schemaOfBody } from './bodies.ts'
import { verbOf } from './verbs.ts'

/** Names of what narrows a list, cuts it into pages or sorts it. */
const NARROWS = /^(filters?|limit|offset|cursor|page|pagesize|pagenumber|perpage|sort|sortby|orderby|sortorder)$/

/** `POST /controls { filters, page }`, `POST /calls` that is named queryCalls: asks for a list. */
export function asksForList(draft: OperationDraft, noun: string): boolean {
  const kind = verbOf(draft)?.kind
  if (kind === 'list' || kind === 'search') return true
  if (kind === 'read') return singularName(noun) !== noun
  const body = schemaOfBody(draft.requestBody)
  return kind === undefined && [...fieldsOf(body).keys()].some((name) => NARROWS.test(foldName(name)))
}
