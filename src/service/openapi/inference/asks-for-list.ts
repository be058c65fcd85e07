import { singularName } from '../../../names/nouns.ts'
import { foldName } from '../../../names/words.ts'
import type { Schema } from '../../../schema/schema.ts'
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
  return kind === undefined && schemaOfBody(draft.requestBody)?.once(hasNarrowing) === true
}

/** Many operations may share one body. */
const hasNarrowing = (body: Schema): boolean => [...fieldsOf(body).keys()].some((name) => NARROWS.test(foldName(name)))
