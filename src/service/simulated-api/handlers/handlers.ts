import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { ApiCall } from '../calls/call.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { HandlerLink } from './run-handlers.ts'
import { type SignInParts, signInHandler } from './sign-in-handler.ts'
import type { Handler, UserFunctions } from './user-functions.ts'

interface Handling {
  readonly world: World
  readonly signIn: SignInParts | undefined
}

/** The handlers of a simulation's operations, each found at its first use. */
export class Handlers {
  readonly #setting: Handling
  readonly #effects: EntryEffects | undefined
  readonly #functions: UserFunctions | undefined
  readonly #known = new Map<Operation, readonly HandlerLink[]>()

  constructor(setting: Handling, effects: EntryEffects | undefined, functions: UserFunctions | undefined) {
    this.#setting = setting
    this.#effects = effects
    this.#functions = functions
  }

  /** None for an operation that only does what its model says. */
  of(operation: Operation): readonly HandlerLink[] {
    const known = this.#known.get(operation)
    if (known !== undefined) return known
    const name = `${operation.method} ${operation.path}`
    const given = (this.#functions?.named(name) ?? []).map((handler) => ({ name, handler, isUsers: true }))
    const isKept = this.#effects !== undefined && (given.length > 0 || this.#effects.rowOf(operation) !== undefined)
    const handler = this.#setting.signIn && signInHandler(this.#setting.signIn, operation)
    const signIn = handler ? [{ name, handler, isUsers: false }] : []
    const isBefore = this.#setting.signIn?.signIn.isBefore === true
    const links = [
      ...(isBefore ? [...signIn, ...given] : [...given, ...signIn]),
      ...(isKept && isWriting(operation)
        ? [{ name, handler: keepingDeclared(this.#setting.world), isUsers: false }]
        : []),
    ]
    this.#known.set(operation, links)
    return links
  }
}

/** Kinds of operations that store what a request sends. */
const MODEL_KINDS = new Set(['create', 'update', 'replace', 'delete'])

const isWriting = ({ effect }: Operation): boolean => MODEL_KINDS.has(effect.kind)

/** Does what the model says: the record keeps declared fields alone, with their defaults. */
const keepingDeclared =
  (world: World): Handler =>
  (context) => {
    context.nextChanged((changes) => changes.map((change) => withDeclaredFields(world, change, context.parsed)))
    const { place, draft } = context
    if (place !== undefined && draft.get(place.collection, place.key) !== undefined) context.written = place
  }

/** A change without fields of the request that no record of the collection has, and with the schema's defaults. */
function withDeclaredFields(world: World, change: Change, { body }: ApiCall): Change {
  if ('singleton' in change || change.type === 'deleted') return change
  const { properties } = world.collection(change.collection).model.schema ?? {}
  if (properties === undefined) return change
  const isForm = body.mediaType === 'application/x-www-form-urlencoded'
  const fields = Object.entries(change.record).filter(([name]) => properties.has(name))
  const record = Object.fromEntries(
    fields.map(([name, value]) => [name, isForm ? emptied(value, properties.get(name)) : value]),
  )
  for (const [name, schema] of properties) {
    if (!Object.hasOwn(record, name) && schema.default !== undefined) record[name] = schema.default as Json
  }
  return { ...change, record }
}

/** A form's value: an empty text means no value, and removes a name from a map. */
function emptied(value: Json, schema: Schema | undefined): Json {
  if (value === '' && schema?.nullable === true) return null
  const isMap = typeof schema?.additionalProperties === 'object' && schema.properties.size === 0
  if (!isMap) return value
  if (value === '') return {}
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, item]) => item !== '')) : value
}
