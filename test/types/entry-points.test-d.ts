import { test as base, type TestType } from '@playwright/test'
import {
  type ApiOf,
  type CleanUpOptions,
  type ConnectionResetOptions,
  createSimulation,
  type ErrorAnswerOptions,
  type FailNextOptions,
  type LatencyOptions,
  type ManagementClientOptions,
  type OfflineOptions,
  type RateLimitOptions,
  type ReceivedRequest,
  type ReceivedWebhook,
  type RequestExpectation,
  type RequestMatch,
  type Simulation,
  type SimulationOptions,
  type WebhookMatch,
} from 'backlot'
import {
  type PlaywrightSimulation,
  expect as playwrightExpect,
  test as playwrightTest,
  simulationFixtures,
  simulationTest,
} from 'backlot/playwright'
import type { ServiceOptions } from 'backlot/service'
import { expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import 'backlot/vitest/matchers'
import { useSimulation, simulationTest as vitestSimulationTest } from 'backlot/vitest'

interface Task {
  title: string
  status: 'todo' | 'done'
}

export async function createsFromEverySource() {
  await createSimulation('crm', { volume: { contacts: 3 }, epoch: new Date(0), webhooks: { events: ['contact.*'] } })
  await createSimulation({ spec: new URL('file:///openapi.yaml') })
  await createSimulation({ spec: { openapi: '3.1.0' } })
  await createSimulation({ existing: 'tasks' })
  await createSimulation({ library: './crm' }, { model: { operations: { 'GET /health': 'example' } } })
  // @ts-expect-error: not a source
  await createSimulation({ folder: './crm' })
  // @ts-expect-error: not an option
  await createSimulation('crm', { volumes: {} })
}

/** Names of optional fields. */
type Optional<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never }[keyof T]
/** Whether all optional fields accept undefined, since a variable of the environment may be undefined. */
type TakesUndefined<T> = { [Name in Optional<T>]: undefined } extends Pick<T, Optional<T>> ? true : Refusing<T>
type Refusing<T> = { [Name in Optional<T>]: undefined extends Required<T>[Name] ? never : Name }[Optional<T>]

export function takesUndefinedForOptionalFields() {
  expectTypeOf<TakesUndefined<SimulationOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<NonNullable<SimulationOptions['service']>>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<NonNullable<SimulationOptions['sink']>>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<RequestMatch>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<RequestExpectation>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<WebhookMatch>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<FailNextOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<LatencyOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<ErrorAnswerOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<RateLimitOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<OfflineOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<ConnectionResetOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<CleanUpOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<ManagementClientOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<ServiceOptions>>().toEqualTypeOf<true>()
  expectTypeOf<TakesUndefined<PlaywrightSimulation<'crm'>>>().toEqualTypeOf<true>()
}

export async function typesTheContentOfWebhooks(tasks: Simulation) {
  const untyped = await tasks.expectWebhook('task.created')
  expectTypeOf(untyped).toExtend<ReceivedWebhook>()

  const typed = await tasks.expectWebhook<Task>('task.created', {
    data: { object: { status: 'done', title: expect.any(String) } },
    where: (webhook) => webhook.data.object.title.length > 0,
  })
  expectTypeOf(typed.data.object.status).toEqualTypeOf<'todo' | 'done'>()

  // @ts-expect-error: no such status
  await tasks.expectWebhook<Task>('task.created', { data: { object: { status: 'gone' } } })

  const parsed = await tasks.expectWebhook('task.created', { schema: z.object({ title: z.string() }) })
  expectTypeOf(parsed.data.object).toEqualTypeOf<{ title: string }>()

  const received = await tasks.expectWebhook<{ of: { [name: string]: unknown } }>('task.created')
  await tasks.webhooks.replay(received, { to: 'http://127.0.0.1:1/' })

  expectTypeOf(await tasks.records<Task>('tasks')).toEqualTypeOf<Task[]>()
}

export async function disposesRules(tasks: Simulation) {
  await using rule = await tasks.addLatency('/tasks*', 50, { jitterMs: 10, method: 'GET' })
  expectTypeOf(rule.id).toEqualTypeOf<string>()
  await using _limit = await tasks.rateLimit(5, 60, { scope: 'key' })
  // @ts-expect-error: no such kind
  await tasks.addRule({ kind: 'slow', config: {} })
}

export function extendsVitest() {
  expectTypeOf(useSimulation({ spec: 'openapi.yaml' })).toEqualTypeOf<Simulation>()
  const withCrm = vitestSimulationTest('crm', { as: 'crm', base: test.extend('answer', 42) })
  withCrm('has it', async ({ answer, crm }) => {
    expectTypeOf(answer).toEqualTypeOf<number>()
    expectTypeOf(crm).toEqualTypeOf<Simulation<ApiOf<never, 'crm'>>>()
    await expect(crm).toHaveReceivedWebhook('contact.created', { count: 2 })
    await expect(crm).not.toHaveReceivedRequest({ method: 'POST', path: /contacts/ })
    await expect(crm).toHaveReceivedRequest(
      { headers: { 'x-a': expect.any(String) }, query: { n: 1, tag: ['a', /b/] }, body: { name: expect.anything() } },
      { count: { min: 1 }, claim: false, withinMs: 5 },
    )
    expectTypeOf((await crm.requests())[0]).toEqualTypeOf<ReceivedRequest | undefined>()
    // @ts-expect-error: a count of none is `expectNoRequest`
    await crm.expectNoRequest({ method: 'POST' }, { count: 0 })
    expect(crm.webhooks.all()[0]).toBeWebhook('contact.*', { collection: 'contacts' })
    expect({}).toEqual({ webhook: expect.toBeWebhook('contact.created') })
  })
  vitestSimulationTest('crm')('has it', ({ simulation }) => {
    expectTypeOf(simulation).toEqualTypeOf<Simulation<ApiOf<never, 'crm'>>>()
  })
  vitestSimulationTest('payments', { as: 'payments', base: withCrm })('has both', ({ crm, payments }) => {
    expectTypeOf(crm).toEqualTypeOf<Simulation<ApiOf<never, 'crm'>>>()
    expectTypeOf(payments).toEqualTypeOf<Simulation<ApiOf<never, 'payments'>>>()
  })
}

export function extendsPlaywright() {
  playwrightTest.use({ simulationSource: 'crm', simulationOptions: { seed: 1 } })
  playwrightTest('has it', async ({ page, simulation }) => {
    expectTypeOf(simulation).toEqualTypeOf<Simulation>()
    await page.goto(simulation.url)
    await playwrightExpect(simulation).toHaveReceivedWebhook('contact.created')
    await playwrightExpect(page).toHaveTitle('x')
  })

  const crm = simulationTest('crm', { as: 'crm' })
  const both = simulationTest('payments', { as: 'payments', base: crm })
  both('has both', async ({ crm, payments, page }) => {
    expectTypeOf(crm).toEqualTypeOf<Simulation<ApiOf<never, 'crm'>>>()
    expectTypeOf(payments).toEqualTypeOf<Simulation<ApiOf<never, 'payments'>>>()
    await page.goto('/')
  })
  expectTypeOf(simulationTest('crm')).toExtend<TestType<object, { simulation: Simulation }>>()

  const extended = base.extend<object, { tasks: Simulation }>(simulationFixtures('task-tracker', { as: 'tasks' }))
  extended('has it', ({ tasks }) => {
    expectTypeOf(tasks).toEqualTypeOf<Simulation>()
  })
}

export async function knowsTheLibraryBySlug(slug: string) {
  const payments = useSimulation('payments', { seed: process.env.SEED })
  const [invoice] = await payments.records('invoices')
  expectTypeOf(invoice?.status).toEqualTypeOf<
    'paid' | 'open' | 'draft' | 'overdue' | 'void' | 'uncollectible' | undefined
  >()
  const updated = await payments.expectWebhook('invoice.updated', { data: { object: { status: 'paid' } } })
  expectTypeOf(updated.data.object.id).toEqualTypeOf<string>()
  const made = await payments.create('invoices', { status: 'open' })
  expectTypeOf(made.id).toEqualTypeOf<string>()
  await payments.update('invoices', made.id, { status: 'paid' })
  // @ts-expect-error: no such status
  await payments.create('invoices', { status: 'opne' })
  // @ts-expect-error: no such field
  await payments.update('invoices', made.id, { staus: 'open' })
  useSimulation('payments', { seedRecords: { invoices: [{ status: 'open' }] } })
  // @ts-expect-error: no such status
  useSimulation('payments', { seedRecords: { invoices: [{ status: 'opne' }] } })
  // @ts-expect-error: no such collection
  await createSimulation('payments', { seedRecords: { invoces: [] } })
  await createSimulation(slug, { seedRecords: { anything: [{ at: 'all' }] } })
  const untyped: Simulation = payments
  expectTypeOf(await createSimulation(slug)).toEqualTypeOf<Simulation>()
  return untyped
}

interface TaskApi {
  records: { tasks: Task }
  events: { 'task.updated': Task; 'task.deleted': Task | null }
}

export async function knowsTheTypesOfAnApi() {
  const tasks = await createSimulation<TaskApi>('task-tracker')
  expectTypeOf(await tasks.records('tasks')).toEqualTypeOf<Task[]>()
  expectTypeOf(await tasks.records<{ id: string }>('projects')).toEqualTypeOf<{ id: string }[]>()

  const updated = await tasks.expectWebhook('task.updated', { data: { object: { status: 'done' } } })
  expectTypeOf(updated).toEqualTypeOf<ReceivedWebhook<Task>>()
  expectTypeOf((await tasks.expectWebhook('task.deleted')).data.object).toEqualTypeOf<Task | null>()
  expectTypeOf(await tasks.expectWebhook<{ a: 1 }>('task.*')).toEqualTypeOf<ReceivedWebhook<{ a: 1 }>>()

  const inVitest = useSimulation<TaskApi>('task-tracker')
  expectTypeOf(inVitest).toEqualTypeOf<Simulation<TaskApi>>()
  await expect(inVitest).toHaveReceivedWebhook('task.updated')
  await playwrightExpect(inVitest).toHaveReceivedWebhook('task.updated')
  const untyped: Simulation = inVitest

  vitestSimulationTest<TaskApi, 'tasks'>('task-tracker', { as: 'tasks' })('has them in Vitest', ({ tasks }) => {
    expectTypeOf(tasks).toEqualTypeOf<Simulation<TaskApi>>()
  })
  simulationTest<TaskApi>('task-tracker')('has them', ({ simulation }) => {
    expectTypeOf(simulation).toEqualTypeOf<Simulation<TaskApi>>()
  })
  simulationTest<TaskApi, 'tasks'>('task-tracker', { as: 'tasks' })('has them by its name', ({ tasks, page }) => {
    expectTypeOf(tasks).toEqualTypeOf<Simulation<TaskApi>>()
    expectTypeOf(page.url()).toEqualTypeOf<string>()
  })
  // @ts-expect-error: no such collection is known
  simulationTest<TaskApi>('task-tracker')('asks for another', ({ simulation }) => simulation.records<'gone'>('gone'))
  return untyped
}
