import { fileURLToPath } from 'node:url'
import { badRequest } from '../../../protocol/errors.ts'
import type { ApiModel } from '../../openapi/model.ts'
import {
  type Handler,
  type HandlerTable,
  toHandlerTable,
  UserFunctions,
} from '../../simulated-api/handlers/user-functions.ts'

/** Begins the address of handlers that a caller in this process has given. */
const IN_PLACE = 'in-place:'

/** The handlers that simulations of a service may have: files, which it imports, and functions of this process. */
export class HandlerSource {
  readonly #mayImport: boolean
  readonly #offered = new Map<string, object>()
  #number = 0

  /** @param mayImport whether a creation may name a file: its caller may run code in this process then */
  constructor(mayImport: boolean) {
    this.#mayImport = mayImport
  }

  /** Keeps functions for the next creation that has the returned address. */
  offer(handlers: object): string {
    const address = `${IN_PLACE}${this.#number++}`
    this.#offered.set(address, handlers)
    return address
  }

  /**
   * The functions of a creation's handlers, then of its entry's. Throws `bad_request` for a file that may not or cannot
   * be imported, and for handlers that the API does not have.
   *
   * @param own file URLs that the service itself names
   * @param mayImport whether this caller may name a file
   */
  async read(
    { given, own }: { readonly given?: string | undefined; readonly own: readonly string[] },
    model: ApiModel,
    mayImport = false,
  ): Promise<UserFunctions> {
    const tables = given === undefined ? [] : [await this.#readGiven(given, model, mayImport || this.#mayImport)]
    for (const address of own) tables.push(await readFile(address, model))
    return new UserFunctions(tables)
  }

  async #readGiven(address: string, model: ApiModel, mayImport: boolean): Promise<HandlerTable> {
    const offered = this.#offered.get(address)
    this.#offered.delete(address)
    if (offered !== undefined) return toHandlerTable(asTable(offered), model, 'the option `handlers`')
    if (mayImport && address.startsWith('file:')) return readFile(address, model)
    throw badRequest(
      'Failed to use handlers: this service does not import files of its callers. Write what model.yaml can say, which is data, or leave BACKLOT_URL unset, so that the simulation runs in the process of the test.',
    )
  }
}

async function readFile(address: string, model: ApiModel): Promise<HandlerTable> {
  const file = fileURLToPath(address)
  return toHandlerTable(asTable(await importDefault(address, file)), model, file)
}

async function importDefault(address: string, file: string): Promise<object> {
  const module = await import(/* @vite-ignore */ address).catch((cause: Error) => {
    const line = Number.parseInt(cause.stack?.split(`${file}:`)[1] ?? '', 10)
    throw badRequest(
      `Failed to import the handlers of ${file}${line > 0 ? `, line ${line}` : ''}: ${cause.message}`,
      cause,
    )
  })
  const { default: table } = module as { default?: unknown }
  if (typeof table === 'object' && table !== null) return table
  throw badRequest(
    `Failed to use the handlers of ${file}: it has no default export with handlers. Write \`export default handlers({ 'POST /bookings': ... })\`.`,
  )
}

/** Checked by `toHandlerTable`. */
const asTable = (handlers: object): Readonly<Record<string, Handler>> => handlers as Record<string, Handler>
