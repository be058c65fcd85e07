import { expect, it, vi } from 'vitest'
import type { Table } from '../../src/service/dataset/dataset.ts'
import { RecordTexts, type TextsByPosition } from '../../src/service/simulated-api/presentation/record-texts.ts'
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
  const kept: TextsByPosition = []
  const recall = (position: number) => texts.recall(kept, { position, changed: undefined })
  const keep = (position: number) => {
    const text = `"${String(position).padStart(798, 'é')}"`
    return texts.keep({ collection: kept, position, changed: undefined, text, hashes: [1, 1] })
  }
  return { texts, kept, recall, show: (position: number) => recall(position) ?? keep(position) }
}

it('drops single texts beyond its capacity, but not recently used ones', () => {
  const { kept, recall, show } = keepTexts()

  for (let position = 0; position < 40_000; position++) {
    show(position)
    if (position > 100) show(position % 100)
  }

  const held = kept.filter((text) => text !== undefined).length
  expect(held).toBeGreaterThan(9_000)
  expect(held).toBeLessThan(11_000)
  expect(Array.from({ length: 100 }, (_, position) => recall(position)?.text)).not.toContain(undefined)
  expect(show(7).text).toBe(`"${'7'.padStart(798, 'é')}"`)
})

const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString()

/** A way to put pages together whose texts stand at many places: every third was shown first. */
function joinPages() {
  const { texts, show } = keepTexts()
  for (let position = 0; position < 3_000; position += 3) show(position)
  const pageOf = (first: number) => Array.from({ length: 20 }, (_, at) => show(first + at))
  const join = (first: number) => texts.join(pageOf(first), ['{"data":[', ']}'])
  const expected = (first: number) => JSON.stringify({ data: pageOf(first).map(({ text }) => JSON.parse(text)) })
  return { show, join, expected }
}

it('leaves a body as it is that was not given back, whatever comes after it', () => {
  const { show, join, expected } = joinPages()
  const page = expected(40)

  const once = join(40)
  const again = join(40)
  const one = show(41).bytes
  for (let first = 0; first < 30_000; first += 10) {
    const { giveBack } = join(first)
    if (first % 30 !== 0) giveBack()
  }

  for (const body of [once, again, join(40)]) expect(textOf(body)).toBe(page)
  expect(Buffer.from(one).toString()).toBe(`"${'41'.padStart(798, 'é')}"`)
})

it('puts bodies together in the memory of those that were given back', () => {
  const { join, expected } = joinPages()
  const memories = new Set<ArrayBufferLike>()

  for (let first = 0; first < 3_000; first += 10) {
    const lent = [join(first), join(first + 10), join(first + 20)]
    for (const { body } of lent) memories.add(body.buffer)
    expect(lent.map(textOf)).toEqual([first, first + 10, first + 20].map(expected))
    for (const { giveBack } of lent) giveBack()
  }

  expect(memories.size).toBeLessThanOrEqual(3)
})

it('puts together no record, and one that is larger than a chunk', () => {
  const { texts, kept } = keepTexts()
  const long = 'x'.repeat(1_000_000)

  const shown = texts.keep({ collection: kept, position: 0, changed: undefined, text: long, hashes: [1, 1] })

  expect(textOf(texts.join([], ['[', ']']))).toBe('[]')
  expect(textOf(texts.join([shown], ['[', ']']))).toBe(`[${long}]`)
})
