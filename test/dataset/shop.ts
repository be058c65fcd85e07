import type { JsonObject } from '../../src/protocol/json.ts'
import type { Schema } from '../../src/schema/schema.ts'
import { createDataset } from '../../src/service/dataset/create-dataset.ts'
import type { Dataset, DatasetOptions, Table } from '../../src/service/dataset/dataset.ts'
import { readDescription } from '../../src/service/openapi/read-description.ts'

/** World time at the start of all tests here. */
export const EPOCH = Date.UTC(2026, 5, 1, 12)

/** The schema of the records of one collection. */
export function schemaOf(name: string, schemas: Record<string, JsonObject>): Schema {
  const schema = readDescription(describe(schemas)).collections.find((collection) => collection.name === name)?.schema
  if (!schema) throw new Error(`Expected records of "${name}" to have a schema.`)
  return schema
}

/** A dataset over the records of `schemas`: each gets a list, a create and an item path. */
export function datasetOf(schemas: Record<string, JsonObject>, options: Partial<DatasetOptions> = {}): Dataset {
  return createDataset(readDescription(describe(schemas)), {
    seed: 'test',
    epoch: EPOCH,
    volume: {},
    seedRecords: {},
    ...options,
  })
}

/** The table of one collection; fails where there is none. */
export function tableOf(dataset: Dataset, name: string): Table {
  const table = dataset.tables.get(name)
  if (!table) throw new Error(`Expected a table "${name}", got ${[...dataset.tables.keys()].join(', ')}.`)
  return table
}

function describe(schemas: Record<string, JsonObject>): JsonObject {
  const paths: JsonObject = {}
  for (const [path, schema] of Object.entries(schemas)) {
    const json = (of: JsonObject) => ({ content: { 'application/json': { schema: of } } })
    const parameters = parametersOf(path)
    const { 'x-key': key = 'id', ...record } = schema
    paths[`/${path}`] = {
      parameters,
      get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: record }) } } },
      post: { requestBody: json(record), responses: { 201: { description: 'ok', ...json(record) } } },
    }
    paths[`/${path}/{${String(key)}}`] = {
      parameters: [...parameters, ...parametersOf(`{${String(key)}}`)],
      get: { responses: { 200: { description: 'ok', ...json(record) } } },
    }
  }
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths }
}

function parametersOf(path: string): JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name: name as string,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

const text = { type: 'string' }
const moment = { type: 'string', format: 'date-time' }
const uuid = { type: 'string', format: 'uuid' }

/** Customers, orders of theirs with lines, and projects with tasks below them. */
export const SHOP: Record<string, JsonObject> = {
  customers: {
    type: 'object',
    required: ['id', 'first_name', 'last_name', 'email', 'created_at', 'updated_at'],
    properties: {
      id: { type: 'string', example: 'cus_9s6XKzkNRLz8i3' },
      first_name: text,
      last_name: text,
      email: { type: 'string', format: 'email' },
      city: text,
      country: text,
      status: { enum: ['new', 'active', 'suspended'] },
      created_at: moment,
      updated_at: moment,
    },
  },
  orders: {
    type: 'object',
    required: ['id', 'customer_id', 'lines', 'total'],
    properties: {
      id: uuid,
      number: text,
      customer_id: text,
      status: { type: 'string', enum: ['pending', 'paid', 'shipped', 'cancelled'] },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          required: ['quantity', 'unit_price', 'amount'],
          properties: { quantity: { type: 'integer' }, unit_price: { type: 'integer' }, amount: { type: 'integer' } },
        },
      },
      subtotal: { type: 'integer' },
      tax: { type: 'integer' },
      total: { type: 'integer' },
      shipped_at: { type: ['string', 'null'], format: 'date-time' },
      created_at: moment,
      updated_at: moment,
    },
  },
  projects: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: text, description: text, created_at: moment },
  },
  'projects/{project_id}/tasks': {
    type: 'object',
    required: ['id', 'title', 'project_id', 'status'],
    properties: {
      id: { type: 'integer' },
      project_id: { type: 'integer' },
      title: text,
      status: { type: 'string', enum: ['todo', 'in_progress', 'done'], default: 'todo' },
      archived: { type: 'boolean' },
      comments_count: { type: 'integer' },
      tags: { type: 'array', items: text },
      created_at: moment,
      updated_at: moment,
      completed_at: { type: ['string', 'null'], format: 'date-time' },
    },
  },
}
