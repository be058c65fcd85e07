import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RankSet } from '../../src/service/world/rank-set.ts'

const members = fc.array(fc.nat(5_000), { maxLength: 300 })

it('finds its nth smallest member whatever the order of additions and removals', () => {
  fc.assert(
    fc.property(members, members, (added, removed) => {
      const set = new RankSet()
      for (const member of added) set.add(member)
      for (const member of removed) set.delete(member)

      const expected = [...new Set(added)].filter((member) => !removed.includes(member)).sort((a, b) => a - b)

      expect([...set]).toEqual(expected)
      expect(set.size).toBe(expected.length)
      expect(expected.map((_, rank) => set.at(rank))).toEqual(expected)
    }),
  )
})

it('names the bound when a rank is out of range', () => {
  const set = new RankSet()
  set.add(7)

  expect(() => set.at(1)).toThrow('Expected `rank` to be from 0 to 0, got 1.')
})
