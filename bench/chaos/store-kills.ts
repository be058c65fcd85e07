import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../src/protocol/json.ts'
import { fraction, hashText, mixPair } from '../../src/runtime/random.ts'
import { History } from './history.ts'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
const ACCOUNT_KEY = 'svc_acc_kills_0123456789'
const FORWARD_HOURS = 10

/** What clients of a service that was killed again and again saw. */
export interface KillSummary {
  readonly kills: number
  readonly creations: number
  readonly writes: number
  readonly reads: number
  readonly forwards: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly violations: readonly string[]
  /** From a kill to the first answer after it, the longest, milliseconds. */
  readonly longestRecoveryMs: number
}

/**
 * Serves from one SQLite file, kills the service (`kill -9`) at drawn moments under load and in fast-forwards, starts it again, and holds
 * what it then shows against what it has answered.
 *
 * @param options.preload module that breaks the service, for a control
 */
export async function runStoreKills(options: { kills: number; seed: string; preload?: string }): Promise<KillSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-kills-'))
  const run = new KillRun(join(folder, 'backlot.db'), options)
  try {
    return await run.run()
  } finally {
    await run.close()
    await rm(folder, { recursive: true, force: true })
  }
}

class KillRun {
  readonly #file: string
  readonly #options: { kills: number; seed: string; preload?: string }
  readonly #history = new History()
  #service: ChildProcess | undefined
  #url = ''
  #key = ''
  #register = ''
  #isOver = false
  #draws = 0
  #reads = 0
  readonly #forwards = { sent: 0, acknowledged: 0 }
  #killedAt = 0
  #longestRecoveryMs = 0

  constructor(file: string, options: { kills: number; seed: string; preload?: string }) {
    this.#file = file
    this.#options = options
  }

  async run(): Promise<KillSummary> {
    await this.#start()
    await this.#createSimulation()
    const clients = [
      ...['one', 'two', 'three', 'four'].map((name) => this.#create(name)),
      this.#write(),
      this.#read('left'),
      this.#read('right'),
      this.#fastForward(),
    ]
    for (let kill = 0; kill < this.#options.kills; kill++) {
      await wait(200 + this.#fraction() * 500)
      await this.#kill()
      await this.#start()
      await this.#firstAnswer()
    }
    await wait(200)
    this.#isOver = true
    await Promise.all(clients)
    await this.#kill()
    await this.#start()
    return this.#check()
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.#kill()
  }

  async #check(): Promise<KillSummary> {
    const records = await this.#allRecords()
    const { creations, writes, violations } = this.#history
    const { lost, doubled } = this.#history.check(records)
    const planned = records.filter(({ name }) => String(name) === 'planned').length
    const { sent, acknowledged } = this.#forwards
    const whole = planned % FORWARD_HOURS === 0
    if (!whole || planned < acknowledged * FORWARD_HOURS || planned > sent * FORWARD_HOURS) {
      violations.push(`${planned} records of fast-forwards, ${acknowledged} of ${sent} acknowledged`)
    }
    return {
      kills: this.#options.kills,
      creations: creations.filter(({ isAcknowledged }) => isAcknowledged).length,
      writes: writes.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length,
      reads: this.#reads,
      forwards: acknowledged,
      lost,
      doubled,
      violations,
      longestRecoveryMs: Math.round(this.#longestRecoveryMs),
    }
  }

  async #start(): Promise<void> {
    const { preload } = this.#options
    const flags = ['serve', '--port', '0', '--json', '--store', this.#file, '--account-key', ACCOUNT_KEY]
    const args = [...(preload === undefined ? [] : ['--import', preload]), '--no-warnings', CLI, ...flags]
    const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#service = service
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(service.stdout).once('line', resolve)
      service.once('exit', (code) => reject(new Error(`The service ended with ${code} before it was ready.`)))
    })
    this.#url = (JSON.parse(line) as { url: string }).url
  }

  async #kill(): Promise<void> {
    const service = this.#service
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return
    const ended = new Promise((resolve) => service.once('exit', resolve))
    this.#killedAt = performance.now()
    service.kill('SIGKILL')
    await ended
  }

  async #firstAnswer(): Promise<void> {
    while ((await this.#call('GET', `/things/${this.#register}`).catch(() => undefined)) === undefined) await wait(5)
    this.#longestRecoveryMs = Math.max(this.#longestRecoveryMs, performance.now() - this.#killedAt)
  }

  async #createSimulation(): Promise<void> {
    const { status, body } = await this.#send(`${this.#url}/v1/simulations`, 'POST', ACCOUNT_KEY, {
      spec: JSON.stringify(DESCRIPTION),
      slug: 'things',
      volume: { things: 1 },
      behaviour: [{ name: 'planned', everySeconds: 3_600, steps: [PLANNED] }],
    })
    if (status !== 201) throw new Error(`Failed to create the simulation: ${JSON.stringify(body)}`)
    this.#key = String(body.apiKey)
    const [first] = listOf((await this.#call('GET', '/things')).body)
    this.#register = String(first?.id)
    await this.#call('PATCH', `/things/${this.#register}`, { value: 0, name: 'register' })
  }

  async #create(client: string): Promise<void> {
    for (let number = 0; !this.#isOver; number++) {
      const name = `${client}-${number}`
      const acknowledge = this.#history.create(name)
      const answer = await this.#call('POST', '/things', { name }).catch(() => undefined)
      if (answer?.status === 201) acknowledge()
      else await wait(10)
    }
  }

  async #write(): Promise<void> {
    for (let value = 1; !this.#isOver; value++) {
      const acknowledge = this.#history.write(value)
      const answer = await this.#call('PATCH', `/things/${this.#register}`, { value }).catch(() => undefined)
      if (answer?.status === 200) acknowledge()
      else await wait(10)
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
    }
  }

  async #fastForward(): Promise<void> {
    while (!this.#isOver) {
      await wait(100 + this.#fraction() * 200)
      this.#forwards.sent++
      const url = `${this.#url}/v1/simulations/things/fast-forward`
      const answer = await this.#send(url, 'POST', ACCOUNT_KEY, { hours: FORWARD_HOURS }).catch(() => undefined)
      if (answer?.status === 200) this.#forwards.acknowledged++
    }
  }

  async #allRecords(): Promise<JsonObject[]> {
    const url = `${this.#url}/v1/simulations/things/records/things`
    const all: JsonObject[] = []
    for (;;) {
      const { body } = await this.#send(`${url}?limit=100&offset=${all.length}`, 'GET', ACCOUNT_KEY)
      const page = listOf(body)
      all.push(...page)
      if (page.length === 0) return all
    }
  }

  #call(method: string, path: string, body?: JsonObject) {
    return this.#send(`${this.#url}/s/things${path}`, method, this.#key, body)
  }

  async #send(url: string, method: string, key: string, body?: JsonObject) {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    })
    return { status: answer.status, body: (await answer.json()) as JsonObject }
  }

  #fraction(): number {
    return fraction(mixPair(hashText(this.#options.seed), ++this.#draws))
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const listOf = (body: unknown): JsonObject[] =>
  (Array.isArray(body) ? body : (Object.values(body as object).find(Array.isArray) ?? [])) as JsonObject[]

const PLANNED = { kind: 'create', collection: 'things', count: 1, values: { name: 'planned' } }

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
        },
      },
    },
  },
}
