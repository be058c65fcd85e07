/** One line of the table that `npm run bench` prints. */
export interface BenchRow {
  /** The measured subject: `cold start`, `webhook deliveries`. */
  name: string
  value: number
  unit: string
  /** The floor: the bare operation, measured in the same run; null without one. */
  floor: number | null
  /** How the value compares with the floor, bigger is better; null without a floor. */
  ratio: number | null
  /** The target: `<= 300 ms`, `>= 0.7`; empty without one. */
  target: string
  /** Whether the target was met. */
  ok: boolean
  /** Whether less than half of the target was reached, which fails `--check`. */
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

/** A row whose value, divided by the floor of the same run, must be at least `least`. */
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

/** A row whose value must be at most `most` times the floor of the same run. */
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

/** A row without a target, which explains other rows. */
export function informative(row: { name: string; value: number; unit: string; floor?: number }): BenchRow {
  const { floor = null, value, unit } = row
  // A higher rate is better; a lower time or size is better.
  const isRate = unit.endsWith('/s')
  const ratio = floor === null ? null : isRate ? value / floor : floor / value
  return { ...row, floor, ratio, target: '', ok: true, isFarOff: false }
}

/** The median; for an even number of values the higher of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
