import { expect, it, vi } from 'vitest'
import type { Table } from '../../src/service/dataset/dataset.ts'
import { RecordTexts, type Shelf } from '../../src/service/simulated-api/presentation/record-texts.ts'
import { simulate } from './simulate.ts'
import { todoDescription } from './todo-description.ts'

it('makes no record again whose text it knows: 5,000 by id and any page of 10,000', () => {
  const { send, world } = simulate(todoDescription, { volume: { tasks: 10_000 } })
  const table = world.dataset.tables.get('tasks') as Table
  const readAll = () => {
    for (let at = 0; at < 5_000; at++) send('GET', `/tasks/${table.keyAt((at * 7_919) % 10_000)}`)
    for (let page = 1; page <= 500; page++) send('GET', `/tasks?limit=20&page=${((page * 127) % 500) + 1}`)
  }
  readAll()
  const made = vi.spyOn(table, 'recordAt')

  readAll()

  expect(made).not.toHaveBeenCalled()
})

it('shows a record as it is now: changed, taken back, deleted and made anew', () => {
  const { send, world } = simulate(todoDescription, { volume: { tasks: 3 } })
  const [task] = send('GET', '/tasks').body.data
  const title = () => send('GET', `/tasks/${task.id}`).body.title
  const tag = () => send('GET', `/tasks/${task.id}`).headers.etag
  const before = { title: title(), tag: tag() }

  world.begin()
  send('PATCH', `/tasks/${task.id}`, { json: { title: 'Changed' } })
  const changed = { title: title(), tag: tag() }
  world.undo()
  const undone = { title: title(), tag: tag() }
  world.begin()
  const made = send('POST', '/tasks', { json: { title: 'First' } }).body
  send('GET', `/tasks/${made.id}`)
  world.undo()
  const again = send('POST', '/tasks', { json: { title: 'Second' } }).body

  expect(changed.title).toBe('Changed')
  expect(changed.tag).not.toBe(before.tag)
  expect(undone).toEqual(before)
  expect(again.id).toBe(made.id)
  expect(send('GET', `/tasks/${made.id}`).body.title).toBe('Second')
})

it('lets go of single texts past its capacity, of those that were asked for last', () => {
  const texts = new RecordTexts()
  const shelf: Shelf = []
  const show = (position: number) => {
    const known = texts.recall(shelf, { position, changed: undefined })
    if (known === undefined) {
      texts.keep(shelf, { position, changed: undefined }, { text: 'x'.repeat(800), isAscii: true, tag: '"1"' })
    }
    return known !== undefined
  }

  for (let position = 0; position < 40_000; position++) {
    show(position)
    if (position > 100) show(position % 100)
  }

  const held = shelf.filter((kept) => kept !== undefined).length
  expect(held).toBeGreaterThan(14_000)
  expect(held).toBeLessThan(16_800)
  expect(Array.from({ length: 100 }, (_, position) => show(position))).not.toContain(false)
})
