import { wordsOf } from '../../../../names/words.ts'
import { verbOfName } from './verbs.ts'

/** What a description calls an operation. */
interface Called {
  readonly id: string
  /** Whether the id is its own. */
  readonly named: boolean
  readonly summary: string | undefined
}

/** The verb of a deletion that is called an action, by its operationId, else by its summary: `deactivate`, `terminate`. */
export const endingVerbOf = ({ id, named, summary }: Called): string | undefined =>
  [named ? id : undefined, summary].map(verbOfName).find((verb) => verb?.kind === 'action')?.word

/** Whether an operation is called to make what is missing: `Add or update a member`, `Creates or replaces`, `upsert`. */
export const isUpsert = ({ id, summary }: Called): boolean =>
  UPSERT.test(summary ?? '') || UPSERT.test(wordsOf(id).join(' '))

const UPSERT =
  /\b(upserts?|(adds?|creates?|inserts?) or (updates?|replaces?|changes?|edits?|modif(y|ies))|(updates?|replaces?|sets?) or (adds?|creates?|inserts?))\b/i
