import { expect, it } from 'vitest'
import { didYouMean, nearestName } from '../../src/names/nearest-name.ts'

it('names what is alike, and nothing else', () => {
  expect(nearestName('colour', ['limit', 'offset'])).toBeUndefined()
  expect(nearestName('offest', ['limit', 'offset'])).toBe('offset')
  expect(nearestName('titel', ['date', 'title'])).toBe('title')
  expect(nearestName('vol', ['limit', 'volume'])).toBe('volume')
})

it('asks after the nearest name', () => {
  expect(didYouMean('isolate', ['isolation', 'keep'])).toBe(' Did you mean "isolation"?')
  expect(didYouMean('x', ['isolation'])).toBe('')
})
