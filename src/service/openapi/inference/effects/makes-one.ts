import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import type { Placed } from '../paths/sites.ts'
import { namesSeveral } from './named-several.ts'
import type { Kit } from './path-surroundings.ts'

/** `POST /requests/send` that answers with a request and identifies none: creates it. */
export function makesOne(
  { addressing, catalogue }: Kit,
  operation: Placed,
  collection: CollectionDraft,
  verb: string,
): boolean {
  const { draft } = operation
  if (draft.method !== 'POST' || draft.requestBody === undefined || !MAKES.test(verb)) return false
  if (!collection.idField || !catalogue.isReadable(collection) || namesSeveral(draft, collection)) return false
  const shown = recordEnvelope(draft, collection)
  return shown.shape === 'record' && isRecordOf(shown, collection) && !addressing.keyInRequest(operation, collection)
}

/** Verbs of actions that create a record. */
const MAKES =
  /^(send|submit|schedule|initiate|start|request|invite|purchase|buy|issue|enqueue|launch|trigger|run|execute)/i
