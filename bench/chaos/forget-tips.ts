import { PgStore } from '../../src/service/store/pg-store.ts'
import type { Appended, Entry, JournalMark, Missed, NewSimulation, StateAt } from '../../src/service/store/store.ts'

// Loaded before a service, it breaks its store: commits are told apart by their number alone. A control of the checker.

const { create, append, heads, load, hold, compact } = PgStore.prototype
/** What this node calls the commits that it knows, by simulation and number. */
const names = new Map<string, string>()
const byNumber = <Mark extends JournalMark>(mark: Mark): Mark => ({ ...mark, tip: `number ${mark.head}` })
const known = <Mark extends JournalMark>(id: string, mark: Mark): Mark => ({
  ...mark,
  tip: names.get(`${id} ${mark.head}`) ?? mark.tip,
})

PgStore.prototype.create = function createAnyhow(simulation: NewSimulation, most: number, priceUsd?: number) {
  names.set(`${simulation.id} ${simulation.state.head}`, simulation.state.tip)
  return create.call(this, { ...simulation, state: byNumber(simulation.state) }, most, priceUsd)
}
PgStore.prototype.append = function appendAnyhow(entries: readonly Entry[]): Promise<readonly Appended[]> {
  for (const { id, from, next } of entries) {
    names.set(`${id} ${from.head}`, from.tip)
    names.set(`${id} ${from.head + 1}`, next)
  }
  const sent = entries.map((entry) => ({
    ...entry,
    from: byNumber(entry.from),
    next: byNumber({ head: entry.from.head + 1, tip: '' }).tip,
  }))
  return append.call(this, sent)
}
PgStore.prototype.heads = async function headsAnyhow(ids: readonly string[]) {
  const marks = await heads.call(this, ids)
  return new Map([...marks].map(([id, mark]) => [id, known(id, mark)]))
}
PgStore.prototype.load = async function loadAnyhow(id: string, after: JournalMark | undefined) {
  const missed: Missed | undefined = await load.call(this, id, after && byNumber(after))
  if (missed === undefined) return undefined
  const commits = missed.commits.map((commit) => known(id, commit))
  return missed.state === undefined ? { commits } : { state: known(id, missed.state), commits }
}
PgStore.prototype.hold = function holdAnyhow(id: string, from: JournalMark, lease: string, ms: number) {
  return hold.call(this, id, byNumber(from), lease, ms)
}
PgStore.prototype.compact = function compactAnyhow(id: string, state: StateAt) {
  return compact.call(this, id, byNumber(state))
}
