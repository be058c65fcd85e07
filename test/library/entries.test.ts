import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { listEntries, loadEntry } from '../../src/library/built-in-entries.ts'
import { behaviourRequest } from '../../src/protocol/behaviour.ts'
import { toHostPaths } from '../../src/protocol/hosts.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { parsePlan } from '../../src/service/behaviour/parse-plan.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'

/** Those that are like no provider's. */
const SLUGS = ['crm', 'payments', 'task-tracker']

async function load(slug: string) {
  const entry = await loadEntry(slug)
  if (!entry) throw new Error(`Failed to load "${slug}": there is no such entry.`)
  return { ...entry, model: readDescription(entry.openapi) }
}

it('lists the entries by slug', async () => {
  const entries = await listEntries()

  expect(entries.map((entry) => entry.slug)).toEqual(
    [
      ...SLUGS,
      'anthropic',
      'apple',
      'auth0',
      'clerk',
      'discord',
      'gemini',
      'github',
      'google',
      'hubspot',
      'intercom',
      'jira',
      'microsoft',
      'notion',
      'oidc',
      'okta',
      'openai',
      'plaid',
      'resend',
      'sendgrid',
      'slack',
      'square',
      'stripe',
      'twilio',
      'workos',
    ].toSorted(),
  )
})

it('loads nothing for a slug that it does not hold', async () => {
  expect(await loadEntry('no-such-entry')).toBeUndefined()
  expect(await loadEntry('toString')).toBeUndefined()
})

it('names the hosts of each entry that has an SDK, and none twice', async () => {
  const entries = await Promise.all((await listEntries()).map(({ slug }) => loadEntry(slug)))
  const official = entries.filter((entry) => entry?.sdk !== undefined)

  const names = official.flatMap((entry) => Object.keys(toHostPaths(entry?.hosts ?? [])))

  expect(official.filter((entry) => entry?.hosts === undefined).map((entry) => entry?.slug)).toEqual([])
  expect(names).toContain('verify.twilio.com')
  expect(names).toHaveLength(new Set(names).size)
})

it('has a type for each field of a form, whose values are texts otherwise', async () => {
  const entries = await Promise.all((await listEntries()).map(({ slug }) => load(slug)))
  const forms = entries.flatMap(({ slug, model }) =>
    model.operations.flatMap(({ id, requestBody }) => {
      const schema = requestBody?.content.get('application/x-www-form-urlencoded')
      return schema === undefined ? [] : untypedIn(schema, `${slug} ${id} `)
    }),
  )

  expect(forms).toEqual([])
})

/** The fields without a type, with those of objects and lists. */
function untypedIn(schema: Schema, path: string, above: readonly Schema[] = []): string[] {
  if (above.includes(schema)) return []
  const below = [...above, schema]
  const { types, items, fields, variants } = schema
  if (types.length === 0 && variants === undefined) return [path]
  return [
    ...[...fields].flatMap(([name, field]) => untypedIn(field, `${path}.${name}`, below)),
    ...(items === undefined ? [] : untypedIn(items, `${path}[]`, below)),
  ]
}

describe.each(SLUGS)('%s', (slug) => {
  it('is what the table of entries says', async () => {
    const { name, provider, vertical, description, model } = await load(slug)

    const summary = (await listEntries()).find((candidate) => candidate.slug === slug)

    expect(summary).toEqual({ slug, name, provider, vertical, description, operations: model.operations.length })
  })

  it('has 20 to 40 operations, all of which act on its data', async () => {
    const { model } = await load(slug)

    const examples = model.operations.filter(({ effect }) => effect.kind === 'example')

    expect(model.operations.length).toBeGreaterThanOrEqual(20)
    expect(model.operations.length).toBeLessThanOrEqual(40)
    expect(examples.map(({ id }) => id)).toEqual([])
    expect(model.warnings).toEqual([])
  })

  it('refers to nothing that it does not hold', async () => {
    const { openapi } = await load(slug)

    const targets = JSON.stringify(openapi).matchAll(/"\$ref":"#\/([^"]+)"/g)
    const dangling = [...targets].map(([, path = '']) => path).filter((path) => !holds(openapi, path))

    expect(dangling).toEqual([])
  })

  it('has schemas that compile', async () => {
    const { openapi } = await load(slug)
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', ...openapi })

    const { schemas } = openapi.components as { schemas: object }

    expect(Object.keys(schemas).length).toBeGreaterThan(15)
    for (const name of Object.keys(schemas)) {
      expect(ajv.compile({ $ref: `api#/components/schemas/${name}` }), name).toBeTypeOf('function')
    }
  })

  it('has a plan of which every step names collections, fields and values that exist', async () => {
    const { behaviour, model } = await load(slug)

    const { rules } = behaviourRequest.parse({ rules: behaviour })
    const { plan, dropped } = parsePlan(rules, model)

    expect(dropped).toEqual([])
    expect(plan.rules.every(({ steps }) => steps.length > 0)).toBe(true)
    expect(plan.rules.flatMap(({ steps }) => steps.map(({ kind }) => kind))).toEqual(
      expect.arrayContaining(['create', 'transition', 'increment', 'expire', 'delete']),
    )
  })

  it('reads only fields that exist where a step chooses its records', async () => {
    const { behaviour, model } = await load(slug)

    const chosen = behaviour
      .flatMap(({ steps }) => steps)
      .flatMap((step) => Object.keys(('where' in step && step.where) || {}).map((field) => ({ step, field })))
    const unknown = chosen.filter(({ step, field }) => {
      const collection = model.collections.find(({ name }) => name === step.collection)
      return !collection?.schema?.properties.has(field)
    })

    expect(chosen.length).toBeGreaterThan(0)
    expect(unknown).toEqual([])
  })

  it('has a collection behind every field that names another record', async () => {
    const { model } = await load(slug)

    const named = model.collections.flatMap(({ name, schema }) =>
      [...(schema?.properties.keys() ?? [])]
        .filter((field) => /(Ids?|_id)$/.test(field))
        .map((field) => `${name}.${field}`),
    )
    const known = model.collections.flatMap(({ name, relations }) =>
      relations.map(({ field }) => `${name}.${field.join('.')}`),
    )

    expect(named.length).toBeGreaterThan(5)
    expect(known).toEqual(expect.arrayContaining(named))
  })

  it('says for each collection how many records there are', async () => {
    const { model, volume } = await load(slug)

    expect(Object.keys(volume).toSorted()).toEqual(model.collections.map(({ name }) => name).toSorted())
  })
})

function holds(document: unknown, path: string): boolean {
  let value = document
  for (const name of path.split('/')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false
    value = (value as Record<string, unknown>)[name]
  }
  return true
}
