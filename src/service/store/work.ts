/** Events of one commit on their way to one webhook, in their order. */
export interface NewChunk {
  readonly webhook: string
  /** How many events it has. */
  readonly events: number
  /** The events as JSON: a store does not look into it. */
  readonly text: string
}

/** What a commit does to the deliveries of its simulation. */
export interface OutboxChange {
  readonly added: readonly NewChunk[]
  /** Webhooks that are gone, with everything that was kept of their deliveries. */
  readonly removed: readonly string[]
  /** Whether everything that waits is dropped, before something is added: the data was put back. */
  readonly isCleared: boolean
}

/** Events that wait for their first attempt. */
export interface KeptChunk {
  readonly id: number
  readonly webhook: string
  readonly text: string
  /** Which of the events are kept as deliveries by now, in the words of who sends them; empty where none is. */
  readonly done: string
}

/** A delivery of which an attempt was made, or that was planned or lost before its first one. */
export interface KeptDelivery {
  readonly webhook: string
  /** Orders the deliveries of a webhook. */
  readonly number: number
  /** Time of the next attempt by the delivery clock, milliseconds; null where none follows. */
  readonly dueAt: number | null
  /** As JSON: a store does not look into it. */
  readonly text: string
}

/** A delivery, and when it was kept last. */
export interface SettledDelivery extends KeptDelivery {
  /** By the store's clock, milliseconds. */
  readonly keptAt: number
}

/** The right of one node to send the deliveries of one simulation, for a time. */
export interface DeliveryLease {
  readonly simulation: string
  readonly lease: string
  /** Moves when what waits is dropped by others: what the holder knows of it is past then. */
  readonly epoch: number
  /** What the holder before has left, in its own words; empty where there was none. */
  readonly notes: string
}

/** What came of deliveries since the last settlement. */
export interface Settlement {
  readonly deliveries: readonly KeptDelivery[]
  /** Chunks of which every event is kept as a delivery. */
  readonly emptied: readonly number[]
  /** Chunks of which some events are. */
  readonly advanced: readonly { readonly id: number; readonly done: string }[]
  /** Failed deliveries in a row, of those webhooks where that moved. */
  readonly failures: readonly { readonly webhook: string; readonly failures: number }[]
  readonly notes: string
}

/** What is kept of one webhook beside its deliveries. */
export interface WebhookLane {
  readonly webhook: string
  /** Failed deliveries in a row. */
  readonly failures: number
  /** Events that were dropped since too many waited. */
  readonly dropped: number
}

/** When the deliveries of a simulation are looked at next. */
export interface NextLook {
  /** What {@link DueWork.renew} gave before everything that is due was sent. */
  readonly pulse: number
  /** Webhooks that are switched off: what waits for them is not due. */
  readonly off: readonly string[]
  /** How far the delivery clock is ahead of the store's. */
  readonly offsetMs: number
}

/** What is to be done, and how late it is. */
export interface WorkBacklog {
  /** Events that wait for an attempt, due or not. */
  readonly waiting: number
  /** How long the oldest delivery has been due that no node sends, in milliseconds. */
  readonly deliveryLateMs: number
  /** How long the oldest run of a plan has been due, in milliseconds. */
  readonly tickLateMs: number
}

/**
 * What has to be done some time by some node: runs of plans that fell due, and deliveries. Each method is one transaction. Every write
 * of a holder is on the condition that it still holds.
 */
export interface DueWork {
  /** Simulations whose plan fell due a second ago or earlier: a node that has one loaded runs it in time. No other node gets them for 10 s. */
  claimTicks(most: number): Promise<readonly string[]>
  /** Simulations with deliveries that are due and have no sender; this node is it for `ms`. */
  claimDeliveries(lease: string, ms: number, most: number): Promise<readonly DeliveryLease[]>
  /** The deliveries of one simulation, due or not; undefined while another node has them. */
  claim(simulation: string, lease: string, ms: number): Promise<DeliveryLease | undefined>
  /** Begins the lease anew. Undefined where it is lost or past. `pulse` moves with everything that is added. */
  renew(lease: DeliveryLease, ms: number): Promise<{ readonly pulse: number } | undefined>
  /** A lease as it is now, where others have dropped some of what waits since; undefined where it is another's. */
  held(lease: DeliveryLease): Promise<DeliveryLease | undefined>
  /** The next chunks of each of these webhooks, oldest first. */
  chunks(
    simulation: string,
    of: readonly { readonly webhook: string; readonly after: number }[],
    most: number,
  ): Promise<readonly KeptChunk[]>
  /** Deliveries with an attempt to come: those of each webhook that are due first. */
  waiting(simulation: string, most: number): Promise<readonly KeptDelivery[]>
  /** Keeps what came of deliveries, all or nothing. False, with nothing kept, where the lease is lost or past. */
  settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean>
  /** Drops the youngest chunks of a webhook where it has more than so many events. Returns how many went. */
  drop(lease: DeliveryLease, webhook: string, most: number): Promise<number>
  /** Gives the lease back. Returns after how many milliseconds something is due; undefined where nothing waits. */
  release(lease: DeliveryLease, next: NextLook): Promise<number | undefined>
  /** Forgets all but the latest 1,000 deliveries of these webhooks; those with an attempt to come stay. */
  forgetOld(simulation: string, webhooks: readonly string[]): Promise<void>
  /** The latest deliveries of a webhook, oldest first, and what waits for its first attempt. */
  deliveries(
    simulation: string,
    webhook: string,
    most: number,
  ): Promise<{ readonly kept: readonly KeptDelivery[]; readonly chunks: readonly KeptChunk[] }>
  /** Deliveries that were kept after a time of the store's clock, on whichever node: the latest 1,000, in the order in which they were kept. */
  settledAfter(simulation: string, after: number): Promise<readonly SettledDelivery[]>
  lanes(simulation: string): Promise<readonly WebhookLane[]>
  /** What the holder has left, or leaves as it goes on. */
  notes(simulation: string): Promise<string>
  /** Whether no node sends deliveries of the simulation and none is due. */
  isSettled(simulation: string): Promise<boolean>
  /** What waits in the whole store, for whoever operates it. */
  backlog(): Promise<WorkBacklog>
  /** Counts the failures of a webhook anew, and has what waits for it looked at. */
  forgive(simulation: string, webhook: string): Promise<void>
}

/** How long a tick that was claimed is not given to another node. */
export const TICK_LEASE_MS = 10_000
/** How late a tick is before it is given to a node that may not have its simulation. */
export const TICK_GRACE_MS = 1_000
/** Deliveries of a webhook that are kept. */
export const KEPT_DELIVERIES = 1_000
