import { expect, it } from 'vitest'
import { Random } from '../../src/runtime/random.ts'
import { uuidFrom } from '../../src/runtime/uuid.ts'

it('draws the same for the same key and differently for another', () => {
  const draw = (...key: (string | number)[]) =>
    Array.from(
      { length: 5 },
      (
        (random) => () =>
          random.uint32()
      )(Random.for(...key)),
    )

  expect(draw('seed', 'tasks', 1)).toEqual(draw('seed', 'tasks', 1))
  expect(draw('seed', 'tasks', 1)).not.toEqual(draw('seed', 'tasks', 2))
})

it('spreads draws evenly over the range', () => {
  const random = Random.for('even')
  const counts = new Array<number>(10).fill(0)
  for (let draw = 0; draw < 100_000; draw++) {
    const bucket = random.integer(0, 9)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }

  for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(600)
})

it('samples different members', () => {
  const sample = Random.for('sample').sample(50, 20)

  expect(new Set(sample).size).toBe(20)
  expect(sample.every((member) => member >= 0 && member < 50)).toBe(true)
})

it('samples all of them when more are asked for than there are', () => {
  expect(Random.for('all').sample(3, 10).sort()).toEqual([0, 1, 2])
})

it('refuses to pick from nothing', () => {
  expect(() => Random.for('none').pick([])).toThrow('Expected `items` to hold at least one item, got none.')
})

it('makes the same UUID from the same parts', () => {
  expect(uuidFrom('a', 1)).toBe(uuidFrom('a', 1))
  expect(uuidFrom('a', 1)).not.toBe(uuidFrom('a', 2))
  expect(uuidFrom('a', 1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
