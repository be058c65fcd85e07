import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fits } from '../../src/schema/checker.ts'
import { object, schemaOf } from './describe-api.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

it('reads null in every dialect', () => {
  const text = { type: 'string' }

  expect(schemaOf({ type: ['string', 'null'] }).nullable).toBe(true)
  expect(schemaOf({ type: 'string', nullable: true }, {}, true).nullable).toBe(true)
  expect(schemaOf({ type: 'string', 'x-nullable': true }, {}, true).nullable).toBe(true)
  expect(schemaOf({ anyOf: [text, { type: 'null' }] }).nullable).toBe(true)
  expect(schemaOf({ oneOf: [{ enum: [null] }, text] }).nullable).toBe(true)
  expect(schemaOf({ enum: ['a', null] }).nullable).toBe(true)
  expect(schemaOf(text).nullable).toBe(false)
  expect(schemaOf({ allOf: [ref('A')], nullable: true }, { A: text }, true).nullable).toBe(true)
  expect(schemaOf({ allOf: [ref('A'), ref('B')] }, { A: { type: ['string', 'null'] }, B: text }).nullable).toBe(false)
})

it('takes a choice of one thing or null as that thing', () => {
  const schema = schemaOf({ anyOf: [ref('A'), { type: 'null' }] }, { A: object({ id: 'string' }) })

  expect(schema.variants).toBeUndefined()
  expect([...schema.properties.keys()]).toEqual(['id'])
})

it('knows where null fits by the letter', () => {
  expect(schemaOf({ type: 'string', nullable: true }, {}, true).nullableByLetter).toBe(true)
  expect(schemaOf({ type: 'string', nullable: true }, {}, false).nullableByLetter).toBe(false)
  expect(
    schemaOf({ $ref: '#/components/schemas/A', nullable: true }, { A: { type: 'string' } }, true).nullableByLetter,
  ).toBe(false)
  expect(schemaOf({ type: 'string', nullable: true, enum: ['a'] }, {}, true).nullableByLetter).toBe(false)
  expect(schemaOf({ type: ['string', 'null'], enum: ['a', 'b'] }).nullableByLetter).toBe(false)
  expect(schemaOf({ type: ['string', 'null'] }).nullableByLetter).toBe(true)
})

it('lets only null in where null is all that is allowed', () => {
  const schema = schemaOf({ type: 'null' })

  expect(schema.enum).toEqual([])
  expect(schema.nullable).toBe(true)
})

it('merges allOf: bounds narrow, lists of required join, the last word counts where parts contradict', () => {
  const schema = schemaOf({
    allOf: [
      { type: 'number', minimum: 1, maximum: 10, title: 'First' },
      { type: 'integer', minimum: 3, exclusiveMaximum: 9, title: 'Second' },
    ],
  })
  const conflict = schemaOf({
    allOf: [
      { type: 'string', enum: ['a', 'b'] },
      { type: 'boolean', enum: [true] },
    ],
  })

  expect(schema).toMatchObject({ types: ['integer'], minimum: 3, maximum: 10, exclusiveMaximum: 9, title: 'Second' })
  expect(conflict).toMatchObject({ types: ['boolean'], enum: [true] })
})

it('merges a property that several parts of an allOf describe', () => {
  const schema = schemaOf({
    allOf: [
      object({ kind: { type: 'string', enum: ['a', 'b'] }, size: 'integer' }, { required: ['kind'] }),
      object({ kind: { enum: ['b'] } }, { required: ['size'] }),
    ],
  })

  expect(schema.properties.get('kind')).toMatchObject({ types: ['string'], enum: ['b'] })
  expect([...schema.required]).toEqual(['kind', 'size'])
})

it('reads boolean and numeric exclusive bounds alike', () => {
  expect(schemaOf({ type: 'integer', minimum: 1, exclusiveMinimum: true })).toMatchObject({
    minimum: undefined,
    exclusiveMinimum: 1,
  })
  expect(schemaOf({ type: 'integer', exclusiveMinimum: 1 })).toMatchObject({ minimum: undefined, exclusiveMinimum: 1 })
})

it('reads const as an enum of one, and infers types that are not written', () => {
  expect(schemaOf({ const: 'x' })).toMatchObject({ enum: ['x'], types: ['string'] })
  expect(schemaOf({ properties: { a: {} } }).types).toEqual(['object'])
  expect(schemaOf({ items: {} }).types).toEqual(['array'])
  expect(schemaOf({ format: 'date-time' }).types).toEqual(['string'])
  expect(schemaOf({}).types).toEqual([])
})

it('ignores keywords next to a reference before 3.1, and applies them since', () => {
  const components = { Amount: object({ value: 'number' }) }
  const raw = { $ref: '#/components/schemas/Amount', type: 'number' }

  expect(schemaOf(raw, components, true).types).toEqual(['object'])
  expect(schemaOf({ ...raw, type: 'object', minProperties: 1 }, components, false).minProperties).toBe(1)
  const lifted = { allOf: [{ type: 'string', readOnly: true }, { readOnly: false }] }
  expect(schemaOf(lifted).readOnly).toBe(false)
  expect(schemaOf({ $ref: '#/components/schemas/Amount', readOnly: true }, components, true)).toMatchObject({
    readOnly: true,
    name: 'Amount',
  })
})

it('is the same object for the same raw schema, however it is reached', () => {
  const schema = schemaOf(object({ a: ref('A'), b: ref('Alias') }), { A: { type: 'string' }, Alias: ref('A') })

  expect(schema.properties.get('a')).toBe(schema.properties.get('b'))
})

it('goes round cycles lazily', () => {
  const schema = schemaOf(ref('Node'), {
    Node: object({ next: ref('Node'), children: { type: 'array', items: ref('Node') } }),
  })

  expect(schema.properties.get('next')).toBe(schema)
  expect(schema.properties.get('children')?.items).toBe(schema)
})

it('takes a schema that includes itself once', () => {
  const schema = schemaOf(ref('A'), { A: { allOf: [ref('A'), object({ id: 'string' })] } })

  expect([...schema.properties.keys()]).toEqual(['id'])
})

it('completes variants with the keywords next to the choice', () => {
  const schema = schemaOf({ ...object({ id: 'string' }), anyOf: [{ required: ['a'] }, object({ b: 'string' })] })

  expect(schema.variantRule).toBe('anyOf')
  expect(schema.variants?.map((variant) => [[...variant.properties.keys()], [...variant.required]])).toEqual([
    [['id'], ['a']],
    [['id', 'b'], []],
  ])
})

it('narrows the discriminator of each variant to the values that mean it', () => {
  const components = {
    Cat: object({ kind: 'string', lives: 'integer' }),
    Dog: object({ kind: 'string' }),
  }
  const schema = schemaOf(
    {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    components,
  )

  expect(schema.discriminator?.property).toBe('kind')
  expect(schema.discriminator?.mapping.get('cat')?.name).toBe('Cat')
  expect(schema.variants?.map(({ name, properties }) => [name, properties.get('kind')?.enum])).toEqual([
    ['Cat', ['cat']],
    ['Dog', ['dog']],
  ])
})

it('names variants by their components where a discriminator has no mapping', () => {
  const schema = schemaOf(
    { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    { Cat: object({ kind: 'string' }), Dog: object({ kind: 'string' }) },
  )

  expect(schema.variants?.map(({ properties }) => properties.get('kind')?.enum)).toEqual([['Cat'], ['Dog']])
})

it('gives a component with an inherited discriminator its own value, and not its parent’s choice', () => {
  const schema = schemaOf(ref('Cat'), {
    Pet: {
      ...object({ kind: 'string' }),
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    },
    Cat: { allOf: [ref('Pet'), object({ lives: 'integer' })] },
    Dog: { allOf: [ref('Pet')] },
  })

  expect(schema.variants).toBeUndefined()
  expect(schema.properties.get('kind')?.enum).toEqual(['cat'])
})

it('reads items without a type, given as a list, as a choice', () => {
  const schema = schemaOf({ items: [object({ id: 'string' }), { type: 'null' }] })

  expect(schema.types).toEqual(['object'])
  expect(schema.nullable).toBe(true)
  expect(schema.items).toBeUndefined()
})

it('treats an alias that is only a name for another as the other', () => {
  const schema = schemaOf(ref('Alias'), {
    Alias: { description: 'x', $ref: '#/components/schemas/A' },
    A: object({ id: 'string' }),
  })

  expect(schema.name).toBe('A')
})

it('follows a pointer through a component that is a reference, whatever its last name', () => {
  const components = {
    A: { $ref: '#/components/schemas/B' },
    B: { type: 'object', properties: { A: { type: 'integer' } } },
  }

  expect(schemaOf({ $ref: '#/components/schemas/A/properties/A' }, components as never).types).toEqual(['integer'])
})

it('knows that no value has types that exclude each other', () => {
  const parts = (...allOf: JsonObject[]): boolean => schemaOf({ allOf }).isContradictory

  expect(parts({ type: 'object' }, { type: 'integer' })).toBe(true)
  expect(parts({ type: 'string' }, { type: 'null' })).toBe(true)
  expect(schemaOf({ type: 'array', items: { type: 'string' }, enum: ['safe', 'unsafe'] }).isContradictory).toBe(true)
  expect(parts({ type: 'number' }, { type: 'integer' })).toBe(false)
  expect(schemaOf({ type: ['string', 'null'], enum: ['safe', null] }).isContradictory).toBe(false)
})

it('does not require what a closed schema does not declare, and takes values of the declared type from an enum', () => {
  const closed = schemaOf(object({ name: 'string' }, { required: ['name', 'naem'], additionalProperties: false }))

  expect([...closed.required]).toEqual(['name'])
  expect([...schemaOf({ ...closed.raw, additionalProperties: true }).required]).toEqual(['name', 'naem'])
  expect(schemaOf({ type: 'string', enum: [{ override: true }, 'delayed'] }).enum).toEqual(['delayed'])
})

it('takes no more properties where no value fits them', () => {
  expect(schemaOf(object({ name: 'string' }, { additionalProperties: { not: {} } })).additionalProperties).toBe(false)
  expect(schemaOf(object({ name: 'string' }, { unevaluatedProperties: { not: {} } })).additionalProperties).toBe(false)
  const other = { not: { type: 'string' } }
  expect(schemaOf(object({ name: 'string' }, { additionalProperties: other })).additionalProperties).not.toBe(false)
})

it('lets unevaluatedProperties pass what an alternative declares', () => {
  const alternatives = [object({ card: 'string' }), object({ account: 'string' })]
  const source = schemaOf({ unevaluatedProperties: false, anyOf: alternatives })

  expect(fits(source, { account: 'DE1' })).toBe(true)
  expect(fits(schemaOf({ additionalProperties: false, anyOf: alternatives }), { account: 'DE1' })).toBe(false)
})
