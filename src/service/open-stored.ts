import { invalidRequest } from '../protocol/errors.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import { systemRuntime } from '../runtime/runtime.ts'
import { Accounts } from './account/accounts.ts'
import type { ServiceOptions } from './service-options.ts'
import { ENGINE } from './simulation/origin/simulation-init.ts'
import type { Store, StoreFindings } from './store/store.ts'
import { storeOptions } from './store/store-options.ts'

/** Opens the store of the options; undefined for simulations in memory. */
export async function openStored({
  store,
  storeSecrets,
  storeOptions: options = {},
  addresses,
  runtime,
}: ServiceOptions): Promise<Store | undefined> {
  const { durability, migrate } = parseRequest(storeOptions(), options, 'storeOptions')
  const seal = storeSecrets && (await openSeal(storeSecrets))
  if (store === undefined) return undefined
  if (addresses !== 'path')
    throw invalidRequest('Expected `addresses` to be `path` where `store` is given, got `port`.')
  const { openStore } = await import('./store/open-store.ts')
  const clock = runtime?.clock ?? systemRuntime.clock
  const opened = await openStore(store, { engine: ENGINE, clock, durability, migrate })
  return seal === undefined ? opened : seal(opened)
}

/** The encryption of a store with these secrets. Rejects with `invalid_request` for one that is too short. */
async function openSeal(secrets: readonly string[]): Promise<(store: Store) => Store> {
  const [{ sealStore }, { TextSeal }] = await Promise.all([
    import('./store/sealed-store.ts'),
    import('./store/text-seal.ts'),
  ])
  const seal = new TextSeal(secrets)
  return (store) => sealStore(store, seal)
}

/** Checks the store of the options without changing it. Rejects like {@link openStored} and {@link checkNames}. */
export async function checkStored(
  store: string,
  {
    accounts = [],
    runtime,
    storeSecrets,
    storeOptions: options = {},
  }: Pick<ServiceOptions, 'accounts' | 'runtime' | 'storeSecrets' | 'storeOptions'>,
): Promise<StoreFindings> {
  const { migrate } = parseRequest(storeOptions(), options, 'storeOptions')
  const { readAccounts } = await import('./account/account-options.ts')
  checkNames(new Accounts(readAccounts(accounts), { ...systemRuntime, ...runtime }))
  const { checkStore } = await import('./store/open-store.ts')
  const { facts, warnings } = await checkStore(store, ENGINE, migrate)
  return { facts, warnings: [...warnings, ...(storeSecrets === undefined ? [NOT_SEALED] : [])] }
}

/** Warnings for the operator of an open store. */
export async function warnOfStored({ store, storeSecrets }: ServiceOptions): Promise<string[]> {
  if (store === undefined) return []
  const { warnOfStore } = await import('./store/open-store.ts')
  // A store that does not answer gives no warning here: the log and `/readyz` report it.
  const warnings = await warnOfStore(store).catch(() => [])
  return [...warnings, ...(storeSecrets === undefined ? [NOT_SEALED] : [])]
}

const NOT_SEALED =
  'the store is not sealed: it holds records and the secrets of webhooks in clear. Set BACKLOT_SECRET_KEY to encrypt it.'

/** Saves the accounts of the options in the store. Rejects like {@link checkNames}. */
export async function keepAccounts(accounts: Accounts): Promise<void> {
  checkNames(accounts)
  await accounts.start()
}

/** Throws `invalid_request` for two accounts with one name, which identifies them in a store. */
function checkNames(accounts: Accounts): void {
  const names = accounts.configured().map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) {
    throw invalidRequest(`Expected accounts to have names of their own where there is a store, got "${twice}" twice.`)
  }
}
