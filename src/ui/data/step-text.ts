import type { BehaviourStep } from '../../protocol/behaviour.ts'
import { countText } from './count-text.ts'
import { isObject } from './json-value.ts'

/** A step of the behaviour plan as a sentence without its full stop. */
export function stepText(step: BehaviourStep): string {
  switch (step.kind) {
    case 'create':
      return `creates ${amountOf(step, 'one')} of ${step.collection}${withValues(step.values)}`
    case 'update': {
      const drawn = step.regenerate === undefined ? '' : `, makes ${step.regenerate.join(', ')} anew`
      return `changes ${chosen(step)}${withValues(step.set)}${drawn}`
    }
    case 'transition': {
      const from = step.from === undefined ? '' : ` from ${valueText(step.from)}`
      return `moves ${chosen(step)}${from} to ${weighedText(step.to)}`
    }
    case 'increment':
      return `adds ${amountText(step.by)} to ${step.field} of ${chosen(step)}`
    case 'expire': {
      const due = `whose ${step.field} is older than ${everyText(step.olderThanSeconds)}`
      if (step.action === 'delete') return `deletes ${chosen(step, 'all')} ${due}`
      return `sets ${step.action.field ?? 'the status'} to ${valueText(step.action.to)} for ${chosen(step, 'all')} ${due}`
    }
    case 'touch':
      return `touches ${chosen(step)}`
    case 'relate':
      return `gives ${chosen(step)} another of ${step.target} as ${step.field}`
    case 'delete':
      return `deletes ${chosen(step)}`
    case 'due':
      return `runs the effect ${step.do} on each of ${step.collection}${step.where === undefined ? '' : ` ${whereText(step.where)}`} whose ${step.field} has come`
  }
}

interface Chosen {
  readonly collection: string
  readonly count?: number | undefined
  readonly fraction?: number | undefined
  readonly where?: unknown
  readonly minAgeSeconds?: number | undefined
}

function chosen(step: Chosen, otherwise = 'one'): string {
  const where = step.where === undefined ? '' : ` ${whereText(step.where)}`
  const age = step.minAgeSeconds === undefined ? '' : ` that are ${everyText(step.minAgeSeconds)} old`
  return `${amountOf(step, otherwise)} of ${step.collection}${where}${age}`
}

function amountOf({ count, fraction }: Pick<Chosen, 'count' | 'fraction'>, otherwise: string): string {
  if (count !== undefined) return String(count)
  return fraction === undefined ? otherwise : `${Math.round(fraction * 10_000) / 100} %`
}

function withValues(values: unknown): string {
  if (values === undefined) return ''
  if (!isObject(values)) return ` with ${valueText(values)}`
  const parts = Object.entries(values).map(([field, value]) => `${field} ${valueText(value)}`)
  return parts.length === 0 ? '' : ` with ${parts.join(', ')}`
}

const SIGNS: Readonly<Record<string, string>> = { eq: 'is', ne: 'is not', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** A condition on records in words: `whose status is open and total > 100`. */
function whereText(where: unknown): string {
  if (!isObject(where)) return `where ${valueText(where)}`
  const parts = Object.entries(where).flatMap(([field, wanted]) => {
    if (!isObject(wanted)) return `${field} is ${valueText(wanted)}`
    return Object.entries(wanted).map(([sign, value]) => {
      if (sign === 'in' && Array.isArray(value)) return `${field} is ${value.map(valueText).join(' or ')}`
      return SIGNS[sign] === undefined
        ? `${field} ${sign} ${valueText(value)}`
        : `${field} ${SIGNS[sign]} ${valueText(value)}`
    })
  })
  return parts.length === 0 ? 'as they are' : `whose ${parts.join(' and ')}`
}

/** `done (80 %) or in_progress (20 %)`: values with their probabilities. */
function weighedText(to: Extract<BehaviourStep, { kind: 'transition' }>['to']): string {
  if (typeof to !== 'object' || to === null) return valueText(to)
  const all = Object.values(to).reduce((sum, weight) => sum + weight, 0)
  return Object.entries(to)
    .map(([value, weight]) => `${value} (${Math.round((weight / all) * 100)} %)`)
    .join(' or ')
}

const amountText = (by: Extract<BehaviourStep, { kind: 'increment' }>['by']): string =>
  typeof by === 'number' ? String(by) : `${by.min} to ${by.max}`

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const UNITS = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** `2 hours`, `1 day 6 hours`: a duration in words. */
export function everyText(seconds: number): string {
  let left = seconds
  const parts = UNITS.flatMap(([length, name]) => {
    const count = Math.floor(left / length)
    left -= count * length
    return count === 0 ? [] : countText(count, name)
  })
  return parts.slice(0, 2).join(' ') || '0 seconds'
}
