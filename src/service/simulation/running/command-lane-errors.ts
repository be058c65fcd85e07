import { ApiError, badRequest } from '../../../protocol/errors.ts'
import { StoreFull, StoreUnavailable } from '../../store/store.ts'

/** The simulation cannot start the command now. */
export function busy(fact: string): ApiError {
  const message = `The simulation is busy (${fact}). Try again in a second.`
  return new ApiError(503, 'unavailable', message, { retryAfterSeconds: 1, cause: fact })
}

export const deleted = (): ApiError => new ApiError(404, 'not_found', 'This simulation was deleted.')

export const storeFull = (cause?: unknown): ApiError =>
  new ApiError(
    507,
    'insufficient_storage',
    "The service's store has no room for changes, so nothing was changed; reading goes on. Make room on its disk.",
    { cause },
  )

/** A simulation has reached its size limit. */
export class SimulationFull extends ApiError {
  constructor(mostMb: number) {
    super(
      507,
      'insufficient_storage',
      `Failed to make the simulation larger: its changes take the ${mostMb} MB that they may, so nothing was changed. Delete records or reset it; whoever hosts the service sets the bound by \`--simulation-mb\`.`,
      { cause: 'a simulation is full' },
    )
  }
}

/** The answer to a failure of the store; other errors stay unchanged. */
export function toAnswer(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return busy('its store gives no answer')
  return error instanceof StoreFull ? storeFull(error) : error
}

export const tooMuchAtOnce = (): ApiError =>
  badRequest(
    'Failed to keep what was changed: it takes more than 32 MB at a time, so nothing was changed. Fast-forward by fewer hours.',
  )
