import { snakeCase } from '../../../names/words.ts'
import type { Json } from '../../../protocol/json.ts'
import { once } from '../../../runtime/once.ts'
import { fraction, mixPair } from '../../../runtime/random.ts'
import type { Schema } from '../../../schema/schema.ts'
import { type Cell, drawAt } from '../cell.ts'
import { momentRole } from '../moment.ts'
import type { Site } from '../site.ts'
import { phaseOf } from './choices.ts'

/** Whether a record has an optional value; undefined where every record has it. */
export type Presence = ((cell: Cell) => boolean) | undefined

const MOMENT = /(?:_at|_on|_date|_time|_timestamp)$|^(?:closed|completed|canceled|cancelled|deleted|archived|resolved)$/
/** Times of a soft deletion: generated records are there. */
const DELETED = /^deleted_(?:at|on|date|time)$/
/** Fields of finished records only. */
const OUTCOME =
  /^(?:outcome|resolution|resolution_notes?|result_summary|tracking\w*|shipping_label\w*|label_url|proof_of_delivery|(?:lost|cancel\w*|reject\w*|declin\w*|refund\w*|void\w*|clos\w*|dismiss\w*|withdraw\w*)_reason)$/
const ERROR =
  /(?:^|_)(?:error|errors|failure|failure_reason|failure_code|failure_message|last_error|cancel\w*_reason|decline_code|rejection_reason|cancellation_details|deletion\w*)$/
/** Fields that the server sets, or that every record has even without a client's value. */
const SERVER_MADE =
  /(?:^|_)(?:id|uuid|gid|sid|guid|object|self|href|etag|created|updated|modified|inserted|number|key|slug|token|secret|status|state|type|kind|version|revision|count|total|links|livemode|currency|locale|url|uri)$|(?:created|updated|modified|inserted|uploaded)(?:_at|_on|_date|_time)?$|date_(?:created|updated)|(?:create|update|creation|modification)_(?:date|time)$|_count$/
const OFTEN_ABSENT =
  /(?:^|_)(?:due|parent|reply|thumbnail|closed|assigned|assignee|next|prev|previous|replaced|referrer|coupon|discount|expires|expiry)/

/** Times that a new record has: those of its creation. */
const AT_FIRST =
  /^(?:creat|insert|regist|join|add|date$|order|plac|invit|post|upload|issue_date|invoice_date|since|updat|modif|chang|last_(?:updat|modif|chang|edit))|_(?:created|updated|modified|inserted|added|registered|changed)(?:_|$)|^date_(?:created|updated|modified|added)/

/** Objects of links. */
const LINKS = /^_?links$/

/** Names of results of a computation. */
const RESULT_NAMES = /^(?:content|text|answer|embedding|output)$/

/** Whether null is allowed by every reading of the description. */
export const mayBeNull = ({ nullableByLetter }: Schema): boolean => nullableByLetter

/** When an optional or nullable property has a value. */
export function presenceOf(site: Site): Presence {
  const { snake, key, schema, required } = site
  const { status, statuses } = site.surroundings
  if ((required && !mayBeNull(schema)) || (site.path && site.surroundings.isKey(site.path))) return undefined
  const reached = momentReached(site)
  const isOfStatus = once(() => (MOMENT.test(snake) || OUTCOME.test(snake)) && momentRole(snake) !== 'future')
  const named = once(() => new Set(statuses.filter((value) => isNamedBy(value, snake))))
  const isNamed = (now: Json = null) => named().has(now) || (!statuses.includes(now) && isNamedBy(now, snake))
  const usual = usualPresence()
  const isResult = site.isResult === true && schema.raw.deprecated !== true && !mayBeNull(schema) && !ERROR.test(snake)
  const isAtFirst = once(() => isThereAtFirst(site))
  return (cell) => {
    if (cell.frame.isNew) {
      // A client may create what is `paid`, with its `paid_at`.
      if (isOfStatus() && isNamed(status?.(cell))) return true
      // What a computation answers with lies deep in a new record: `choices[].message.content`.
      return isAtFirst() || isResult || (required && cell.depth > 1 && RESULT_NAMES.test(snake))
    }
    if (DELETED.test(snake)) return false
    return reached ? reached(cell) : usual >= 1 || fraction(mixPair(drawAt(cell, key), 0x6e75)) < usual
  }
  function usualPresence(): number {
    if (ERROR.test(snake)) return 0.04
    if (!mayBeNull(schema)) return 1
    return OFTEN_ABSENT.test(snake) ? 0.6 : 0.88
  }
}

/** Whether a record that a client creates has the field, which the client did not send. */
function isThereAtFirst({ snake, schema, required, path }: Site): boolean {
  if (schema.default !== undefined) return schema.default !== null
  if (schema.types[0] === 'boolean') return true
  if (MOMENT.test(snake) && !AT_FIRST.test(snake)) return false
  if (ERROR.test(snake) || OUTCOME.test(snake)) return false
  // Clients follow `_links.checkout` of what they made.
  if (LINKS.test(path?.at(-2) ?? '') && !schema.nullable) return true
  if (schema.enum?.length === 1 || (schema.readOnly && !mayBeNull(schema)))
    return !/error|fail|cancel|deleted/.test(snake)
  if (schema.types[0] === 'array') return !schema.nullable
  // `quantity: { minimum, maximum }`, which both have a default.
  const parts = schema.types[0] === 'object' && !schema.nullable ? [...schema.properties.values()] : []
  if (parts.length > 0 && parts.every((part) => part.default !== undefined)) return true
  return (
    SERVER_MADE.test(snake) &&
    !/_(?:id|uuid|gid)$/.test(snake) &&
    !(schema.nullable && !required && /url|token|secret|key|number/.test(snake))
  )
}

/** Whether a status is what a field tells of: `paid` of `paid_at`, `checked_in` of `checked_in_at`, not of `checked_out_at`. */
function isNamedBy(status: Json | undefined, field: string): boolean {
  if (typeof status !== 'string') return false
  const wanted = withoutSuffix(field).split('_')
  const words = snakeCase(status).split('_')
  return wanted.length === words.length && wanted.every((word, at) => wordStem(words[at] ?? '') === wordStem(word))
}

/** Whether the record has reached the field's stage: `completed_at` only by the status. */
function momentReached(site: Site): Presence {
  const { snake, key, surroundings } = site
  const { status, statuses } = surroundings
  const named = statuses.findIndex((value) => isNamedBy(value, snake))
  const stage = statuses[named]
  if (status && stage !== undefined && MOMENT.test(snake)) {
    const later = LATER.get(stemOf(snake))
    return (cell) => {
      const now = status(cell) ?? null
      const isPast = phaseOf(now) !== 'undone' && phaseOf(stage) !== 'undone' && statuses.indexOf(now) > named
      const isOver =
        phaseOf(now) === 'undone' &&
        later?.test(
          String(now)
            .toLowerCase()
            .replace(/^un\w*/, ''),
        ) === true
      return now === stage || isPast || isOver
    }
  }
  if (site.schema.types[0] === 'boolean' || (!MOMENT.test(snake) && !OUTCOME.test(snake))) return undefined
  const role = OUTCOME.test(snake)
    ? /reason/.test(snake)
      ? 'undone'
      : 'finished'
    : startsLater(snake)
      ? 'confirmed'
      : momentRole(snake)
  if (role !== 'finished' && role !== 'undone' && role !== 'confirmed') return undefined
  if (!status) {
    const share = role === 'finished' ? 0.5 : role === 'undone' ? 0.05 : 0.8
    return (cell) =>
      fraction(mixPair(drawAt(cell, key), 0x7265)) <
      (role === 'finished' ? share * (0.4 + 1.2 * cell.frame.age) : share)
  }
  const stem = /^(?:tracking|shipping_label|label_url)/.test(snake)
    ? 'shipp'
    : snake === 'proof_of_delivery'
      ? 'delive'
      : stemOf(snake)
  return (cell) => hasReached(status(cell), stem, role)
}

/** Whether a record's status matches a flag of this name: `complete`, `paid`. Undefined without a status. */
export function statusReached({ snake, surroundings, path }: Site): ((cell: Cell) => boolean) | undefined {
  const { status } = surroundings
  if (!status || (path && surroundings.isKey(path))) return undefined
  const isEnd = /complet|done|finish|clos|resolv/.test(snake)
  const stem = stemOf(snake)
  return (cell) => {
    const now = status(cell)
    return isEnd ? phaseOf(now ?? '') === 'done' : hasReached(now, stem, 'finished')
  }
}

/** Whether the field is the time of a begin that may still be ahead: `started_at`. */
function startsLater(snakeName: string): boolean {
  return /^(?:started|begun|activated|work_started|first_response)/.test(snakeName)
}

/** `cancel` of `canceled_at`. */
const stemOf = (snakeName: string): string => wordStem(withoutSuffix(snakeName).split('_').at(-1) as string)

const wordStem = (word: string): string => word.replace(/(?:led|lled|ed|d|e)$/, '').slice(0, 6)
const withoutSuffix = (snakeName: string): string => snakeName.replace(/_(?:at|on|date|time|timestamp)$/, '')

const LATER: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    pai: /paid|refunded|fulfilled|shipped|delivered|completed/,
    shipp: /shipped|delivered|returned|completed/,
    comple: /complet|done|closed|finished|resolved/,
    finish: /finish|complet|done|succe/,
    clos: /clos|done|won|lost|resolved/,
    publis: /publish|live/,
    sent: /sent|open|paid|delivered|overdue|viewed|accepted/,
  }),
)

function hasReached(status: Json | undefined, stem: string, role: string): boolean {
  if (typeof status === 'boolean') return role === 'undone' ? false : status
  const text = String(status ?? '').toLowerCase()
  const later = LATER.get(stem)
  if (later) return later.test(text)
  if (text.includes(stem)) return true
  const phase = phaseOf(text)
  if (role === 'finished') return phase === 'done' && !/clos|comple|delive|ship|refun|return/.test(stem)
  return role === 'confirmed' ? phase !== 'initial' : false
}
