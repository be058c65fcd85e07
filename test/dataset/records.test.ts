import { expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/protocol/json.ts'
import { cities } from '../../src/service/dataset/words/place.ts'
import { datasetOf, EPOCH, SHOP, tableOf } from './shop.ts'

function recordsOf(name: string, count = 60): JsonObject[] {
  const table = tableOf(datasetOf(SHOP, { volume: { [name]: count } }), name)
  return Array.from({ length: table.size }, (_, index) => table.recordAt(index))
}

it('points every relation to a record that exists', () => {
  const dataset = datasetOf(SHOP, { volume: { orders: 200 } })
  const customers = tableOf(dataset, 'customers')
  const orders = tableOf(dataset, 'orders')

  const missing = Array.from({ length: 200 }, (_, index) => orders.recordAt(index).customer_id).filter(
    (id) => customers.indexOf(String(id)) === undefined,
  )

  expect(missing).toEqual([])
})

it('gives a child the id of its parent, and every parent children', () => {
  const dataset = datasetOf(SHOP, { volume: { projects: 7, tasks: 50 } })
  const projects = tableOf(dataset, 'projects')
  const tasks = tableOf(dataset, 'tasks')

  for (let index = 0; index < tasks.size; index++) {
    const parent = tasks.parentAt(index)
    expect(parent).toBeDefined()
    expect(tasks.recordAt(index).project_id).toBe(Number(projects.keyAt(parent as number)))
  }
  const counts = Array.from({ length: 7 }, (_, parent) => tasks.childrenOf(parent).length)
  expect(counts.reduce((sum, count) => sum + count)).toBe(50)
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(7)
})

it('counts the children of a parent off without a scan', () => {
  const tasks = tableOf(datasetOf(SHOP, { volume: { projects: 1_000, tasks: 1_000_000 } }), 'tasks')

  const children = tasks.childrenOf(17)

  expect(children).toHaveLength(1_000)
  expect(children.filter((index) => tasks.parentAt(index) !== 17)).toEqual([])
})

it('never updates a record before it was created, and nothing after the epoch', () => {
  for (const name of ['customers', 'orders', 'tasks']) {
    for (const record of recordsOf(name)) {
      const [created, updated] = [Date.parse(String(record.created_at)), Date.parse(String(record.updated_at))]
      expect(updated).toBeGreaterThanOrEqual(created)
      expect(updated).toBeLessThan(EPOCH)
    }
  }
})

it('lists the newest record first', () => {
  const created = recordsOf('orders').map((record) => Date.parse(String(record.created_at)))

  expect(created).toEqual(created.toSorted((left, right) => right - left))
})

it('says when a task was completed exactly where its status is done', () => {
  const tasks = recordsOf('tasks', 120)

  expect(tasks.filter(({ status, completed_at }) => (status === 'done') !== (completed_at !== null))).toEqual([])
  expect(new Set(tasks.map(({ status }) => status)).size).toBe(3)
})

it('lets older records be further in their lives than newer ones', () => {
  const tasks = recordsOf('tasks', 400)
  const done = (records: JsonObject[]) => records.filter(({ status }) => status === 'done').length

  expect(done(tasks.slice(200))).toBeGreaterThan(done(tasks.slice(0, 200)) * 1.3)
})

it('sums an order from its lines', () => {
  for (const { lines, subtotal, tax, total } of recordsOf('orders')) {
    const amounts = (lines as JsonObject[]).map(({ quantity, unit_price, amount }) => {
      expect(amount).toBe(Number(quantity) * Number(unit_price))
      return Number(amount)
    })
    expect(subtotal).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
    expect(total).toBe(Number(subtotal) + Number(tax))
  }
})

it('derives the address from the name, and no two people share one', () => {
  const customers = recordsOf('customers', 500)

  for (const { first_name, last_name, email } of customers) {
    expect(email).toContain(`${String(first_name)}.${String(last_name)}@`.toLowerCase())
  }
  expect(new Set(customers.map(({ email }) => email)).size).toBe(500)
})

it.each(['coaches', 'nurses', 'sales_reps'])('names %s as people', (name) => {
  const text = { type: 'string' }
  const schema = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }
  const table = tableOf(datasetOf({ [name]: schema }), name)

  for (let index = 0; index < 10; index++) expect(table.recordAt(index).name).not.toMatch(/coach|nurse|rep\b/i)
})

it('puts every city in its country', () => {
  const countries = new Map(cities().map(({ name, country }) => [name, country.code]))

  for (const { city, country } of recordsOf('customers')) expect(country).toBe(countries.get(String(city)))
})

it('numbers orders like a business does', () => {
  for (const { number, created_at } of recordsOf('orders')) {
    expect(number).toMatch(new RegExp(`^ORD-${String(created_at).slice(0, 4)}-\\d{4}$`))
  }
})

it('writes titles that read like tasks, few of them twice, and no filler text', () => {
  const tasks = recordsOf('tasks', 100)

  expect(new Set(tasks.map(({ title }) => title)).size).toBeGreaterThan(90)
  for (const task of tasks) {
    expect(String(task.title)).toMatch(/^[A-Z][\w-]+ .{4,}/)
    expect(JSON.stringify(task)).not.toMatch(/lorem|ipsum|dolor sit|string\b"|\bundefined\b|\bNaN\b/i)
  }
})

it('shows a record inside another one unchanged', () => {
  const author = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const users = {
    type: 'object',
    required: ['id', 'name', 'email'],
    properties: { id: { type: 'integer' }, name: { type: 'string' }, email: { type: 'string', format: 'email' } },
  }
  const posts = {
    type: 'object',
    required: ['id', 'user'],
    properties: { id: { type: 'integer' }, user: author, title: { type: 'string' } },
  }
  const dataset = datasetOf({ users, posts })
  const [people, articles] = [tableOf(dataset, 'users'), tableOf(dataset, 'posts')]

  for (let index = 0; index < articles.size; index++) {
    const { user } = articles.recordAt(index)
    const id = isJsonObject(user) ? user.id : undefined
    const at = people.indexOf(String(id))
    expect(at).toBeDefined()
    expect(user).toEqual({ id, name: people.valueAt(at as number, ['name']) })
  }
})

it('gives a reference the id of the object beside it', () => {
  const seat = { type: 'object', required: ['id'], properties: { id: { type: 'string' }, row: { type: 'integer' } } }
  const bookings = {
    type: 'object',
    required: ['id', 'seat', 'seat_id'],
    properties: { id: { type: 'integer' }, seat_id: { type: 'string' }, seat },
  }

  const { seat: shown, seat_id: id } = tableOf(datasetOf({ bookings }), 'bookings').recordAt(0)

  expect(shown).toMatchObject({ id })
})

it('puts given records first, with what they leave out generated', () => {
  const given = [{ id: 900, title: 'Call the bank', status: 'done' }, { title: 'Water the plants' }]
  const tasks = tableOf(datasetOf(SHOP, { volume: { tasks: 3 }, seedRecords: { tasks: given } }), 'tasks')

  expect(tasks.size).toBe(5)
  expect(tasks.recordAt(0)).toMatchObject({
    id: 900,
    title: 'Call the bank',
    status: 'done',
    completed_at: expect.any(String),
  })
  expect(tasks.recordAt(1)).toMatchObject({ id: 4, title: 'Water the plants', created_at: expect.any(String) })
  expect(tasks.indexOf('900')).toBe(0)
})

it('gives a generated record another id where a given record has taken it', () => {
  const given = [{ id: 1 }, { id: 2 }]
  const tasks = tableOf(datasetOf(SHOP, { volume: { tasks: 3 }, seedRecords: { tasks: given } }), 'tasks')

  const keys = [0, 1, 2, 3, 4].map((index) => tasks.keyAt(index))

  expect(new Set(keys).size).toBe(5)
  expect(keys.map((key) => tasks.indexOf(key))).toEqual([0, 1, 2, 3, 4])
})

it('reads an entry of a map by itself as the record shows it', () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' } }
  const things = { type: 'object', required: ['id', 'labels'], properties: { id: { type: 'integer' }, labels } }
  const table = tableOf(datasetOf({ things }), 'things')

  const shown = table.recordAt(0).labels as JsonObject
  const read = Object.keys(shown).map((name) => [name, table.valueAt(0, ['labels', name])])

  expect(read).toHaveLength(2)
  expect(Object.fromEntries(read)).toEqual(shown)
})

it('takes no longer to set up for a million records than for ten', () => {
  const volume = { customers: 1_000_000, orders: 1_000_000, projects: 1_000_000, tasks: 1_000_000 }
  const dataset = datasetOf(SHOP, { volume })

  expect(tableOf(dataset, 'tasks').recordAt(999_999)).toHaveProperty('title')
  expect(tableOf(dataset, 'tasks').size).toBe(1_000_000)
})

it.each([{ minLength: 100_000_000 }, { minLength: 600_000_000, pattern: '^a+$' }, { minLength: 1e12, format: 'uri' }])(
  'makes texts of 65,536 characters at most, whatever the schema asks for: %o',
  (bounds) => {
    const notes = { type: 'object', properties: { id: { type: 'integer' }, body: { type: 'string', ...bounds } } }
    const table = tableOf(datasetOf({ notes }), 'notes')

    const texts = [0, 1, 2, 3, 4].map((index) => table.valueAt(index, ['body']))

    expect(texts.map((text) => String(text).length)).toEqual(texts.map(() => 65_536))
  },
)
