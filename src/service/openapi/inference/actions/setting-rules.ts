import {
  formsOf,
  gerundsOf,
  isVerb,
  kindOfVerb,
  oppositeOf,
  participlesOf,
  RENEWS,
  SETS,
  stateAfter,
  statesAfter,
  UNDOING,
  verbWords,
} from '../../../../names/verbs.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import type { FieldIndex } from '../bodies/named-fields.ts'
import { type Settable, settableFields, stemOf } from '../bodies/settable-fields.ts'

/** One way to find the fields that an action sets besides the status. */
export interface SettingRule {
  readonly name: string
  /** An action, and the field that it sets. */
  readonly example: string
  /**
   * The settings; none where the rule does not apply. `rest`: the words after the verb; `open`: all words as written, of
   * an action on records without a schema.
   */
  readonly find: (
    verb: string,
    rest: readonly string[],
    fields: FieldIndex<Settable>,
    open: string | undefined,
  ) => readonly ActionSetting[]
}

/** The rules for the fields that an action sets, read top down: the first that finds one decides. */
export const SETTING_RULES: readonly SettingRule[] = [
  {
    name: 'set-new-secret',
    example: 'reset_secret, regenerate_token, POST /providers/{id}/token: a new one',
    find: (verb, rest, fields) => {
      const isAlone = rest.length === 0 && SECRET.test(verb)
      if (!isAlone && !RENEWS.has(verb)) return []
      const wanted = isAlone ? verb : foldName(withoutFillers(rest).join('_'))
      const values = fields.all.filter(({ isValue }) => isValue)
      const isNamed = ({ folded }: Settable) => (wanted === '' ? SECRET_ENDING.test(folded) : folded.endsWith(wanted))
      const found = values.find(({ folded }) => folded === wanted) ?? values.find(isNamed)
      return found ? [set(found, 'fresh')] : []
    },
  },
  {
    name: 'set-named-field',
    example: 'change_type, PUT /cards/{id}/pos, rename: the field of that name',
    find: (verb, rest, fields) => {
      if (RENEWS.has(verb)) return []
      const noun = foldName(withoutFillers(rest).join('_'))
      const wanted = [foldName([verb, ...rest].join('_')), ...(SETS.has(verb) && noun !== '' ? [noun] : [])]
      const names = verb === 'rename' && noun === '' ? ['name', 'title', 'label'] : wanted
      const found = fields.named('folded', ...names).find(({ isReadOnly }) => rest.length === 0 || !isReadOnly)
      return found && !found.isFlag ? [set(found, 'argument')] : []
    },
  },
  {
    name: 'set-named-flag',
    example: 'mark_as_read, make-default, disable_comments: the flag of that name',
    find: (verb, rest, fields) => {
      const noun = foldName(withoutFillers(rest).join('_'))
      const isOn = SWITCHES.get(verb)
      if (noun === '') return []
      if (isOn !== undefined) {
        const flags = [...fields.named('flag', noun, `${noun}enabled`), ...fields.named('stem', stemOf(noun))]
        const found = flags.find(({ isFlag }) => isFlag)
        return found ? [set(found, { value: isOn })] : []
      }
      if (!/^(make|mark|set)$/.test(verb)) return []
      const [stem, value] = noun.startsWith('un') ? [noun.slice(2), false] : [noun, true]
      const flag = fields.named('folded', stem, `is${stem}`).find(({ isFlag }) => isFlag)
      return flag ? [set(flag, { value })] : []
    },
  },
  {
    name: 'set-flag-and-time',
    example: 'publish: published and published_at; refund: amount_refunded',
    find: (verb, rest, fields) =>
      rest.length > 1 ? [] : [...flagsOf(verb, rest, fields), ...timesOf(verb, fields), ...sumsOf(verb, fields)],
  },
  {
    name: 'set-list',
    example: 'tag: adds to tags',
    find: (verb, rest, fields) => {
      const own = stemOf(verb.replace(UNDOING, ''))
      const found = rest.length > 0 ? [] : fields.all.filter(({ isArray, noun }) => isArray && stemOf(noun) === own)
      return found.slice(0, 1).map((field) => set(field, UNDOING.test(verb) ? 'removed' : 'added'))
    },
  },
  {
    name: 'set-undescribed',
    example: 'pause: status paused, where nothing is known of the records; /pos: the field pos',
    find: (verb, rest, _, open) => {
      if (open === undefined) return []
      if (rest.length === 0 && isVerb(verb)) return [{ field: ['status'], to: { value: stateAfter(verb) } }]
      return isVerb(verb) || kindOfVerb(verb) !== undefined ? [] : [{ field: [open], to: 'argument' }]
    },
  },
]

/** Finds the fields that actions set, by the rules except those with a name in `leftOut`. */
export class SettingFinder {
  readonly #rules: readonly SettingRule[]

  constructor(leftOut: ReadonlySet<string> = new Set()) {
    this.#rules = SETTING_RULES.filter(({ name }) => !leftOut.has(name))
  }

  /** What `star`, `publish` or `change_type` sets. `isOpen`: the records have no schema. */
  settingsOf(verb: string, schema: Schema | undefined, isOpen = false): readonly ActionSetting[] {
    const [first = '', ...rest] = verbWords(verb)
    const fields = settableFields(schema)
    for (const { find } of this.#rules) {
      const found = find(first, rest, fields, isOpen ? verb : undefined)
      if (found.length > 0) return found
    }
    return []
  }
}

const SECRET = /^(token|secret|apikey|password)$/
const SECRET_ENDING = /(secret|token|apikey|password)$/

/** Words between a verb and its noun. */
const FILLERS = new Set(['to', 'from', 'in', 'the', 'of', 'as'])
const withoutFillers = (words: readonly string[]): string[] => words.filter((word) => !FILLERS.has(word))

/** Verbs that turn the flag after them on or off. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['start', true],
  ['enable', true],
  ['stop', false],
  ['disable', false],
])

const set = ({ field }: Settable, to: ActionSetting['to']): ActionSetting => ({ field, to })

function flagsOf(verb: string, rest: readonly string[], fields: FieldIndex<Settable>): ActionSetting[] {
  const base = verb.replace(UNDOING, '')
  const isUndoing = base !== verb
  const opposite = oppositeOf(verb)
  const done = new Set([...formsOf(verb), ...statesAfter(verb).map(foldName)])
  const before = [...(isUndoing ? [verb, base] : []), ...(opposite === undefined ? [] : [opposite])]
  const undone = [
    ...[`un${verb}`, base, ...before.flatMap((word) => [...participlesOf(word), ...gerundsOf(word)])],
    ...(opposite === undefined ? [] : statesAfter(opposite).map(foldName)),
  ]
  return fields
    .named('flag', ...done, ...undone)
    .filter(({ isFlag, isReadOnly }) => isFlag && (rest.length === 0 || !isReadOnly))
    .map((field) => set(field, { value: done.has(field.flag) }))
}

/** `refund { amount }` adds to the `amount_refunded` of Stripe, Razorpay and Chargebee. */
function sumsOf(verb: string, fields: FieldIndex<Settable>): ActionSetting[] {
  if (!/^(refund|capture|pay)$/.test(verb)) return []
  const names = participlesOf(verb).flatMap((done) => [`amount${done}`, `${done}amount`, `total${done}`])
  const [found] = fields.named('folded', ...names).filter(({ isCount }) => isCount)
  return found ? [set(found, { amount: 'amount', sign: 1 })] : []
}

function timesOf(verb: string, fields: FieldIndex<Settable>): ActionSetting[] {
  const done = participlesOf(verb)
  const base = verb.replace(UNDOING, '')
  // What has stopped keeps its `startedAt`.
  const opposite = verb === 'stop' ? undefined : oppositeOf(verb)
  const undone = [
    ...(base === verb ? [] : participlesOf(base)),
    ...(opposite === undefined ? [] : [...participlesOf(opposite), ...statesAfter(opposite).map(foldName)]),
  ]
  const over = fields.named('moment', ...undone).filter(({ isValue }) => isValue)
  const words = [...done, ...[verb, ...done].map((word) => `last${word}`), `${verb}initiated`, `${verb}requested`]
  const times = fields.named('moment', ...words).filter(({ isValue }) => isValue)
  return [...times.map((field) => set(field, 'now')), ...over.map((field) => set(field, 'cleared'))]
}
