import { overrideCalls } from './override-calls.ts'
import type { RequestRows } from './request-rows.ts'
import type { Store } from './store.ts'
import type { TextSeal } from './text-seal.ts'
import type { DueWork, KeptDelivery } from './work.ts'

/** Encrypts all texts of simulations: states, commits, deliveries, requests (`decisions/store.md`). */
export function sealStore(store: Store, seal: TextSeal): Store {
  const sealed = <Text extends { readonly dump: string }>(state: Text): Text => ({
    ...state,
    dump: seal.seal(state.dump),
  })
  return overrideCalls(store, {
    work: sealWork(store.work, seal),
    requests: sealRequests(store.requests, seal),
    create: ({ state, ...simulation }, most, priceUsd) =>
      store.create({ ...simulation, state: sealed(state) }, most, priceUsd),
    append: (entries) =>
      store.append(
        entries.map(({ delta, outbox, ...entry }) => ({
          ...entry,
          delta: seal.seal(delta),
          outbox: outbox && {
            ...outbox,
            added: outbox.added.map((chunk) => ({ ...chunk, text: seal.seal(chunk.text) })),
          },
        })),
      ),
    load: async (id, after) => {
      const missed = await store.load(id, after)
      if (missed === undefined) return undefined
      const commits = missed.commits.map((commit) => ({ ...commit, delta: seal.open(commit.delta) }))
      const { state } = missed
      return state === undefined ? { commits } : { state: { ...state, dump: seal.open(state.dump) }, commits }
    },
    compact: (id, state) => store.compact(id, sealed(state)),
    save: (id, { dump, about }) => store.save(id, { dump: seal.seal(dump), about: seal.seal(about) }),
    listSaved: async (id) => (await store.listSaved(id)).map((one) => ({ ...one, about: seal.open(one.about) })),
    saved: async (id, number) => {
      const { dump, ...range } = await store.saved(id, number)
      return { ...range, ...(dump !== undefined && { dump: seal.open(dump) }) }
    },
  })
}

function sealWork(work: DueWork, seal: TextSeal): DueWork {
  const opened = <Kept extends { readonly text: string }>(kept: readonly Kept[]): Kept[] =>
    kept.map((one) => ({ ...one, text: seal.open(one.text) }))
  const sealed = (deliveries: readonly KeptDelivery[]) =>
    deliveries.map((delivery) => ({ ...delivery, text: seal.seal(delivery.text) }))
  return overrideCalls(work, {
    chunks: async (simulation, of, most) => opened(await work.chunks(simulation, of, most)),
    waiting: async (simulation, most) => opened(await work.waiting(simulation, most)),
    settledAfter: async (simulation, after) => opened(await work.settledAfter(simulation, after)),
    settle: (lease, settlement) => work.settle(lease, { ...settlement, deliveries: sealed(settlement.deliveries) }),
    deliveries: async (simulation, webhook, most) => {
      const { kept, chunks } = await work.deliveries(simulation, webhook, most)
      return { kept: opened(kept), chunks: opened(chunks) }
    },
  })
}

function sealRequests(requests: RequestRows, seal: TextSeal): RequestRows {
  return overrideCalls(requests, {
    add: (rows) =>
      requests.add(rows.map((row) => ({ ...row, entries: seal.seal(row.entries), details: seal.seal(row.details) }))),
    read: async (simulation, after, before) =>
      (await requests.read(simulation, after, before)).map((row) => ({ ...row, entries: seal.open(row.entries) })),
    details: async (simulation, ids) => {
      const found = await requests.details(simulation, ids)
      return new Map([...found].map(([id, text]) => [id, seal.open(text)]))
    },
  })
}
