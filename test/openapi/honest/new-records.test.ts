import { expect, it } from 'vitest'
import { answers, describeApi, inPath, list, object, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'
import { describeResources, MOMENT, oneOf, type Resource, TEXT, WHOLE } from './resource.ts'

const simulation = simulations()

const flag = { type: 'boolean' }
const money = { type: 'integer', minimum: 0 }
const optionalMoment = { type: 'string', format: 'date-time' }

const donations: Resource = {
  required: ['status', 'amount', 'amount_refunded', 'receipt_sent', 'created_at'],
  fields: {
    status: oneOf('pledged', 'collected', 'refunded'),
    amount: money,
    amount_refunded: money,
    receipt_sent: flag,
    thanked_at: MOMENT,
    last_contacted_at: MOMENT,
    refunded_at: optionalMoment,
    created_at: optionalMoment,
  },
  sent: { amount: money, gift_aid: { type: 'boolean', default: false } },
}
const courses: Resource = {
  required: ['state', 'language', 'seats', 'enrolledCount', 'averageRating', 'revenue', 'cancelAtTermEnd'],
  fields: {
    title: TEXT,
    state: oneOf('active', 'full', 'closed'),
    language: TEXT,
    seats: WHOLE,
    enrolledCount: WHOLE,
    averageRating: { type: ['number', 'null'] },
    revenue: { type: 'object', required: ['amount', 'currency'], properties: { amount: money, currency: TEXT } },
    cancelAtTermEnd: flag,
    submittedAt: MOMENT,
    publishedAt: MOMENT,
  },
  sent: { title: TEXT, language: { type: 'string', default: 'da' }, seats: { type: 'integer', default: 24 } },
}
const consignments: Resource = {
  required: ['status', 'weight_kg', 'pieces_scanned', 'pieces_on_hand', 'insured'],
  fields: {
    status: oneOf('announced', 'in_transit', 'handed_over'),
    weight_kg: { type: 'number' },
    pieces_scanned: { type: 'integer', minimum: 0 },
    pieces_on_hand: WHOLE,
    insured: flag,
    tracking_number: TEXT,
    tracking_url: { type: 'string', format: 'uri', readOnly: true },
    dispatched_at: optionalMoment,
    handed_over_at: MOMENT,
    driver_id: { type: ['string', 'null'], readOnly: true },
  },
  sent: { weight_kg: { type: 'number' }, insured: { type: 'boolean', default: true } },
}

it.each([
  [
    'donations',
    donations,
    { amount: 500 },
    {
      status: 'pledged',
      amount: 500,
      amount_refunded: 0,
      receipt_sent: false,
      thanked_at: null,
      last_contacted_at: null,
    },
    ['refunded_at', 'gift_aid'],
  ],
  [
    'courses',
    courses,
    { title: 'Weaving' },
    {
      state: 'active',
      language: 'da',
      seats: 24,
      enrolledCount: 0,
      averageRating: null,
      revenue: { amount: 0 },
      cancelAtTermEnd: false,
      submittedAt: null,
      publishedAt: null,
    },
    [],
  ],
  [
    'consignments',
    consignments,
    { weight_kg: 3.5 },
    {
      status: 'announced',
      weight_kg: 3.5,
      pieces_scanned: 0,
      pieces_on_hand: 0,
      insured: true,
      handed_over_at: null,
      driver_id: null,
    },
    ['tracking_number', 'tracking_url', 'dispatched_at'],
  ],
] as const)('new %s have nothing that has not happened', async (plural, resource, sent, wanted, absent) => {
  const call = await simulation.of(describeResources({ [plural]: resource }))

  const { body } = await call(`POST /${plural}`, sent)

  expect(body).toMatchObject(wanted)
  expect(Object.keys(body).filter((name) => (absent as readonly string[]).includes(name))).toEqual([])
})

it.each([
  ['donations', donations, { status: 'collected', amount: 5 }, 'collected', 'refunded_at'],
  ['donations', donations, { status: 'refunded', amount: 5 }, 'refunded', 'thanked_at'],
  ['consignments', consignments, { status: 'handed_over', weight_kg: 1 }, 'handed_over', 'driver_id'],
] as const)(
  'new %s in a sent status have the times of that status alone (%#)',
  async (plural, resource, sent, status, absent) => {
    const { fields } = resource
    const call = await simulation.of(describeResources({ [plural]: { ...resource, sent: fields } }))

    const { body } = await call(`POST /${plural}`, sent)

    const field = `${status}_at`
    expect([body.status, body[absent] ?? null]).toEqual([status, null])
    if (field in fields) expect(typeof body[field]).toBe('string')
  },
)

it.each([
  ['recipes', 'name', 'Mealie'],
  ['articles', 'title', 'RealWorld'],
  ['wikis', 'title', 'GitLab'],
])('the key of new %s is the slug of their %s, as %s makes it', async (plural, name) => {
  const record = object({ id: 'string', slug: 'string', [name]: 'string' })
  const call = await simulation.of(
    describeApi({
      [`/${plural}`]: {
        get: answers(list(record)),
        post: { ...takes(object({ [name]: 'string' })), ...answers(record) },
      },
      [`/${plural}/{slug}`]: { ...inPath('slug'), get: answers(record) },
    }),
  )

  const made = await call(`POST /${plural}`, { [name]: 'Winter Soup' })
  const second = await call(`POST /${plural}`, { [name]: 'Winter Soup' })
  const read = await call(`GET /${plural}/winter-soup`)

  expect([made.body.slug, read.body]).toEqual(['winter-soup', made.body])
  expect(second.body.slug).not.toBe('winter-soup')
})

it('gives slugs that are free below their parent and in the same request, and that fit', async () => {
  const tag = object({ slug: { type: 'string', maxLength: 6 }, name: 'string' })
  const tags = { get: answers(list(tag)), post: { ...takes(object({ name: 'string' })), ...answers(tag) } }
  const call = await simulation.of(
    describeApi({
      '/sites': { get: answers(list(object({ id: 'string' }))) },
      '/sites/{siteId}': { ...inPath('siteId'), get: answers(object({ id: 'string' })) },
      '/sites/{siteId}/tags': { ...inPath('siteId'), ...tags },
      '/sites/{siteId}/tags/{slug}': { ...inPath('siteId', 'slug'), get: answers(tag) },
      '/labels': tags,
      '/labels/bulk': { post: { ...takes(list(object({ name: 'string' }))), ...answers(list(tag)) } },
      '/labels/{slug}': { ...inPath('slug'), get: answers(tag) },
    }),
    { tags: 0, labels: 0, sites: 2 },
  )
  const sites = (await call('GET /sites')).body
  const add = async (path: string, name: string) => (await call(`POST ${path}`, { name })).body.slug

  const below = [await add(`/sites/${sites[0].id}/tags`, 'Red'), await add(`/sites/${sites[1].id}/tags`, 'Red')]
  const together = await call('POST /labels/bulk', [{ name: 'Red' }, { name: 'Red' }])
  const long = await add('/labels', 'Burgundy')

  expect(below).toEqual(['red', 'red'])
  expect(together.body).toMatchObject([{ slug: 'red' }, { slug: expect.not.stringMatching(/^red$/) }])
  expect(long.length).toBeLessThanOrEqual(6)
})
