import { expect, it, vi } from 'vitest'
import type { Table } from '../../src/service/dataset/dataset.ts'
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

it('shows the same pages whatever was read before, forwards and back', () => {
  const pagesOf = (step: number) => {
    const { send, world } = simulate(todoDescription, { volume: { tasks: 200 } })
    const table = world.dataset.tables.get('tasks') as Table
    for (let at = 0; at < 200; at += step) send('GET', `/tasks/${table.keyAt((at * 7) % 200)}`)
    const read = (query: string) => send('GET', `/tasks?${query}`).text
    return [1, 2, 3, 2, 1].flatMap((page) => [read(`limit=40&page=${page}`), read(`limit=7&page=${page}&sort=title`)])
  }

  expect(pagesOf(3)).toEqual(pagesOf(200))
})

it('shows all pages of more records than it keeps texts of', () => {
  const { send } = simulate(todoDescription, { volume: { tasks: 60_000 } })
  const pageOf = (page: number) => send('GET', `/tasks?limit=1000&page=${page}`).text
  const [first, last] = [pageOf(1), pageOf(60)]

  for (let page = 1; page <= 60; page++) pageOf(page)

  expect([pageOf(1), pageOf(60)]).toEqual([first, last])
})
