import { expect, it } from 'vitest'
import { findField, findValue } from '../../src/names/find-field.ts'

it('finds the name itself before another spelling of it', () => {
  expect(findField(['created_at', 'createdAt'], 'createdAt')).toBe('createdAt')
  expect(findField(['name', 'created_at'], 'createdAt')).toBe('created_at')
  expect(findField(['name'], 'createdAt')).toBeUndefined()
})

it('reads a field in any spelling, and nothing that an object inherits', () => {
  expect(findValue({ due_on: 'today' }, 'dueOn')).toBe('today')
  expect(findValue({}, 'constructor')).toBeUndefined()
  expect(findValue({}, 'toString')).toBeUndefined()
})
