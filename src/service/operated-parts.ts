import type { ServiceParts } from './management/handlers.ts'
import type { OperatedParts } from './operations/operations.ts'
import { ENGINE } from './simulation/origin/genesis.ts'
import type { Store } from './store/store.ts'

/** The parts of a service for operators. */
export function operatedParts({ simulations, version }: ServiceParts, store: Store | undefined): OperatedParts {
  return {
    store,
    facts: { version: version(), engine: ENGINE, schema: store?.schema },
    sources: {
      simulations: () => simulations.held().length,
      bytes: () => simulations.bytes,
      waiting: () => simulations.held().reduce((sum, { simulation }) => sum + (simulation.kept?.lane.waiting ?? 0), 0),
      offsetMs: () => store?.offsetMs ?? 0,
      poolWaiting: () => store?.waiting ?? 0,
    },
  }
}
