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

/** Texts of 800 characters, by their positions. */
function keepTexts() {
  const texts = new RecordTexts()
  const shelf: Shelf = []
  const recall = (position: number) => texts.recall(shelf, { position, changed: undefined })
  const keep = (position: number) => {
    const text = `"${String(position).padStart(798, 'é')}"`
    return texts.keep({ shelf, position, changed: undefined, text, tag: '"1"' })
  }
  return { texts, shelf, recall, show: (position: number) => recall(position) ?? keep(position) }
}

it('lets go of single texts past its capacity, and not of those that are asked for', () => {
  const { shelf, recall, show } = keepTexts()

  for (let position = 0; position < 40_000; position++) {
    show(position)
    if (position > 100) show(position % 100)
  }

  const held = shelf.filter((kept) => kept !== undefined).length
  expect(held).toBeGreaterThan(9_000)
  expect(held).toBeLessThan(11_000)
  expect(Array.from({ length: 100 }, (_, position) => recall(position)?.text)).not.toContain(undefined)
  expect(show(7).text).toBe(`"${'7'.padStart(798, 'é')}"`)
})

it('leaves a body as it is that was put together, whatever comes after it', () => {
  const { texts, show } = keepTexts()
  // Every third first: the texts of a page stand at many places.
  const pageOf = (first: number) => Array.from({ length: 20 }, (_, at) => show(first + at))
  for (let position = 0; position < 3_000; position += 3) show(position)
  const expected = JSON.stringify({ data: Array.from({ length: 20 }, (_, at) => JSON.parse(show(40 + at).text)) })
  const join = (first: number) => texts.join(pageOf(first), ['{"data":[', ']}'])

  const once = join(40)
  const again = join(40)
  const one = show(41).bytes
  for (let first = 0; first < 30_000; first += 10) join(first)

  for (const bytes of [once, again, join(40)]) expect(Buffer.from(bytes).toString()).toBe(expected)
  expect(Buffer.from(one).toString()).toBe(`"${'41'.padStart(798, 'é')}"`)
})

it('puts together no record, and one that is larger than a chunk', () => {
  const { texts, shelf } = keepTexts()
  const long = 'x'.repeat(1_000_000)

  const shown = texts.keep({ shelf, position: 0, changed: undefined, text: long, tag: '"1"' })

  expect(Buffer.from(texts.join([], ['[', ']'])).toString()).toBe('[]')
  expect(Buffer.from(texts.join([shown], ['[', ']'])).toString()).toBe(`[${long}]`)
})
