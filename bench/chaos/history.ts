import type { JsonObject } from '../../src/protocol/json.ts'

/** A creation that a client sent. */
interface SentCreation {
  readonly name: string
  isAcknowledged: boolean
}

/** A value that the one writer of the register sent. */
interface SentWrite {
  readonly value: number
  readonly sentAt: number
  acknowledgedAt: number | undefined
}

/** Actions and observations of clients, and contradictions that no correct service can show. */
export class History {
  readonly creations: SentCreation[] = []
  readonly writes: SentWrite[] = []
  readonly violations: string[] = []
  readonly #latestRead = new Map<string, number>()
  #order = 0

  /** Number of acknowledged operations. */
  get acknowledged(): { readonly creations: number; readonly writes: number } {
    return {
      creations: this.creations.filter(({ isAcknowledged }) => isAcknowledged).length,
      writes: this.writes.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length,
    }
  }

  /** A logical time after all earlier ones. */
  now(): number {
    return ++this.#order
  }

  /** Call the returned function when the service has acknowledged the operation. */
  create(name: string): () => void {
    const creation = { name, isAcknowledged: false }
    this.creations.push(creation)
    return () => {
      creation.isAcknowledged = true
    }
  }

  write(value: number): () => void {
    const write: SentWrite = { value, sentAt: this.now(), acknowledgedAt: undefined }
    this.writes.push(write)
    return () => {
      write.acknowledgedAt = this.now()
    }
  }

  /** A read of the register that began at `from`: linearizable for one writer. */
  read(reader: string, value: number, from: number): void {
    const until = this.now()
    const least = Math.max(0, ...this.writes.filter((one) => (one.acknowledgedAt ?? until) < from).map(toValue))
    const most = Math.max(0, ...this.writes.filter(({ sentAt }) => sentAt < until).map(toValue))
    if (value < least || value > most) this.violations.push(`a read gave ${value}, expected ${least} to ${most}`)
    const latest = this.#latestRead.get(reader) ?? 0
    if (value < latest) this.violations.push(`${reader} read ${value} after ${latest}`)
    this.#latestRead.set(reader, Math.max(latest, value))
  }

  /** Compares the creations with the records on a fresh node. */
  check(records: readonly JsonObject[]): { lost: string[]; doubled: string[] } {
    const counts = new Map<string, number>()
    for (const { name } of records) counts.set(String(name), (counts.get(String(name)) ?? 0) + 1)
    const lost = this.creations.filter(({ name, isAcknowledged }) => isAcknowledged && !counts.has(name))
    const doubled = this.creations.filter(({ name }) => (counts.get(name) ?? 0) > 1)
    return { lost: lost.map(({ name }) => name), doubled: doubled.map(({ name }) => name) }
  }
}

const toValue = ({ value }: SentWrite): number => value
