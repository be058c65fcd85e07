import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PositionSet } from '../../src/service/world/position-set.ts'

// Dense ones become bitmaps, sparse ones stay lists.
const members = fc.oneof(
  fc.array(fc.nat(5_000), { maxLength: 300 }),
  fc.array(fc.nat(100_000), { maxLength: 100 }),
  fc.nat(3_000).map((size) => Array.from({ length: size }, (_, at) => at * 2)),
)

it('reads its members by rank, whatever the order of additions and removals', () => {
  fc.assert(
    fc.property(members, members, fc.nat(400), fc.nat(400), (added, removed, start, length) => {
      const set = setOf(added)
      for (const member of removed) set.delete(member)

      const expected = sorted(added).filter((member) => !removed.includes(member))

      expect(set.slice()).toEqual(expected)
      expect(set.size).toBe(expected.length)
      expect(set.slice(start, start + length)).toEqual(expected.slice(start, start + length))
      for (const [rank, member] of expected.slice(start, start + 10).entries()) {
        expect(set.at(start + rank)).toBe(member)
        expect(set.rankOf(member)).toBe(start + rank)
        expect(set.has(member)).toBe(true)
      }
      expect(set.rankOf(1_000_000)).toBe(expected.length)
    }),
  )
})

it('gives unions and intersections', () => {
  fc.assert(
    fc.property(fc.array(members, { minLength: 1, maxLength: 4 }), (lists) => {
      const sets = lists.map(setOf)
      const union = sorted(lists.flat())
      const shared = union.filter((member) => lists.every((list) => list.includes(member)))

      expect(PositionSet.union(sets).slice()).toEqual(union)
      expect(PositionSet.intersection(sets).slice()).toEqual(shared)
      expect(PositionSet.intersection(sets).size).toBe(shared.length)
    }),
    { numRuns: 40 },
  )
})

it('takes memory for members, not for the positions between them', () => {
  const before = process.memoryUsage().arrayBuffers

  const sets = Array.from({ length: 20_000 }, (_, at) => setOf([at * 50]))

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
  expect(sets.at(-1)?.slice()).toEqual([999_950])
})

it('names the bound when a rank is out of range', () => {
  expect(() => setOf([7]).at(1)).toThrow('Expected `rank` to be from 0 to 0, got 1.')
})

function setOf(positions: readonly number[]): PositionSet {
  const set = new PositionSet()
  for (const position of positions) set.add(position)
  return set
}

const sorted = (positions: readonly number[]): number[] => [...new Set(positions)].sort((left, right) => left - right)
