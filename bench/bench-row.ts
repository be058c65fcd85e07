/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  /** What was measured: `cold start`, `webhook deliveries`. */
  name: string
  value: number
  unit: string
  /** The bare thing, measured in the same run; null where there is none. */
  floor: number | null
  /** How the value compares with the floor, bigger is better; null without a floor. */
  ratio: number | null
  /** What was aimed at: `<= 300 ms`, `>= 0.7`; empty where nothing was. */
  target: string
  /** Whether the target was met. */
  ok: boolean
  /** Whether not even half of the target was reached, which is what `--check` fails on. */
  isFarOff: boolean
}

/** A row whose value must not be above `most`. */
export function atMost(row: { name: string; value: number; unit: string; most: number; floor?: number }): BenchRow {
  const { name, value, unit, most, floor } = row
  return {
    name,
    value,
    unit,
    floor: floor ?? null,
    ratio: floor === undefined ? null : floor / value,
    target: `<= ${most} ${unit}`,
    ok: value <= most,
    isFarOff: value > 2 * most,
  }
}

/** A row whose value, divided by what the floor reached in the same run, must be at least `least`. */
export function atLeastOfFloor(row: {
  name: string
  value: number
  unit: string
  floor: number
  least: number
}): BenchRow {
  const ratio = row.value / row.floor
  const { name, value, unit, floor, least } = row
  return {
    name,
    value,
    unit,
    floor,
    ratio,
    target: `>= ${least} of floor`,
    ok: ratio >= least,
    isFarOff: ratio < least / 2,
  }
}

/** A row whose value must be at most `most` times what the floor took in the same run. */
export function atMostOfFloor(row: {
  name: string
  value: number
  unit: string
  floor: number
  most: number
}): BenchRow {
  const { name, value, unit, floor, most } = row
  return {
    name,
    value,
    unit,
    floor,
    ratio: floor / value,
    target: `<= ${most} x floor`,
    ok: value <= most * floor,
    isFarOff: value > 2 * most * floor,
  }
}

/** A row whose value must be at least `least`. */
export function atLeast(row: { name: string; value: number; unit: string; least: number }): BenchRow {
  const { name, value, unit, least } = row
  return {
    name,
    value,
    unit,
    floor: null,
    ratio: null,
    target: `>= ${least.toLocaleString('en-US')} ${unit}`,
    ok: value >= least,
    isFarOff: value < least / 2,
  }
}

/** A row that explains others and aims at nothing. */
export function informative(row: { name: string; value: number; unit: string; floor?: number }): BenchRow {
  const { floor = null, value, unit } = row
  // Of a rate more is better, of a time or a size less is.
  const isRate = unit.endsWith('/s')
  const ratio = floor === null ? null : isRate ? value / floor : floor / value
  return { ...row, floor, ratio, target: '', ok: true, isFarOff: false }
}

/** The middle value; of an even number of values the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
