import { isVerbSegment, kindOfVerb, verbOf } from '../../../../names/verbs.ts'
import type { Schema } from '../../../../schema/schema.ts'
import { isObjectSchema, schemaOfBody, schemaOfResponse } from '../bodies/bodies.ts'
import { findRecordShape, hasOwnId, type RecordHints } from '../bodies/shapes.ts'
import { isBulkSegment } from '../paths/path-shape.ts'
import type { ItemPath, PathSite } from '../paths/sites.ts'

/** What is known of a path without its last parameters. */
interface PathFacts {
  readonly site: PathSite
  /** Its last word. */
  readonly text: string
  /** Schema of the items of the list that it shows. */
  readonly list: Schema | undefined
  /** Its parameters for one record. */
  readonly item: ItemPath | undefined
  /** Whether a record is read by key. */
  readonly isRead: boolean
  readonly hints: RecordHints
}

/** One way to find whether the path is a collection. */
export interface PathRule {
  readonly name: string
  readonly example: string
  /** Undefined where the rule does not apply. */
  readonly isCollection: (facts: PathFacts) => boolean | undefined
}

/** The rules for the paths that are collections, read top down: the first that applies decides. */
export const PATH_RULES: readonly PathRule[] = [
  {
    name: 'no-collection-bulk',
    example: 'POST /tasks/batch',
    isCollection: ({ text, isRead, site, list }) => {
      const isOnlyListed = site.own.size === 1 && site.own.has('GET') && isObjectSchema(list)
      return isBulkSegment(text) && !isRead && !isOnlyListed ? false : undefined
    },
  },
  {
    name: 'no-collection-verb',
    example: 'POST /tasks/{id}/close',
    isCollection: ({ text, isRead, site, item }) => {
      const isKept = site.own.has('POST') && item?.operations.has('PUT') && item.operations.has('DELETE')
      return isVerbSegment(text) && !isRead && !isKept && !site.own.has('GET') ? false : undefined
    },
  },
  {
    name: 'collection-listed',
    example: 'GET /tasks, which answers with a list of records',
    isCollection: ({ list }) => isObjectSchema(list) || undefined,
  },
  {
    name: 'collection-by-key',
    example: 'GET /tasks/{id}, without GET /tasks',
    isCollection: ({ item, site }) =>
      (item && (item.operations.size > 0 || site.own.has('POST') || site.own.has('GET'))) || undefined,
  },
  {
    name: 'collection-only-made',
    example: 'POST /messages, called createMessage',
    isCollection: ({ site, text, hints }) => {
      const isCall = kindOfVerb(text.toLowerCase()) !== undefined && !site.key.startsWith('rpc ')
      return !isCall && isOnlyMade(site, hints)
    },
  },
]

/** Whether a POST creates a record that no operation reads: only events and tests see it. */
function isOnlyMade({ own }: PathSite, hints: RecordHints): boolean {
  const post = own.get('POST')
  if (!post || own.has('GET')) return false
  const made = findRecordShape(schemaOfResponse(post.draft.success), { ...hints, keys: [] }).schema
  const kind = verbOf(post.draft)?.kind
  if (made && isObjectSchema(made) && hasOwnId(made)) return kind !== 'delete' && kind !== 'read' && kind !== 'update'
  return kind === 'create' && isObjectSchema(schemaOfBody(post.draft.requestBody))
}
