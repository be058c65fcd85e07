import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../src/protocol/json.ts'
import type { Delivery } from '../../src/protocol/webhook.ts'
import { fraction, hashText, mixPair } from '../../src/runtime/random.ts'
import { FORWARD_HOURS, History, PLANNED_NAME } from './history.ts'
import { WebhookReceiver } from './webhook-receiver.ts'

/** Time until a dead node's lease expires and its waiting deliveries are sent. */
const SETTLE_MS = 60_000
const LONGEST_LOOK_MS = 5_000
const PLANNED = { kind: 'create', collection: 'things', count: 1, values: { name: PLANNED_NAME } }

export const ACCOUNT_KEY = 'svc_acc_chaos_0123456789'

/** Actions and observations of clients, and the final state of the service. */
export interface LoadSummary {
  readonly creations: number
  readonly writes: number
  readonly reads: number
  /** Creations that were read at once through another node. */
  readonly crossReads: number
  readonly forwards: number
  /** Received webhooks, each counted once, and repeats. */
  readonly events: number
  readonly repeats: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  /** Updates of one record that a webhook brought for the first time after a later one. */
  readonly disordered: readonly string[]
  readonly violations: readonly string[]
  /** Creations that were acknowledged and that the database forgot when it failed over. */
  readonly forgotten: number
  /** Longest time without any answer while the clients were at it, milliseconds. */
  readonly longestGapMs: number
  /** File with all writes, arrivals and deliveries of a run with problems. */
  readonly historyFile?: string
}

/**
 * Clients of one simulation on one or several nodes: they create things, write and read a register, and fast-forward. A webhook of it
 * leads to a receiver that refuses some.
 */
export class ThingsLoad {
  readonly #nodes: () => readonly string[]
  readonly #seed: number
  readonly #history = new History()
  readonly #receiver = new WebhookReceiver(() => this.draw())
  readonly #settleMs: number
  readonly #paceMs: number
  #webhook = ''
  #clients: Promise<void>[] = []
  #key = ''
  #register = ''
  #isOver = false
  #draws = 0
  #reads = 0
  #crossReads = 0
  /** What each node showed before the last start. */
  #shown: string[] = []
  #hasForgotten = false
  #answeredAt = 0
  #longestGapMs = 0

  /**
   * @param nodes base URLs of the services, as they are now
   * @param pace how long deliveries may take in the end, and how long each client rests after an answer
   */
  constructor(
    nodes: () => readonly string[],
    seed: string,
    { settleMs = SETTLE_MS, paceMs = 0 }: { settleMs?: number; paceMs?: number } = {},
  ) {
    this.#nodes = nodes
    this.#settleMs = settleMs
    this.#paceMs = paceMs
    this.#seed = hashText(seed)
  }

  /** A number from 0 to 1, drawn from the seed. */
  draw(): number {
    return fraction(mixPair(this.#seed, ++this.#draws))
  }

  async start(): Promise<void> {
    const { status, body } = await this.#send(`${this.#node()}/v1/simulations`, 'POST', ACCOUNT_KEY, {
      spec: JSON.stringify(DESCRIPTION),
      slug: 'things',
      volume: { things: 1 },
      behaviour: [{ name: 'planned', everySeconds: 3_600, steps: [PLANNED] }],
    })
    if (status !== 201) throw new Error(`Failed to create the simulation: ${JSON.stringify(body)}`)
    this.#key = String(body.apiKey)
    this.#register = String(listOf((await this.#call('GET', '/things')).body)[0]?.id)
    await this.#call('PATCH', `/things/${this.#register}`, { value: 0, name: 'register' })
    const url = await this.#receiver.start()
    const { body: webhook } = await this.#manage('POST', '/webhooks', { url, events: ['thing.*'] })
    this.#webhook = String(webhook.id)
    this.#answeredAt = performance.now()
    this.#clients = [
      ...['one', 'two', 'three', 'four'].map((name) => this.#create(name)),
      this.#write(),
      ...['left', 'right', 'up', 'down'].map((name) => this.#read(name)),
      this.#fastForward(),
    ]
  }

  /** Resolves after the next response. */
  async untilAnswered(): Promise<void> {
    while ((await this.#call('GET', `/things/${this.#register}`).catch(() => undefined)) === undefined) await wait(5)
  }

  /** Resolves after another acknowledgement, also on a slow machine. */
  async untilAcknowledged(creations: number, writes: number): Promise<void> {
    const before = this.#history.acknowledged
    for (let now = before; now.creations < before.creations + creations || now.writes < before.writes + writes; ) {
      await wait(5)
      now = this.#history.acknowledged
    }
  }

  /** Whether any response was wrong so far. */
  get hasViolations(): boolean {
    return this.#history.violations.length > 0
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  /** A moment for {@link forget}. */
  now(): number {
    return this.#history.now()
  }

  /** Number of acknowledged operations. */
  get acknowledged(): History['acknowledged'] {
    return this.#history.acknowledged
  }

  /** The database is about to have no more for sure than it had at a moment. */
  forget(since: number): void {
    this.#history.forget(since)
    this.#hasForgotten = true
  }

  /** Notes what each node shows: a fresh one has to show the same. */
  async look(): Promise<void> {
    for (const node of this.#nodes()) this.#shown.push(JSON.stringify(await this.#allRecords(node)))
  }

  /** Ends the receiver of webhooks. */
  close(): void {
    this.#receiver.close()
  }

  /** The state on a freshly loaded node, and the received webhooks. @param deeds number of faults of the service */
  async check(deeds: number): Promise<LoadSummary> {
    const records = await this.#allRecords()
    const deliveries = await this.#sendAll()
    const received = this.#receiver.check(records, deliveries, { deeds, hasForgotten: this.#hasForgotten })
    const { violations } = this.#history
    const fresh = JSON.stringify(records)
    if (this.#shown.some((shown) => shown !== fresh)) violations.push('a node showed other records than a fresh one')
    const { lost, doubled, forgotten } = this.#history.check(records)
    const problems = [...lost, ...received.lost, ...doubled, ...violations, ...received.violations]
    return {
      ...(problems.length > 0 && { historyFile: await this.#keepHistory({ problems, deliveries, records }) }),
      ...this.#history.acknowledged,
      reads: this.#reads,
      crossReads: this.#crossReads,
      events: received.events,
      repeats: received.repeats,
      lost: [...lost, ...received.lost],
      doubled,
      disordered: received.disordered,
      violations: [...violations, ...received.violations],
      forgotten,
      longestGapMs: Math.round(this.#longestGapMs),
    }
  }

  /** Writes down all that a search for the cause needs, and returns the file. */
  async #keepHistory(found: object): Promise<string> {
    const file = join(await mkdtemp(join(tmpdir(), 'backlot-chaos-')), 'history.json')
    const { creations, writes } = this.#history
    await writeFile(file, JSON.stringify({ ...found, creations, writes, arrivals: this.#receiver.history }, null, 1))
    return file
  }

  async #create(client: string): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const name = `${client}-${number}`
      const acknowledge = this.#history.create(name)
      const node = this.#node()
      const answer = await this.#call('POST', '/things', { name }, node).catch(() => undefined)
      if (answer?.status !== 201) {
        await wait(10)
        continue
      }
      acknowledge(String(answer.body.createdAt))
      const other = this.#node(node)
      const read = await this.#call('GET', `/things/${answer.body.id}`, undefined, other).catch(() => undefined)
      if (read?.status === 200) this.#crossReads++
      if (read?.status === 404) this.#history.miss(name)
      await this.#rest()
    }
  }

  async #write(): Promise<void> {
    for (let value = 1; !this.#isOver; value++) {
      const acknowledge = this.#history.write(value)
      const answer = await this.#call('PATCH', `/things/${this.#register}`, { value }).catch(() => undefined)
      if (answer?.status === 200) acknowledge()
      else await wait(10)
      await this.#rest()
    }
  }

  async #read(reader: string): Promise<void> {
    while (!this.#isOver) {
      const from = this.#history.now()
      const answer = await this.#call('GET', `/things/${this.#register}`).catch(() => undefined)
      if (answer?.status === 200) {
        this.#reads++
        this.#history.read(reader, Number(answer.body.value), from)
      }
      await wait(answer === undefined ? 10 : 2)
      await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    if (this.#paceMs > 0 && !this.#isOver) await wait(this.#paceMs)
  }

  async #fastForward(): Promise<void> {
    while (!this.#isOver) {
      await wait(100 + this.draw() * 400)
      const acknowledge = this.#history.forward()
      const answer = await this.#manage('POST', '/fast-forward', { hours: FORWARD_HOURS }).catch(() => undefined)
      if (answer?.status === 200) acknowledge()
    }
  }

  /** Sends all waiting deliveries, refused ones included. */
  async #sendAll(): Promise<Delivery[]> {
    const end = performance.now() + this.#settleMs
    const timeoutMs = Math.min(LONGEST_LOOK_MS, this.#settleMs)
    const isSettled = async () =>
      (await this.#manage('GET', `/deliveries/settled?timeoutMs=${timeoutMs}`)).body.settled === true
    while (!(await isSettled())) {
      if (performance.now() <= end) continue
      this.#history.violations.push('deliveries are not settled')
      return []
    }
    this.#history.checkRetries(await this.#deliveries())
    await this.#manage('POST', '/deliveries/advance', { until: 'drained' })
    return await this.#deliveries()
  }

  async #deliveries(): Promise<Delivery[]> {
    const { body } = await this.#manage('GET', `/webhooks/${this.#webhook}/deliveries`)
    // A service that is broken on purpose may have lost the webhook itself.
    return listOf(body) as unknown as Delivery[]
  }

  async #allRecords(node = this.#node()): Promise<JsonObject[]> {
    const all: JsonObject[] = []
    for (;;) {
      const { body } = await this.#manage('GET', `/records/things?limit=100&offset=${all.length}`, undefined, node)
      const page = listOf(body)
      all.push(...page)
      if (page.length === 0) return all
    }
  }

  /** @param than a node that is left out, if there is another one */
  #node(than?: string): string {
    const all = this.#nodes()
    const others = all.filter((node) => node !== than)
    const nodes = others.length > 0 ? others : all
    return nodes[Math.floor(this.draw() * nodes.length)] as string
  }

  #manage(method: string, path: string, body?: JsonObject, node = this.#node()) {
    return this.#send(`${node}/v1/simulations/things${path}`, method, ACCOUNT_KEY, body)
  }

  #call(method: string, path: string, body?: JsonObject, node = this.#node()) {
    return this.#send(`${node}/s/things${path}`, method, this.#key, body)
  }

  async #send(url: string, method: string, key: string, body?: JsonObject) {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const parsed = (await answer.json()) as JsonObject
    if (answer.status < 500) {
      const now = performance.now()
      if (this.#answeredAt > 0 && !this.#isOver)
        this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#answeredAt)
      this.#answeredAt = now
    }
    return { status: answer.status, body: parsed }
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const listOf = (body: unknown): JsonObject[] =>
  (Array.isArray(body) ? body : (Object.values(body as object).find(Array.isArray) ?? [])) as JsonObject[]

const THING = { $ref: '#/components/schemas/Thing' }
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const answer = (status: string, schema: JsonObject): JsonObject => ({ [status]: { description: '', ...json(schema) } })

const DESCRIPTION: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      get: { responses: answer('200', { type: 'array', items: THING }) },
      post: { requestBody: json(THING), responses: answer('201', THING) },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: answer('200', THING) },
      patch: { requestBody: json(THING), responses: answer('200', THING) },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          name: { type: 'string' },
          value: { type: 'integer' },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
        },
      },
    },
  },
}
