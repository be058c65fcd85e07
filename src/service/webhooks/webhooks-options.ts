import type { SpokenEntry } from './event-forms.ts'
import type { Outgoing } from './guarded-connect.ts'

/** What the webhooks of one simulation go by. */
export interface WebhooksOptions extends Outgoing {
  /** Called with the id of a webhook when its 50th delivery in a row has failed, or its endpoint has not answered the handshake. */
  onExhausted?: ((id: string) => void) | undefined
  /** How the library entry of the simulation tells its changes. */
  entry?: SpokenEntry | undefined
}
