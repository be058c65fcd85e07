import type { JsonObject } from '../../src/protocol/json.ts'

/** Splits an amount into whole parts in proportion to weights: each part is the rounded running total minus the earlier parts. */
function apportion(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let weighed = 0
  let given = 0
  return weights.map((weight) => {
    weighed += weight
    const upToHere = whole === 0 ? 0 : Math.round((amount * weighed) / whole)
    const part = upToHere - given
    given = upToHere
    return part
  })
}

/** An amount in whole parts by weights: `{ of: 100, by: [1, 2] }`. */
export const apportioned = ({ of, by }: JsonObject): number[] =>
  apportion(
    Number(of) || 0,
    (Array.isArray(by) ? by : []).map((part) => Number(part) || 0),
  )
