/** Events of one commit for one webhook, in order. */
export interface NewChunk {
  readonly webhook: string
  /** Number of events. */
  readonly events: number
  /** The events as JSON, opaque to the store. */
  readonly text: string
}

/** A commit's changes to its simulation's deliveries. */
export interface OutboxChange {
  readonly added: readonly NewChunk[]
  /** Removed webhooks: all their deliveries are deleted. */
  readonly removed: readonly string[]
  /** Whether all waiting events are dropped before the new ones are added: the data was restored. */
  readonly isCleared: boolean
}

/** Events that wait for their first attempt. */
export interface KeptChunk {
  readonly id: number
  readonly webhook: string
  readonly text: string
  /** The events that are already deliveries, in the sender's notation; empty without any. */
  readonly done: string
}

/** A delivery with an attempt, or one that a fault delayed or lost before its first attempt. */
export interface KeptDelivery {
  readonly webhook: string
  /** Order among the deliveries of a webhook. */
  readonly number: number
  /** Delivery-clock time of the next attempt, milliseconds; null without one. */
  readonly dueAt: number | null
  /** As JSON, opaque to the store. */
  readonly text: string
}

/** A delivery with the time of its last change. */
export interface SettledDelivery extends KeptDelivery {
  /** By the store's clock, milliseconds. */
  readonly keptAt: number
}

/** A node's lease for sending the deliveries of one simulation. */
export interface DeliveryLease {
  readonly simulation: string
  readonly lease: string
  /** Increases when another node drops waiting deliveries: the holder's knowledge is then outdated. */
  readonly epoch: number
  /** The previous holder's notes, in its own notation; empty without any. */
  readonly notes: string
  /** Grows with each renewal. A store with a lower value has lost commits, and accepts nothing more under this lease. */
  readonly until: number
}

export interface RenewedLease extends Pick<DeliveryLease, 'until'> {
  /** Moves with everything that is added. */
  readonly pulse: number
}

/** Results of deliveries since the last settlement. */
export interface Settlement {
  readonly deliveries: readonly KeptDelivery[]
  /** Chunks whose events are all deliveries now. */
  readonly emptied: readonly number[]
  /** Chunks with some events that are deliveries now. */
  readonly advanced: readonly { readonly id: number; readonly done: string }[]
  /** Consecutive failed deliveries, for webhooks where the number changed. */
  readonly failures: readonly { readonly webhook: string; readonly failures: number }[]
  readonly notes: string
}

/** State of one webhook besides its deliveries. */
export interface WebhookLane {
  readonly webhook: string
  /** Consecutive failed deliveries. */
  readonly failures: number
  /** Events dropped because too many were waiting. */
  readonly dropped: number
}

/** Input for the next due time of a simulation's deliveries. */
export interface NextLook {
  /** The result of {@link DueWork.renew} from before the due deliveries were sent. */
  readonly pulse: number
  /** Disabled webhooks: their waiting deliveries are not due. */
  readonly off: readonly string[]
  /** Offset of the delivery clock from the store's clock. */
  readonly offsetMs: number
}

/** Amount and lateness of due work. */
export interface WorkBacklog {
  /** Events that wait for an attempt, even if not due. */
  readonly waiting: number
  /** Lateness of the oldest due delivery without a sender, in milliseconds. */
  readonly deliveryLateMs: number
  /** Lateness of the oldest due run of a plan, in milliseconds. */
  readonly tickLateMs: number
}

/**
 * Work that any node may do: due runs of plans, and deliveries. Each method is one transaction. Writes of a lease
 * holder require that it still holds the lease.
 */
export interface DueWork {
  /**
   * Claims simulations whose plan has been due for a second: a node that has one loaded runs it earlier. No other node
   * gets them for 10 s.
   */
  claimTicks(most: number): Promise<readonly string[]>
  /** Claims simulations with due deliveries without a sender; this node sends them for `ms`. */
  claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]>
  /** Claims the deliveries of one simulation, even if not due; undefined while another node has them. */
  claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined>
  /** Renews the lease. Undefined if it is lost or has ended. */
  renew(lease: DeliveryLease, ms: number): Promise<RenewedLease | undefined>
  /** A lease as it is now, where others have dropped some of what waits since; undefined where it is another's. */
  findLease(lease: DeliveryLease): Promise<DeliveryLease | undefined>
  /** The next chunks of each of these webhooks, oldest first. */
  chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]>
  /** Deliveries with a future attempt: those of each webhook with the earliest due times. */
  waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]>
  /** Saves results of deliveries in one transaction. False, without changes, where the lease is lost or expired. */
  settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean>
  /** Drops the youngest chunks of a webhook beyond this number of events. Returns the number of dropped events. */
  drop(lease: DeliveryLease, webhook: string, most: number): Promise<number>
  /** Releases the lease. Returns the milliseconds until the next due work; undefined without any. */
  release(lease: DeliveryLease, next: NextLook): Promise<number | undefined>
  /** Deletes all but the latest 1,000 deliveries of these webhooks; those with a future attempt stay. */
  forgetOld(simulation: string, webhooks: readonly string[]): Promise<void>
  /** The latest deliveries of a webhook, oldest first, and those that wait for their first attempt. */
  deliveries(
    simulation: string,
    webhook: string,
    most: number,
  ): Promise<{ readonly kept: readonly KeptDelivery[]; readonly chunks: readonly KeptChunk[] }>
  /** Deliveries saved after a time of the store's clock by any node: the latest 1,000, in order of saving. */
  settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]>
  lanes(simulation: string): Promise<readonly WebhookLane[]>
  /** The notes of the current or previous holder. */
  notes(simulation: string): Promise<string>
  /** Whether no node is sending deliveries of the simulation and none is due. */
  isSettled(simulation: string): Promise<boolean>
  /** The waiting work of the whole store, for its operator. */
  backlog(): Promise<WorkBacklog>
  /** Resets the failures of a webhook, and makes its waiting deliveries due. */
  forgive(simulation: string, webhook: string): Promise<void>
}

/** How long another node does not get a claimed tick. */
export const TICK_LEASE_MS = 10_000
/** Lateness from which any node may get a tick. */
export const TICK_GRACE_MS = 1_000
/** Number of kept deliveries of a webhook. */
export const KEPT_DELIVERIES = 1_000
