import { didYouMean } from '../../../names/nearest-name.ts'
import { badRequest } from '../../../protocol/errors.ts'
import { type PathPattern, toPathPattern } from '../../../protocol/path-pattern.ts'
import type { ResponseRule } from '../../../protocol/response-rule.ts'
import type { HandlerFault } from '../../../protocol/simulation.ts'
import type { ApiModel } from '../../openapi/model.ts'
import { Refusal } from '../refusal.ts'
import type { Replier } from '../replies/replies.ts'
import type { RuleSubject } from '../rules/rule-subject.ts'
import type { HandlerContext } from './handler-context.ts'

/**
 * What an operation does beyond its model. Synchronous, and pure but for its context: the same request gives the same
 * answer in every run.
 *
 * A record, or a list of them, answers in the operation's envelope, other JSON and a {@link WholeAnswer} as they are.
 * Without a value the changed record of the operation answers, else `next()`.
 */
export type Handler = (context: HandlerContext) => unknown

/** Handlers by `POST /bookings`, those that steps of the plan call by a name, and views of records for events, by `$bookings`. */
export type HandlerTable = ReadonlyMap<string, Handler>

/** The requests that a test's function answers. */
type ResponderScope = Pick<ResponseRule, 'method' | 'pathPattern' | 'operation' | 'when'>

/** A function of a test that answers in place of an operation. */
interface Responder {
  readonly id: string
  /** Its name in messages. */
  readonly name: string
  readonly scope: ResponderScope
  readonly handler: Handler
}

/** Most kept faults. */
const MOST_FAULTS = 20

/** The functions of users that answer requests to one simulation. They are not part of its state. */
export class UserFunctions {
  /** By `POST /bookings`, and by names for steps of the plan: those of the creation, then those of its library entry. */
  readonly #tables: readonly HandlerTable[]
  /** Errors of functions, oldest first. */
  readonly faults: HandlerFault[] = []
  /** Functions that answer prompts, newest first. */
  readonly repliers: Replier[] = []
  #responders: readonly (Responder & { readonly pattern: PathPattern })[] = []

  constructor(tables: readonly HandlerTable[] = []) {
    this.#tables = tables
  }

  get names(): string[] {
    return this.#tables.flatMap((table) => [...table.keys()]).filter((name) => !name.startsWith('$'))
  }

  /** The handlers with this name, in the order in which they are asked. */
  named(name: string): Handler[] {
    return this.#tables.flatMap((table) => table.get(name) ?? [])
  }

  get hasResponders(): boolean {
    return this.#responders.length > 0
  }

  /** Adds a responder; the latest is asked first. Call the returned function to remove it. */
  respond(responder: Responder): () => void {
    const added = { ...responder, pattern: toPathPattern(responder.scope.pathPattern) }
    this.#responders = [added, ...this.#responders]
    return () => {
      this.#responders = this.#responders.filter((other) => other !== added)
    }
  }

  /** Adds a function that answers prompts. Call the returned function to remove it. */
  addReplier(replier: Replier): () => void {
    this.repliers.unshift(replier)
    return () => {
      const at = this.repliers.indexOf(replier)
      if (at !== -1) this.repliers.splice(at, 1)
    }
  }

  /** The responders of a request, the latest first. */
  respondersOf(subject: RuleSubject): readonly Responder[] {
    return this.#responders.filter(({ scope, pattern }) => subject.fits(scope, pattern))
  }

  /** Notes an error of a function, for the end of the test. Returns the answer to its request. */
  failed(name: string, error: unknown): Refusal {
    this.noteFault(name, error)
    const message = error instanceof Error ? error.message : String(error)
    return new Refusal(500, 'handler_failed', `The handler ${name} failed: ${message}`, undefined, { cause: error })
  }

  /** Notes an error of a function, for the end of the test. */
  noteFault(handler: string, error: unknown): void {
    const { name = 'Error', message, stack = '' } = error instanceof Error ? error : { message: String(error) }
    if (this.faults.length < MOST_FAULTS) this.faults.push({ handler, name, message, stack })
  }
}

/** Handlers by their names. Throws `bad_request` with all names that are no operation, no `$` and a collection, and no name for steps. */
export function toHandlerTable(
  handlers: Readonly<Record<string, Handler>>,
  model: ApiModel,
  file: string,
): HandlerTable {
  const table = new Map<string, Handler>()
  const faults: string[] = []
  const known = model.operations.map(({ method, path }) => `${method} ${path}`)
  const collections = model.collections.map(({ name }) => `$${name}`)
  const byShape = new Map(known.map((one) => [toShape(one), one]))
  for (const [name, handler] of Object.entries(handlers)) {
    const found = byShape.get(toShape(name))
    const operation = found === undefined ? model.operations.find(({ id }) => id === name) : undefined
    if (typeof handler !== 'function') faults.push(`"${name}" is no function`)
    else if (name.startsWith('$') && !collections.includes(name))
      faults.push(`no collection is shown by "${name}".${didYouMean(name, collections)}`)
    else if (name.includes(' ') && found === undefined)
      faults.push(`no operation is "${name}".${didYouMean(name, known)}`)
    else if (operation !== undefined)
      faults.push(`"${name}" is the id of an operation. Write "${operation.method} ${operation.path}"`)
    else table.set(found ?? name, handler)
  }
  if (faults.length > 0) throw badRequest(`Failed to use the handlers of ${file}: ${faults.join(' ')}`)
  return table
}

/** An operation without the names of its parameters. */
const toShape = (operation: string): string => operation.replaceAll(/\{[^}]*\}/g, '{}')
