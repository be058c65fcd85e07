import type { JsonObject } from '../../src/protocol/json.ts'
import type { Delivery } from '../../src/protocol/webhook.ts'

/** Hours of each fast-forward; the plan creates a record in each. */
export const FORWARD_HOURS = 10
/** Name of these records. */
export const PLANNED_NAME = 'planned'
/** A minute by the service's table, but for what the clock of a database may be measured wrong by. */
const FIRST_RETRY_MS = 59_000

/** Something that a client sent. */
interface Sent {
  readonly sentAt: number
  acknowledgedAt: number | undefined
  /** A database that forgot its last commits may have forgotten it. */
  isUnsure: boolean
}

/** A creation that a client sent. */
interface SentCreation extends Sent {
  readonly name: string
}

/** A value that the one writer of the register sent. */
interface SentWrite extends Sent {
  readonly value: number
}

/** Actions and observations of clients, and contradictions that no correct service can show. */
export class History {
  readonly creations: SentCreation[] = []
  readonly writes: SentWrite[] = []
  readonly violations: string[] = []
  readonly #forwards = { sent: 0, acknowledged: 0 }
  readonly #latestRead = new Map<string, number>()
  #order = 0
  /** When the database forgot its last commits, if it did. */
  #forgotAt = 0
  /** The latest time that an acknowledged creation shows. */
  #latestCreated = ''

  /** Number of acknowledged operations. */
  get acknowledged(): { readonly creations: number; readonly writes: number; readonly forwards: number } {
    return {
      creations: this.creations.filter(isAcknowledged).length,
      writes: this.writes.filter(isAcknowledged).length,
      forwards: this.#forwards.acknowledged,
    }
  }

  /** A logical time after all earlier ones. */
  now(): number {
    return ++this.#order
  }

  /** Call what is returned when the service has acknowledged it, with the time that the record shows. */
  create(name: string): (createdAt?: string) => void {
    const creation: SentCreation = { name, ...this.#sent() }
    const latest = this.#latestCreated
    this.creations.push(creation)
    return (createdAt = '') => {
      creation.acknowledgedAt = this.now()
      if (this.#isBeforeLoss(creation.sentAt)) return
      if (createdAt < latest) this.violations.push(`${name} was created at ${createdAt}, after one of ${latest}`)
      if (createdAt > this.#latestCreated) this.#latestCreated = createdAt
    }
  }

  write(value: number): () => void {
    const write: SentWrite = { value, ...this.#sent() }
    this.writes.push(write)
    return () => {
      write.acknowledgedAt = this.now()
    }
  }

  /** A fast-forward by {@link FORWARD_HOURS}. */
  forward(): () => void {
    this.#forwards.sent++
    return () => this.#forwards.acknowledged++
  }

  /** A creation that was acknowledged is not found. */
  miss(name: string): void {
    const creation = this.creations.find((one) => one.name === name)
    if (creation?.isUnsure === false) this.violations.push(`${name} was not there after its creation`)
  }

  /** The database has gone back to what it had at a moment, or to something between that and now. */
  forget(since: number): void {
    for (const sent of [...this.creations, ...this.writes]) {
      if (sent.acknowledgedAt === undefined || sent.acknowledgedAt > since) sent.isUnsure = true
    }
    this.#forgotAt = this.now()
    this.#forwards.acknowledged = 0
    this.#latestRead.clear()
    this.#latestCreated = ''
  }

  /** A read of the register that began at `from`: linearizable for one writer. */
  read(reader: string, value: number, from: number): void {
    const until = this.now()
    if (this.#isBeforeLoss(from)) return
    const isCertain = ({ acknowledgedAt, isUnsure }: Sent) => !isUnsure && (acknowledgedAt ?? until) < from
    const least = Math.max(0, ...this.writes.filter(isCertain).map(toValue))
    const most = Math.max(0, ...this.writes.filter(({ sentAt }) => sentAt < until).map(toValue))
    if (value < least || value > most) this.violations.push(`a read gave ${value}, expected ${least} to ${most}`)
    const latest = this.#latestRead.get(reader) ?? 0
    if (value < latest) this.violations.push(`${reader} read ${value} after ${latest}`)
    this.#latestRead.set(reader, Math.max(latest, value))
  }

  /** Holds the creations against the records that a fresh node shows. */
  check(records: readonly JsonObject[]): { lost: string[]; doubled: string[]; forgotten: number } {
    const counts = new Map<string, number>()
    for (const { name } of records) counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
    this.#checkForwards(counts.get(PLANNED_NAME) ?? 0)
    const gone = this.creations.filter((creation) => isAcknowledged(creation) && !counts.has(creation.name))
    const lost = gone.filter(({ isUnsure }) => !isUnsure)
    const doubled = this.creations.filter(({ name }) => (counts.get(name) ?? 0) > 1)
    const forgotten = gone.length - lost.length
    return { lost: lost.map(({ name }) => name), doubled: doubled.map(({ name }) => name), forgotten }
  }

  /** Notes attempts before the retry's time; nothing may have turned the delivery clock. */
  checkRetries(deliveries: readonly Delivery[]): void {
    for (const { event, attempts } of deliveries) {
      for (const [number, { at }] of attempts.entries()) {
        const before = attempts[number - 1]
        const waitedMs = before === undefined ? FIRST_RETRY_MS : Date.parse(at) - Date.parse(before.at)
        if (waitedMs < FIRST_RETRY_MS) this.violations.push(`${event.type} was tried again after ${waitedMs} ms`)
      }
    }
  }

  /** Each fast-forward is whole or absent. */
  #checkForwards(planned: number): void {
    const { sent, acknowledged } = this.#forwards
    const isWhole = planned % FORWARD_HOURS === 0
    if (isWhole && planned >= acknowledged * FORWARD_HOURS && planned <= sent * FORWARD_HOURS) return
    this.violations.push(`${planned} records of fast-forwards, ${acknowledged} of ${sent} acknowledged`)
  }

  #sent(): Sent {
    return { sentAt: this.now(), acknowledgedAt: undefined, isUnsure: false }
  }

  /** Whether something that began then met a database that has forgotten its last commits since. */
  #isBeforeLoss(from: number): boolean {
    return from < this.#forgotAt
  }
}

const isAcknowledged = ({ acknowledgedAt }: Sent): boolean => acknowledgedAt !== undefined

const toValue = ({ value }: SentWrite): number => value
