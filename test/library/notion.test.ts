import { Client, LogLevel } from '@notionhq/client'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'

const text = (content: string) => [{ text: { content } }]

async function open() {
  const simulation = await createSimulation('notion', { webhooks: false, epoch: '2026-03-18T09:30:45Z' })
  const notion = new Client({ auth: simulation.key, baseUrl: simulation.url, retry: false, logLevel: LogLevel.ERROR })
  const { id } = await notion.pages.create({
    parent: { type: 'workspace', workspace: true },
    properties: { title: { title: text('Home') } },
  })
  return { simulation, notion, home: id }
}

it('filters and sorts by every type of property', async () => {
  const { notion, home } = await open()
  const database = await notion.databases.create({
    parent: { type: 'page_id', page_id: home },
    initial_data_source: {
      properties: {
        Name: { title: {} },
        Note: { rich_text: {} },
        Points: { number: {} },
        Size: { select: { options: [{ name: 'S' }, { name: 'L' }] } },
        State: { status: {} },
        Tags: { multi_select: {} },
        Due: { date: {} },
        Who: { people: {} },
        Done: { checkbox: {} },
        Site: { url: {} },
        Mail: { email: {} },
        Phone: { phone_number: {} },
        Proof: { files: {} },
        Key: { unique_id: { prefix: 'T' } },
        Made: { created_time: {} },
        Maker: { created_by: {} },
      },
    },
  })
  const data_source_id = 'data_sources' in database ? String(database.data_sources[0]?.id) : ''
  const { id: me } = await notion.users.me({})
  await notion.dataSources.update({
    data_source_id,
    properties: { Of: { relation: { data_source_id, single_property: {} } } },
  })
  const first = await notion.pages.create({
    parent: { data_source_id },
    properties: {
      Name: { title: text('a') },
      Note: { rich_text: text('Wet paint') },
      Points: { number: 3 },
      Size: { select: { name: 'L' } },
      State: { status: { name: 'Done' } },
      Tags: { multi_select: [{ name: 'red' }, { name: 'blue' }] },
      Due: { date: { start: '2026-03-17' } },
      Who: { people: [{ id: me }] },
      Done: { checkbox: true },
      Site: { url: 'https://a.test' },
      Mail: { email: 'a@a.test' },
      Phone: { phone_number: '+1' },
      Proof: { files: [{ name: 'x', external: { url: 'https://a.test/x' } }] },
    },
  })
  await notion.pages.create({
    parent: { data_source_id },
    properties: {
      Name: { title: text('b') },
      Points: { number: 7 },
      Size: { select: { name: 'S' } },
      Due: { date: { start: '2026-04-01T10:00:00+02:00' } },
      Of: { relation: [{ id: first.id }] },
    },
  })
  await notion.pages.create({ parent: { data_source_id }, properties: { Name: { title: text('c') } } })
  const ask = async (query: object) => {
    const { results } = await notion.request<{
      results: { properties: { Name: { title: { plain_text: string }[] } } }[]
    }>({
      path: `data_sources/${data_source_id}/query`,
      method: 'post',
      body: query as Record<string, unknown>,
    })
    return results.map(({ properties }) => properties.Name.title[0]?.plain_text).join('')
  }
  const where = (property: string, condition: object) => ask({ filter: { property, ...condition } })

  const found = {
    titleStarts: await where('Name', { title: { starts_with: 'A' } }),
    titleEquals: await where('Name', { title: { equals: 'A' } }),
    noteLacks: await where('Note', { rich_text: { does_not_contain: 'PAINT' } }),
    noteEnds: await where('Note', { rich_text: { ends_with: 'paint' } }),
    atMost: await where('Points', { number: { less_than_or_equal_to: 3 } }),
    noPoints: await where('Points', { number: { is_empty: true } }),
    notLarge: await where('Size', { select: { does_not_equal: 'L' } }),
    state: await where('State', { status: { equals: 'Done' } }),
    notRed: await where('Tags', { multi_select: { does_not_contain: 'red' } }),
    pastWeek: await where('Due', { date: { past_week: {} } }),
    beforeToday: await where('Due', { date: { before: 'today' } }),
    atTime: await where('Due', { date: { equals: '2026-04-01T08:00:00Z' } }),
    mine: await where('Who', { people: { contains: 'me' } }),
    undone: await where('Done', { checkbox: { does_not_equal: true } }),
    site: await where('Site', { url: { is_not_empty: true } }),
    mail: await where('Mail', { email: { contains: 'A@' } }),
    phone: await where('Phone', { phone_number: { equals: '+1' } }),
    proof: await where('Proof', { files: { is_not_empty: true } }),
    key: await where('Key', { unique_id: { greater_than: 2 } }),
    made: await where('Made', { created_time: { on_or_after: '2026-03-18' } }),
    maker: await where('Maker', { created_by: { contains: me } }),
    of: await where('Of', { relation: { contains: first.id.replaceAll('-', '') } }),
    edited: await ask({ filter: { timestamp: 'last_edited_time', last_edited_time: { before: '2026-03-18' } } }),
    either: await ask({
      filter: {
        or: [
          { property: 'Points', number: { equals: 7 } },
          {
            and: [
              { property: 'Done', checkbox: { equals: true } },
              { property: 'Size', select: { equals: 'L' } },
            ],
          },
        ],
      },
    }),
    byPoints: await ask({ sorts: [{ property: 'Points', direction: 'descending' }] }),
    bySize: await ask({ sorts: [{ property: 'Size', direction: 'ascending' }] }),
    byTwo: await ask({
      sorts: [
        { timestamp: 'created_time', direction: 'descending' },
        { property: 'Name', direction: 'ascending' },
      ],
    }),
  }

  expect(found).toEqual({
    titleStarts: 'a',
    titleEquals: '',
    noteLacks: 'cb',
    noteEnds: 'a',
    atMost: 'a',
    noPoints: 'c',
    notLarge: 'cb',
    state: 'a',
    notRed: 'cb',
    pastWeek: 'a',
    beforeToday: 'a',
    atTime: 'b',
    mine: 'a',
    undone: 'cb',
    site: 'a',
    mail: 'a',
    phone: 'a',
    proof: 'a',
    key: 'c',
    made: 'cba',
    maker: 'cba',
    of: 'b',
    edited: '',
    either: 'ba',
    byPoints: 'bac',
    bySize: 'bac',
    byTwo: 'abc',
  })
  await expect(where('Points', { number: { contains: 1 } })).rejects.toMatchObject({ code: 'validation_error' })
  await expect(where('Nothing', { number: { equals: 1 } })).rejects.toThrow('Could not find property')
})

it('refuses what is too long, too deep, and of a type that cannot be', async () => {
  const { notion, home } = await open()
  const append = (children: object[]) =>
    notion.request({ path: `blocks/${home}/children`, method: 'patch', body: { children } })
  const paragraph = (content: string, children: object[] = []) => ({
    paragraph: { rich_text: text(content), children },
  })

  const refused = await Promise.allSettled([
    append([paragraph('x'.repeat(2_001))]),
    append([paragraph('1', [paragraph('2', [paragraph('3', [paragraph('4')])])])]),
    append(Array.from({ length: 101 }, () => paragraph('x'))),
    append([{ poem: {} }]),
    notion.pages.update({ page_id: home, properties: { title: { number: 1 } } }),
    notion.pages.move({ page_id: home, parent: { page_id: home } }),
  ])
  const { results } = await notion.blocks.children.list({ block_id: home })

  expect(refused.map((answer) => answer.status === 'rejected' && answer.reason.code)).toEqual(
    Array.from({ length: 6 }, () => 'validation_error'),
  )
  expect(results).toEqual([])
})

it('shows times of the clock of the simulation, to the minute, and pages below pages as blocks', async () => {
  const { simulation, notion, home } = await open()
  await simulation.fastForward({ hours: 2 })

  const child = await notion.pages.create({
    parent: { page_id: home },
    properties: { title: { title: text('Child') } },
  })
  await notion.blocks.children.append({
    block_id: home,
    children: [{ toggle: { rich_text: [], children: [{ toggle: { rich_text: [], children: [{ divider: {} }] } }] } }],
  })
  const list = await simulation.fetch('/v1/users', { headers: { 'Notion-Version': '2025-09-03' } })

  expect(await list.json()).toMatchObject({ request_id: list.headers.get('x-notion-request-id') })
  expect(await notion.pages.retrieve({ page_id: home })).toMatchObject({
    created_time: '2026-03-18T09:30:00.000Z',
    last_edited_time: '2026-03-18T11:30:00.000Z',
  })
  expect((await notion.blocks.children.list({ block_id: home })).results).toMatchObject([
    { id: child.id, type: 'child_page', child_page: { title: 'Child' } },
    { type: 'toggle', has_children: true },
  ])
})

it('names what holds a row or a page in its event, and changes the content of the data source', async () => {
  const { simulation, notion, home } = await open()
  const database = await notion.databases.create({ parent: { type: 'page_id', page_id: home } })
  const data_source_id = 'data_sources' in database ? String(database.data_sources[0]?.id) : ''

  const row = await notion.pages.create({ parent: { data_source_id }, properties: { Name: { title: text('a') } } })

  const data = { parent: { id: database.id, type: 'database', data_source_id } }
  const happenings = await simulation.records('happenings')
  expect(happenings).toContainEqual(
    expect.objectContaining({ type: 'page.created', entity: { id: row.id, type: 'page' }, data }),
  )
  expect(happenings).toContainEqual(
    expect.objectContaining({
      type: 'data_source.content_updated',
      entity: { id: data_source_id, type: 'data_source' },
      data: { parent: { id: database.id, type: 'database' }, updated_blocks: [{ id: row.id, type: 'page' }] },
    }),
  )
  expect(happenings).toContainEqual(
    expect.objectContaining({
      entity: { id: home, type: 'page' },
      data: { parent: { id: expect.any(String), type: 'space' } },
    }),
  )
})

it('refuses a body that is no JSON', async () => {
  const { simulation } = await open()
  const headers = { 'Notion-Version': '2025-09-03', 'Content-Type': 'application/json' }

  const answer = await simulation.fetch('/v1/pages', { method: 'POST', headers, body: '{nope' })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'invalid_json', message: 'Error parsing JSON body.' })
})
