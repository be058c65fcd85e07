import type { ListNarrowing, SentFile } from '../protocol/handler.ts'
import { isJsonObject, type Json } from '../protocol/json.ts'

type Handler = (context: object) => unknown

/** Parts of a handler's context that a request fills. */
const PARTS: Readonly<Record<string, string>> = { body: 'body', query: 'query', headers: 'header' }
/** Read by `{ ...body }`, which passes all fields on. */
const SPREAD = Symbol('spread')

/** Which inputs of a request the handlers of an entry read while its steps run. */
export class HandlerReads {
  readonly #table: Record<string, Handler>
  /** By operation, dotted; fields of a list's items without their positions. */
  readonly #read = new Map<string, Set<string>>()
  readonly #sent = new Map<string, Set<string>>()
  /** Operations whose handlers let the API do what it would, with the fields of the body that they always leave out. */
  readonly #passing = new Map<string, readonly string[]>()

  private constructor(table: Record<string, Handler>) {
    this.#table = table
  }

  /** Watches the handlers of a file for this process: call it before a simulation has them. */
  static async watch(address: string | undefined): Promise<HandlerReads> {
    const table: Record<string, Handler> = address === undefined ? {} : (await import(address)).default
    const reads = new HandlerReads(table)
    for (const [on, handler] of Object.entries(table)) {
      if (on.startsWith('$')) continue
      const [read, sent] = [new Set<string>(), new Set<string>()]
      reads.#read.set(on, read)
      reads.#sent.set(on, sent)
      const parts = new WeakMap<object, unknown>()
      table[on] = (context) => {
        sent.add('')
        const answer = handler(
          new Proxy(context, {
            get: (target, name) => {
              const value: unknown = Reflect.get(target, name, target)
              if (typeof value === 'function')
                return (...given: [ListNarrowing?]) => {
                  if (name === 'next') reads.#pass(on, given[0]?.drop)
                  return value.apply(target, given)
                }
              if (name === 'files') for (const { field } of value as readonly SentFile[]) read.add(`body.${field}`)
              const part = PARTS[String(name)]
              if (part === undefined || typeof value !== 'object' || value === null) return value
              if (!parts.has(value)) parts.set(value, watched(value as Json, part, { read, sent }))
              return parts.get(value)
            },
          }),
        )
        if (answer === undefined && !reads.#passing.has(on)) reads.#pass(on)
        return answer
      }
    }
    return reads
  }

  #pass(on: string, dropped: readonly string[] = []): void {
    const before = this.#passing.get(on) ?? dropped
    this.#passing.set(
      on,
      before.filter((name) => dropped.includes(name)),
    )
  }

  handles(on: string): boolean {
    return on in this.#table
  }

  /** Whether its handler, in the steps, does all that it does. */
  isWhole(on: string): boolean {
    return this.#sent.get(on)?.has('') === true && !this.#passing.has(on)
  }

  /** Fields of the body that its handler leaves out of what the API would do. */
  dropped(on: string): readonly string[] {
    return this.#passing.get(on) ?? []
  }

  /** Whether the handler has read it, or, of a part, any handler; undefined if no step has sent what it is a part of. */
  has(on: string, path: string): boolean | undefined {
    const above = path.slice(0, path.lastIndexOf('.'))
    const isIn = (read: ReadonlySet<string>) => read.has(path) || read.has(`${above}.*`)
    const isPart = above.includes('.')
    if (isIn(this.#read.get(on) ?? new Set()) || (isPart && [...this.#read.values()].some(isIn))) return true
    return this.#sent.get(on)?.has(above) ? false : undefined
  }
}

interface Watch {
  readonly read: Set<string>
  readonly sent: Set<string>
}

/** A copy whose fields say that they are read, those that are missing too. */
function watched(value: Json, path: string, watch: Watch): Json {
  if (Array.isArray(value)) return value.map((item) => watched(item, path, watch))
  if (!isJsonObject(value)) return value
  watch.sent.add(path)
  const missing = new Proxy(Object.prototype, {
    get: (target, name, receiver) => {
      if (typeof name === 'string') watch.read.add(`${path}.${name}`)
      return Reflect.get(target, name, receiver)
    },
  })
  const copy = Object.create(missing, {
    [SPREAD]: { enumerable: true, get: () => void watch.read.add(`${path}.*`) },
  })
  for (const [name, field] of Object.entries(value)) {
    let seen: Json | undefined
    const get = () => {
      watch.read.add(`${path}.${name}`)
      seen ??= watched(field, `${path}.${name}`, watch)
      return seen
    }
    Object.defineProperty(copy, name, { get, enumerable: true, configurable: true })
  }
  return copy
}
