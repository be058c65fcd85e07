import type { ListNarrowing } from '../../../protocol/handler.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Effect, Operation } from '../../openapi/model.ts'
import type { Change } from '../../world/change.ts'
import type { World } from '../../world/world.ts'
import type { Body } from '../body/read-body.ts'
import { uploadedFile } from '../body/uploaded-file.ts'
import type { CompiledApi } from '../compiled/compiled-api.ts'
import type { CompiledOperation } from '../compiled/compiled-operation.ts'
import type { ApiRequest, ApiResponse } from '../exchange.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { LaterChange } from '../facts/later-changes.ts'
import type { PageWords } from '../listing/page-words.ts'
import type { Representation } from '../presentation/negotiate.ts'
import type { Presenter } from '../presentation/presenter.ts'
import type { Refusal } from '../refusal.ts'
import type { Query } from '../validation/read-query.ts'
import type { TokenSigner } from './token-signer.ts'

/** The shared context of a simulation's operations. */
export interface Setting {
  readonly api: CompiledApi
  readonly world: World
  readonly presenter: Presenter
  readonly pageWords: PageWords
  readonly seed: string
  /** Whether a create or a list below a missing parent is refused. */
  readonly lenientParents: boolean
  readonly entryEffects?: EntryEffects | undefined
  /** Signs the tokens of the simulation. */
  readonly signer: TokenSigner
  /** How often a text was counted before at this world time, in milliseconds: equal requests differ by it. */
  countAt(at: number, text: string): number
}

/** A request, parsed for its operation. */
export interface ApiCall {
  readonly operation: Operation
  readonly compiled: CompiledOperation
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  readonly request: ApiRequest
  /** World time, milliseconds since the epoch. */
  readonly at: number
  /** Real time, milliseconds since the epoch: the clock of the client. */
  readonly realAt: number
  /** The simulation's key in the request. */
  readonly key: string | null
  readonly representation: Representation
  /** The path's misfit with the description; undefined where it fits. */
  readonly pathMisfit: Refusal | undefined
  /** What a handler leaves of a list. */
  readonly narrowed?: ListNarrowing | undefined
}

/** Effects on one record. */
export type ItemEffect = Extract<Effect, { readonly upsert: boolean }>

/** The answer to a request and its changes of data. */
export interface Answered {
  readonly response: ApiResponse
  /** Records made of the lists in a new record, which the operation does not check as its own. */
  readonly parts?: readonly Change[]
  /** To be applied to the world, in order, before the answer is sent. */
  readonly changes: readonly Change[]
  /** Warnings for the log. */
  readonly warnings?: readonly string[]
  /** Whether it shows a document that no request has written yet. */
  readonly isUnwritten?: boolean
  /** World time to which the request advances the clock, milliseconds. */
  readonly advanceTo?: number
  /** Changes that come later. */
  readonly later?: readonly LaterChange[]
}

export const NO_CHANGES: readonly Change[] = []

export function withUpload({ request, body }: ApiCall, change: Change): Change {
  if (change.type === 'deleted') return change
  const file = uploadedFile(request, body.schema)
  return file === undefined ? change : { ...change, file }
}

/** A live record of a collection. */
export interface Found {
  readonly collection: string
  readonly key: string
  readonly record: JsonObject
}
