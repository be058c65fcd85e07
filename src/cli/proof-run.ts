import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Reply } from '../fixture/reply.ts'
import type { Simulation } from '../fixture/simulation.ts'
import type { ProofStep } from '../library/proof-file.ts'
import { isJsonObject, type Json, type JsonObject, parseJson, readPath } from '../protocol/json.ts'
import type { Shown } from './fillers.ts'
import type { OfficialVerifier } from './proof-deliveries.ts'

/** The parts of a `client.mjs` that a proof uses. */
export interface ClientModule {
  /** Makes the client. */
  readonly default?: unknown
  /** The provider's own verifier. */
  readonly verify?: unknown
}

/** The exports of a folder's `client.mjs`; undefined without one. */
export async function readClient(folder: string): Promise<ClientModule | undefined> {
  const file = join(resolve(folder), 'client.mjs')
  return existsSync(file) ? await import(pathToFileURL(file).href) : undefined
}

/** The proof of an entry on one simulation. */
export class ProofRun {
  readonly #simulation: Simulation
  readonly #module: ClientModule | undefined
  readonly #saved: Record<string, Json> = {}
  /** What the steps sent, and what they got. */
  readonly sent: Json[] = []
  readonly answers: Shown[] = []
  #step = ''
  #client: unknown

  /** @param module undefined without a `client.mjs` */
  constructor(simulation: Simulation, module: ClientModule | undefined) {
    this.#simulation = simulation
    this.#module = module
  }

  /** Rejects with the number of the first failing step, and the expected and actual values. */
  async steps(steps: readonly ProofStep[]): Promise<void> {
    for (const [at, step] of steps.entries()) {
      const what = 'call' in step ? step.call : 'send' in step ? step.send : Object.keys(step)[0]
      this.#step = `Step ${at + 1} (${what})`
      try {
        await this.#run(step)
      } catch (cause) {
        throw new Error(`Failed in step ${at + 1} of verify.yaml (${what}): ${(cause as Error).message}`, { cause })
      }
    }
  }

  /** The provider's own verifier, exported by `client.mjs` as `verify`; undefined without one. */
  verifier(): OfficialVerifier | undefined {
    const { verify } = this.#module ?? {}
    return typeof verify === 'function' ? (delivery) => verify(delivery) : undefined
  }

  async #run(step: ProofStep): Promise<void> {
    if ('forward' in step) await this.#simulation.fastForward(step.forward)
    else if ('webhooks' in step)
      for (const type of step.webhooks) await this.#simulation.expectWebhook(type, { withinMs: 60_000 })
    else if ('reply' in step) await this.#simulation.reply(step.reply as Reply[])
    else if ('send' in step) await this.#send(step)
    else await this.#call(step)
  }

  async #send({ send, body, status, expect, save }: Extract<ProofStep, { readonly send: string }>): Promise<void> {
    const [method = '', path = ''] = send.split(' ')
    this.sent.push(body ?? null)
    const text = body === undefined ? undefined : JSON.stringify(this.#filled(body))
    const answer = await this.#simulation.fetch(String(this.#filled(path)), {
      method,
      ...(text !== undefined && { body: text }),
    })
    const received = await answer.text()
    const got: Json = received === '' ? null : (parseJson(received) ?? received)
    if (status === undefined ? !answer.ok : answer.status !== status)
      throw new Error(`Expected the status ${status ?? '2xx'}, got ${answer.status}: ${received.slice(0, 500)}`)
    this.#hold(got, expect, save)
  }

  async #call({
    call,
    with: given = [],
    expect,
    throws,
    save,
  }: Extract<ProofStep, { readonly call: string }>): Promise<void> {
    this.#client ??= await this.#openClient()
    this.sent.push(given)
    const parts = partsOf(call)
    const owner = parts.slice(0, -1).reduce<unknown>((at, part) => this.#enter(at, part), this.#client)
    const method = (owner as Record<string, unknown> | undefined)?.[parts.at(-1)?.name ?? '']
    if (typeof method !== 'function') throw new Error(`The client of client.mjs has no method ${call}.`)
    const ask = async () =>
      method.apply(
        owner,
        given.map((value) => toArgument(this.#filled(value))),
      )
    const outcome = await ask().then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if ('error' in outcome) {
      if (throws === undefined) throw outcome.error
      const fields = Object.keys(throws).map((name) => [name, toJson((outcome.error as Record<string, unknown>)[name])])
      return this.#hold(Object.fromEntries(fields), throws, undefined)
    }
    if (throws !== undefined) throw new Error('Expected an error, got an answer.')
    this.#hold(toJson(outcome.value), expect, save)
  }

  /** A part of the client, or its result for the arguments in parentheses. */
  #enter(owner: unknown, { name, given }: CallPart): unknown {
    const part = (owner as Record<string, unknown> | undefined)?.[name]
    if (given === undefined || typeof part !== 'function') return part
    return part.apply(
      owner,
      given.map((value) => this.#filled(value)),
    )
  }

  async #openClient(): Promise<unknown> {
    if (this.#module === undefined)
      throw new Error('There is no client.mjs beside it, whose default export makes the client.')
    const { default: connect } = this.#module
    if (typeof connect !== 'function') throw new Error('client.mjs has no function as its default export.')
    return connect({ url: this.#simulation.url, key: this.#simulation.key })
  }

  #hold(got: Json, expect: Json | undefined, save: string | undefined): void {
    this.answers.push({ by: this.#step, body: got })
    const miss = expect === undefined ? undefined : findMiss(got, this.#filled(expect), '')
    if (miss !== undefined) throw new Error(miss)
    if (save !== undefined) this.#saved[save] = got
  }

  /** A value with the results of earlier steps in place of `$name.field`, also within paths: `/jars/$jar.id`. */
  #filled(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.#filled(item))
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#filled(item)]))
    if (typeof value !== 'string') return value
    if (/^\$\w+(\.\w+)*$/.test(value)) return this.#look(value)
    return value.replace(/\$[a-z]\w*(?:\.\w+)+/gi, (reference) => String(this.#look(reference)))
  }

  #look(reference: string): Json {
    const [name = '', ...path] = reference.slice(1).split('.')
    const found = Object.hasOwn(this.#saved, name) ? readPath(this.#saved[name], path) : undefined
    if (found === undefined) throw new Error(`No earlier step saved ${reference}.`)
    return found
  }
}

/** Converts an argument: a text such as `100n` becomes a BigInt. */
function toArgument(value: Json): unknown {
  if (Array.isArray(value)) return value.map(toArgument)
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toArgument(item)]))
  return typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
}

/** Converts a method's result to JSON: a BigInt becomes a text such as `100n`. */
function toJson(value: unknown): Json {
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item))
  return text === undefined ? null : (JSON.parse(text) as Json)
}

interface CallPart {
  readonly name: string
  /** Arguments in parentheses. */
  readonly given?: readonly string[]
}

/** `messages` and `fetch` of `messages($sms.sid).fetch`. */
function partsOf(call: string): CallPart[] {
  return [...call.matchAll(/([^.(]+)(?:\(([^)]*)\))?(?:\.|$)/g)].map(([, name = '', given]) =>
    given === undefined ? { name } : { name, given: given.split(',').map((value) => value.trim()) },
  )
}

/** Where a value differs from the expected value: objects may have more fields, lists no more items. */
function findMiss(got: Json | undefined, wanted: Json, place: string): string | undefined {
  if (isJsonObject(wanted) && isJsonObject(got)) {
    for (const [name, value] of Object.entries(wanted)) {
      const miss = findMiss((got as JsonObject)[name], value, place === '' ? name : `${place}.${name}`)
      if (miss !== undefined) return miss
    }
    return undefined
  }
  if (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length) {
    for (const [at, value] of wanted.entries()) {
      const miss = findMiss(got[at], value, `${place}[${at}]`)
      if (miss !== undefined) return miss
    }
    return undefined
  }
  if (isDeepStrictEqual(got, wanted)) return undefined
  const shown = got === undefined ? 'nothing' : JSON.stringify(got).slice(0, 300)
  return `Expected \`${place || 'the answer'}\` to be ${JSON.stringify(wanted)}, got ${shown}.`
}
