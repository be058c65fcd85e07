import { oppositeOf } from '../../../../names/verbs.ts'
import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionRefusal } from '../../action-setting.ts'
import type { OperationDraft } from '../../operation-draft.ts'
import { schemaBelow } from '../../schemas/schema-fields.ts'
import { fieldsOf } from '../bodies/bodies.ts'
import { findStatusField } from '../collections/record-fields.ts'

/** The refusal of records in the wrong state that an action declares; undefined without one. */
export function declaredRefusal(
  draft: OperationDraft,
  schema: Schema | undefined,
  { verb, toStatus }: { readonly verb: string; readonly toStatus: string | boolean | undefined },
): ActionRefusal | undefined {
  // A request without a body has nothing that could be wrong but the state.
  const unprocessable = draft.requestBody === undefined && typeof toStatus === 'string' && draft.responses.get('422')
  const isBare = unprocessable && !/validat|input/i.test(unprocessable.description ?? '')
  const status = [409, 422].find((code) => isAboutState(draft, code) || (code === 422 && isBare))
  if (status === undefined) return undefined
  const states = statesOf(schema)
  if (typeof toStatus !== 'string' || !states.includes(toStatus)) return { status, from: undefined }
  const taken = [draft.summary, draft.description].map((text = '') => `only ${TAKES.exec(text)?.[1] ?? ''}`)
  const texts = [textOf(draft, status), ...sentencesOf(draft.description), ...taken]
  const { only, never } = statesNamedIn(texts, states, toStatus)
  const isOpen = (state: string) => (only.length > 0 ? only.includes(state) : !isOver(state, verb, toStatus, states))
  return { status, from: states.filter((state) => state !== toStatus && !never.includes(state) && isOpen(state)) }
}

/** What an action takes: `active` of `Pauses an active block`. */
const TAKES = /^\w+ an? ([\w-]+(,? or [\w-]+)?)/

/** The declared refusal of a change or a deletion, where a text names its states: `Only drafts can be deleted`. */
export function describedRefusal(draft: OperationDraft, schema: Schema | undefined): ActionRefusal | undefined {
  const status = [409, 422].find((code) => draft.responses.has(`${code}`))
  const states = status === undefined ? [] : statesOf(schema)
  if (status === undefined || states.length === 0) return undefined
  const own = isAboutState(draft, status) ? [textOf(draft, status)] : []
  const prose = sentencesOf(draft.description).filter((text) => CHANGES.test(text) && !OF_STATUS.test(text))
  // What comes before the limit is something else: `For an inactive plan, you can make only status updates`.
  const limits = [...own, ...prose].map((text) => text.slice(Math.max(0, text.search(LIMITS))))
  const { only, never } = statesNamedIn(limits, states, '')
  const from = states.filter((state) => !never.includes(state) && (only.length === 0 || only.includes(state)))
  return only.length + never.length === 0 ? undefined : { status, from }
}

const CHANGES = /\b(updat|chang|edit|modif|delet|remov|patch|replac)/i
/** Sentences about changes of the status itself. */
const OF_STATUS = /\b(status|state)\b.*\b(only|can ?not|can't|must)\b/i
const LIMITS = /\b(only|must|unless)\b/i

function statesOf(schema: Schema | undefined): readonly string[] {
  const field = findStatusField(schema)
  return (field && schemaBelow(schema, field)?.enum)?.filter((value) => typeof value === 'string') ?? []
}

/** Whether a declared response may refuse a state. 422 is mostly about the body, unless it says otherwise. */
function isAboutState(draft: OperationDraft, status: number): boolean {
  const text = textOf(draft, status)
  return draft.responses.has(`${status}`) && (ABOUT_STATE.test(text) || (status === 409 && !ABOUT_OTHERS.test(text)))
}

/** What a description says of a refusal, with the example of its `message`: Laravel's generator writes the sentence there. */
function textOf({ responses }: OperationDraft, status: number): string {
  const { description = '', content } = responses.get(`${status}`) ?? {}
  const [schema] = status === 409 ? [...(content?.values() ?? [])].map((media) => media.schema) : []
  return `${description}\n${fieldsOf(schema).get('message')?.example ?? ''}`
}

const ABOUT_STATE =
  /\b(states?|status|already|transition|cannot be|can only|only \w+ \w+ can|not (in|yet)|is(n't| not))\b/i
const ABOUT_OTHERS = /idempoten|etag|concurren|version|duplicate|unique|same|availab|overlap|exists/i

/** Sentences of an operation that limit its states. */
const sentencesOf = (text = ''): string[] =>
  text
    .slice(0, MOST_TEXT)
    .split(/[.;\n]/)
    .filter((sentence) => /\b(only|must|unless|not|cannot|can't)\b/i.test(sentence))

const MOST_TEXT = 2_000

/** The states that texts allow alone, `Only drafts can be sent`, and those that they refuse: `Already sent`. */
function statesNamedIn(texts: readonly string[], states: readonly string[], toStatus: string) {
  const only: string[] = []
  const never: string[] = []
  for (const text of texts.flatMap((text) => text.slice(0, MOST_TEXT).split(/[.;\n]/))) {
    const plain = text.replace(/\b(can ?not|can't|can|may|must not|to) be \w+/gi, ' ')
    const named = states.filter((state) => new RegExp(`\\b${wordsOf(state).join('[\\s_-]?')}s?\\b`, 'i').test(plain))
    const isOnly = /\b(only|must|unless|needs?|requires?|expect\w*|not|isn't|hasn't)\b/i.test(plain)
    if (isOnly && !named.includes(toStatus)) only.push(...named)
    else never.push(...named)
  }
  return { only, never }
}

/** Whether a state is too late for an action, where the description does not name its states. */
function isOver(state: string, verb: string, toStatus: string, states: readonly string[]): boolean {
  const [word = ''] = wordsOf(verb)
  const now = foldName(state)
  const next = foldName(toStatus)
  if (RETURNS.test(word)) return false
  if (ENDED.test(now)) return !KEEPS.test(next)
  if (ENDS.test(next)) return DONE.test(now)
  // Statuses stand in the order of a record's life, but for those that come and go.
  return oppositeOf(word) === undefined && !REPEATS.test(word) && states.indexOf(state) > states.indexOf(toStatus)
}

/** Verbs that lead out of a last state. */
const RETURNS = /^(un|re(open|store|activate|instate|try|new|send|start|run|cover|submit|vert|set|queue|build)|refund$)/
/** States without a next one. */
const ENDED =
  /^(cancell?ed|void(ed)?|rejected|declined|denied|expired|refunded|deleted|terminated|withdrawn|revoked|lost|noshow|aborted|closed|archived|failed|writtenoff|discarded|scrapped)$/
/** States that also follow a last one. */
const KEEPS = /^(archived|deleted|trashed|refunded)$/
/** States of what is not wanted any more. */
const ENDS = /^(cancell?(ed|ing)|void(ed)?|rejected|declined|denied|aborted|withdrawn|noshow|expired|discarded)$/
/** States in which it is too late for that. */
const DONE =
  /^(completed?|done|finished|delivered|fulfilled|shipped|dispatched|received|returned|succeeded|merged|won|checkedin|checkedout|inhouse|approved|accepted|ended)$/
/** Verbs for which the order of statuses says nothing. */
const REPEATS = /^(run|trigger|execute|process|deploy|submit|send|schedule|hold|escalate|assign)$/
