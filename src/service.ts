/**
 * The simulation service, embedded: `startService()` starts it in this process.
 *
 * @module backlot/service
 */
import './runtime/needed-node.ts'

export { ApiError } from './protocol/errors.ts'
export type { Runtime } from './runtime/runtime.ts'
export {
  type AccountKeyOptions,
  type AccountOptions,
  type LibraryEntry,
  type Scope,
  type Service,
  type ServiceOptions,
  type SinkAddress,
  type StartSimulation,
  startService,
} from './service/start.ts'
