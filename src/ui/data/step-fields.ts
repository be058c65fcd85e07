import type { BehaviourStep } from '../../protocol/behaviour.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import type { RuleField } from './rule-fields.ts'

export type StepKind = BehaviourStep['kind']

const field = (name: string, label: string, type: RuleField['type'], offers?: RuleField['offers']): RuleField => {
  return { name, label, type, ...(offers !== undefined && { offers }) }
}
/** A form field for the name of a record's field. */
const named = (label: string, only?: RuleField['only']): RuleField => {
  return { ...field('field', label, 'text', 'name'), ...(only !== undefined && { only }) }
}

/** Fields that select a step's records: for every kind except `create` and `due`. */
const CHOSEN = [
  field('count', 'How many', 'number'),
  field('fraction', 'Share of them, 0 to 1', 'number'),
  field('where', 'Where, JSON', 'json'),
  field('minAgeSeconds', 'At least so old, seconds', 'number'),
]

/** The effect, initial values and fields of each kind, besides its collection. */
export const STEP_KINDS: Readonly<
  Record<StepKind, { does: string; begins: Readonly<Record<string, unknown>>; fields: readonly RuleField[] }>
> = {
  create: {
    does: 'makes records',
    begins: { count: 1 },
    fields: [
      field('count', 'How many', 'number'),
      field('fraction', 'Share of those there are, 0 to 1', 'number'),
      field('values', 'With values, JSON', 'json'),
      field('maxRecords', 'Up to so many records', 'number'),
    ],
  },
  update: {
    does: 'sets fields',
    begins: { count: 1 },
    fields: [
      ...CHOSEN,
      field('set', 'Set, JSON', 'json'),
      field('regenerate', 'Make anew, JSON list of fields', 'json'),
    ],
  },
  transition: {
    does: 'moves from status to status',
    begins: { count: 1 },
    fields: [
      field('from', 'From', 'value', 'value'),
      field('to', 'To', 'value', 'value'),
      named('Field, if not the status'),
      ...CHOSEN,
    ],
  },
  increment: {
    does: 'adds to a number',
    begins: { by: 1, count: 1 },
    fields: [
      named('Field', 'numbers'),
      field('by', 'Amount', 'value'),
      field('clampMin', 'At least', 'number'),
      field('clampMax', 'At most', 'number'),
      ...CHOSEN,
    ],
  },
  expire: {
    does: 'ends what is too old',
    begins: { olderThanSeconds: 86_400, action: 'delete' },
    fields: [
      named('Field of the time', 'times'),
      field('olderThanSeconds', 'Older than, seconds', 'number'),
      field('action', 'Then: delete, or { "to": status } as JSON', 'value'),
      ...CHOSEN,
    ],
  },
  touch: { does: 'notes a change alone', begins: { count: 1 }, fields: CHOSEN },
  relate: {
    does: 'refers to another record',
    begins: { count: 1 },
    fields: [named('Field', 'references'), field('target', 'Of the collection', 'text'), ...CHOSEN],
  },
  delete: {
    does: 'deletes records',
    begins: { count: 1 },
    fields: [...CHOSEN, field('onDependents', 'What refers to them', ['ignore', 'setNull', 'cascade'])],
  },
  due: {
    does: 'runs an effect of the entry',
    begins: {},
    fields: [
      named('Once this time has come', 'times'),
      field('do', 'Effect', 'text'),
      field('where', 'Where, JSON', 'json'),
    ],
  },
}

/** The fields of a step of a kind; its collection first. */
export function stepFields(kind: StepKind, collections: readonly CollectionSummary[]): readonly RuleField[] {
  const names = collections.map(({ name }) => name)
  const { fields } = STEP_KINDS[kind]
  return [
    field('collection', 'Collection', names),
    ...fields.map((one) => (one.name === 'target' ? { ...one, type: names } : one)),
  ]
}

/** Units offered by a form; other periods can be typed in seconds. */
export const UNITS = [
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3_600],
  ['days', 86_400],
] as const

/** Seconds in the largest unit that divides them. */
export function inUnits(seconds: number): { readonly count: number; readonly unit: number } {
  const [, unit] = UNITS.findLast(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[0]
  return { count: seconds / unit, unit }
}

/** Reasons for dropped steps, by the numbers of rule and step. */
export function droppedSteps(dropped: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    dropped.map((text) => {
      const [, rule, step, reason] = /^rules\[(\d+)\]\.steps\[(\d+)\]: (.*)$/s.exec(text) ?? []
      return [`${rule} ${step}`, reason ?? text] as const
    }),
  )
}
