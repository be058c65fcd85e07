import type { JsonObject } from '../../../protocol/json.ts'
import type { Effect, Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { Body } from '../body/read-body.ts'
import { uploadedFile } from '../body/uploaded-file.ts'
import type { CompiledApi } from '../compiled/compiled-api.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import type { ConductBook } from '../conduct/conduct-book.ts'
import type { TokenSigner } from '../conduct/operators/token-signer.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import type { Representation } from '../presentation/negotiate.ts'
import type { Presenter } from '../presentation/presenter.ts'
import type { Refusal } from '../refusal.ts'
import type { Query } from '../validation/read-query.ts'

/** What every operation of one simulation works with. */
export interface Setting {
  readonly api: CompiledApi
  readonly world: World
  readonly presenter: Presenter
  readonly seed: string
  /** Whether a parent that is not there is refused when something is made or listed below it. */
  readonly strictParents: boolean
  /** What a library entry says of its operations. */
  readonly conduct?: ConductBook | undefined
  /** Signs the tokens of the simulation. */
  readonly signer: TokenSigner
}

/** A request as its operation reads it. */
export interface ApiCall {
  readonly operation: Operation
  readonly compiled: CompiledOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly request: ApiRequest
  /** World time, milliseconds since the epoch. */
  readonly at: number
  /** The simulation's key that the caller showed. */
  readonly key: string | null
  readonly representation: Representation
  /** What the description has against the path; undefined where it fits. */
  readonly pathMisfit: Refusal | undefined
}

/** Effects that are about one record. */
export type ItemEffect = Extract<Effect, { readonly upsert: boolean }>

/** The answer to a request and what it does to the data. */
export interface Answered {
  readonly response: ApiResponse
  /** To be applied to the world, in order, before the answer leaves. */
  readonly changes: readonly Change[]
  /** What the log tells of the answer. */
  readonly warnings?: readonly string[]
  /** World time to which the request turns the clock on, milliseconds. */
  readonly advanceTo?: number
}

export const NO_CHANGES: readonly Change[] = []

/** A change with what the client uploaded by the request. */
export function withUpload({ request }: ApiCall, change: Change): Change {
  if (change.type === 'deleted') return change
  const file = uploadedFile(request)
  return file === undefined ? change : { ...change, file }
}

/** A live record of a collection. */
export interface Found {
  readonly collection: string
  readonly key: string
  readonly record: JsonObject
}
