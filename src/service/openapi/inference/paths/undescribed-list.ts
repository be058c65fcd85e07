import { singularOf } from '../../../../names/nouns.ts'
import { verbOf } from '../../../../names/verbs.ts'
import { fieldsOf, isDownload, isOpenObject, isOpenSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { lastStatic } from './path-shape.ts'
import type { PathSite } from './sites.ts'

/** Whether a list's answer has no schema, or one without fields, but the names of the operations show that it lists. */
export function isUndescribedList(site: PathSite): boolean {
  const get = site.own.get('GET')
  const post = site.own.get('POST')
  const answer = get && schemaOfResponse(get.draft.success)
  const isOpen = isOpenSchema(answer) || isOpenObject(answer)
  if (!get || !post || (answer && !isOpen) || isDownload(get.draft.success)) return false
  const text = lastStatic(site.steps)
  const [reads, makes] = [verbOf(get.draft)?.kind, verbOf(post.draft)?.kind]
  if (reads === 'list' && makes === 'create') return true
  // `GET` and `POST /orders/{id}/comments`, where the word is that of several things.
  const isMaking = makes === 'create' || makes === undefined
  const isKeyed = get.draft.parameters.some(({ in: place, required }) => place === 'query' && required)
  const isAsked = !isKeyed && (reads === 'list' || reads === 'read' || reads === undefined)
  return isAsked && isMaking && singularOf(text) !== text && fieldsOf(schemaOfBody(post.draft.requestBody)).size > 0
}
