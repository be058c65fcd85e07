import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionField } from '../../protocol/record-edit.ts'
import type { ResponseRuleKind } from '../../protocol/response-rule.ts'
import { valueIn } from './json-value.ts'

/** A config field of a rule in a form. `json` accepts any value, and so does `value`, where a text that is not JSON is a string. */
export interface RuleField {
  readonly name: string
  readonly label: string
  readonly type: 'number' | 'text' | 'switch' | 'json' | 'value' | readonly string[]
  /** Whether to offer the names of a collection's fields, or the values of one. */
  readonly offers?: 'name' | 'value'
  /** The fields to offer, if not all. */
  readonly only?: 'numbers' | 'times' | 'references'
}

/** The records for a form's fields. */
export interface Subject {
  readonly fields: readonly CollectionField[]
  readonly statusField: string | null
}

const FITS: Readonly<Record<NonNullable<RuleField['only']>, (field: CollectionField) => boolean>> = {
  numbers: ({ types }) => types.some((type) => type === 'number' || type === 'integer'),
  times: ({ format, name }) => /^date/.test(format ?? '') || /(?:At|_at|date|time)$/i.test(name),
  references: ({ refersTo }) => refersTo !== undefined,
}

/** The names of fields or the values of one to offer for a form's field. */
export function wordsFor({ offers, only }: RuleField, { fields, statusField }: Subject, config: JsonObject): string[] {
  const fitting = only === undefined ? fields : fields.filter(FITS[only])
  if (offers === 'name') return fitting.map(({ name }) => name)
  const chosen = fields.find(({ name }) => name === (config.field || statusField))
  return (chosen?.types.includes('boolean') ? [true, false] : (chosen?.values ?? [])).map(String)
}

const COMMIT: RuleField = { name: 'commit', label: 'The request is done', type: ['before', 'after', 'never'] }
const RETRY_AFTER: RuleField = { name: 'retryAfterSeconds', label: 'Retry-After, seconds', type: 'number' }

const toFields = (...fields: readonly (readonly [string, string, RuleField['type']])[]): readonly RuleField[] =>
  fields.map(([name, label, type]) => ({ name, label, type }))

/** Fields of each kind. Others can be written as JSON. */
export const KIND_FIELDS: Readonly<Record<ResponseRuleKind, readonly RuleField[]>> = {
  latency: toFields(
    ['latencyMs', 'Later by, ms', 'number'],
    ['latencyJitterMs', 'More or less, ms', 'number'],
    ['distribution', 'Distribution', ['fixed', 'uniform', 'normal', 'lognormal']],
    ['maxMs', 'At most, ms', 'number'],
  ),
  error: [
    ...toFields(
      ['status', 'Status', 'number'],
      ['code', 'Code', 'text'],
      ['message', 'Message', 'text'],
      ['body', 'Body, JSON', 'json'],
    ),
    RETRY_AFTER,
  ],
  rateLimit: toFields(
    ['limit', 'Requests', 'number'],
    ['windowSeconds', 'Within, seconds', 'number'],
    ['burst', 'Burst', 'number'],
    ['scope', 'Counted for each', ['simulation', 'key', 'ip', 'operation']],
    ['algorithm', 'Counted by', ['fixed', 'tokenBucket']],
    ['headers', 'Headers', ['standard', 'x', 'none']],
  ),
  timeout: [...toFields(['holdMs', 'Held for, ms (0: for good)', 'number']), COMMIT],
  connectionReset: [
    ...toFields(['when', 'When', ['beforeResponse', 'midBody']], ['afterBytes', 'After bytes of the body', 'number']),
    COMMIT,
  ],
  emptyResponse: [COMMIT, ...toFields(['beforeKey', 'Also before the key is looked at', 'switch'])],
  malformed: toFields(
    ['mode', 'Damage', ['json', 'truncate', 'randomBytes', 'invalidHttp']],
    ['keepFraction', 'Share that is kept, 0 to 1', 'number'],
  ),
  slowBody: toFields(
    ['bytesPerSecond', 'Bytes a second', 'number'],
    ['chunkBytes', 'Bytes of a piece', 'number'],
    ['chunkDelayMs', 'Between pieces, ms', 'number'],
  ),
  override: [
    { name: 'status', label: 'Status', type: 'number' },
    { name: 'setJson', label: 'Put into the body, JSON', type: 'json' },
    { name: 'body', label: 'Whole body, JSON', type: 'json' },
    { name: 'headers', label: 'Headers, JSON', type: 'json' },
  ],
  sequence: toFields(['responses', 'Answers, JSON', 'json'], ['onEnd', 'After the last', ['repeat', 'last', 'pass']]),
  unauthorised: toFields(['mode', 'The key is', ['missing', 'invalid', 'expired', 'scope']]),
  staleRead: toFields(['lagMs', 'Older by, ms', 'number']),
  reply: toFields(
    ['when', 'Prompts that have, JSON', 'json'],
    ['text', 'Text', 'text'],
    ['toolCalls', 'Tool calls, JSON', 'json'],
    ['error', 'Error, JSON', 'json'],
  ),
  maintenance: [RETRY_AFTER, ...toFields(['message', 'Message', 'text'])],
}

/** Fields about when a rule fires, for every kind. */
export const FIRING_FIELDS: readonly RuleField[] = toFields(
  ['times', 'Times, then it stops', 'number'],
  ['skipFirst', 'Skip the first', 'number'],
  ['every', 'Every nth', 'number'],
  ['probability', 'Probability, 0 to 1', 'number'],
  ['startAfterMs', 'Begins after, ms of world time', 'number'],
  ['durationMs', 'Lasts for, ms of world time', 'number'],
)

/** A field's value in a form. */
export function fieldText(config: JsonObject, { name, type }: RuleField): string {
  const value = config[name]
  if (value === undefined) return ''
  return type === 'json' || typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * The config with a field's typed text; without the field for an empty one. An invalid number or JSON stays a text: the
 * service reports it.
 */
export function withField(config: JsonObject, { name, type }: RuleField, text: string): JsonObject {
  const { [name]: _before, ...rest } = config
  if (text === '') return rest
  if (type === 'switch') return { ...rest, [name]: text === 'true' }
  const isNumber = type === 'number' && !Number.isNaN(Number(text))
  return { ...config, [name]: isNumber ? Number(text) : type === 'json' || type === 'value' ? valueIn(text) : text }
}
