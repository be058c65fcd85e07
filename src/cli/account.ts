import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseIpRanges } from '../protocol/ip-range.ts'
import { parseRequest } from '../protocol/parse-request.ts'
import { systemClock } from '../runtime/clock.ts'
import { monthOf } from '../runtime/date-text.ts'
import { systemRuntime } from '../runtime/runtime.ts'
import type { AccountLedger } from '../service/store/ledger.ts'
import { colors, printJson, printLines, printTable } from './terminal.ts'

interface StoreFlags {
  readonly store?: string
  readonly json?: boolean
}

interface PlanFlags extends StoreFlags {
  readonly plan?: string
  readonly simulationLimit?: number
  readonly requestLimit?: number
  readonly webhookLimit?: number
  readonly pricePerRecord?: number
  readonly pricePerProposal?: number
  readonly credit?: number
}

interface KeyFlags extends StoreFlags {
  readonly readOnly?: boolean
  readonly ipRange?: readonly string[]
  readonly expiresAt?: string
  readonly revoke?: string
}

/** Adds `backlot account` to the program: for whoever hosts a service with a store. */
export function addAccountCommand(program: Command): void {
  const command = program.command('account').description('look after the accounts of a service that has a store')
  const add = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .addOption(new Option('--store <store>', 'what `serve --store` is given').env('BACKLOT_STORE'))
      .option('--json', 'print one line of JSON')
  add('create', 'make an account, and print its first key')
    .argument('<name>', 'of the account: for people')
    .option('--plan <name>', 'name of its plan')
    .option('--simulation-limit <n>', 'most simulations at a time', toNumber)
    .option('--request-limit <n>', 'most requests to simulated APIs in a calendar month (UTC)', toNumber)
    .option('--webhook-limit <n>', 'most webhooks of a simulation', toNumber)
    .option('--price-per-record <usd>', 'what a generated record takes from the credit', toNumber)
    .option('--price-per-proposal <usd>', "what a language model's proposal takes from the credit", toNumber)
    .option('--credit <usd>', 'credit that it begins with', toNumber)
    .action(createAccount)
  add('list', 'list accounts with what they have used').action(listAccounts)
  add('key', 'make another key of an account and print it, or revoke keys')
    .argument('<name>', 'of the account')
    .option('--read-only', 'the key may read and change nothing')
    .option('--ip-range <ranges>', 'addresses and CIDR ranges that may use it, separated by commas', (text) =>
      text.split(','),
    )
    .option('--expires-at <time>', 'when it ends, such as 2027-01-01T00:00:00Z')
    .option('--revoke <beginning>', 'revoke the keys that begin so, in place of making one')
    .action(makeKey)
  add('suspend', 'refuse the management API to all keys of an account')
    .argument('<name>', 'of the account')
    .option('--resume', 'end that')
    .action(suspendAccount)
  add('credit', 'add to the credit of an account')
    .argument('<name>', 'of the account')
    .argument('<usd>', 'US dollars, below zero to take', toNumber)
    .action(addCredit)
}

async function createAccount(name: string, flags: PlanFlags, command: Command): Promise<void> {
  const { accountKeyTerms, accountOptions } = await import('../service/account/account.ts')
  const limits = {
    simulationLimit: flags.simulationLimit,
    requestLimit: flags.requestLimit,
    webhooksPerSimulation: flags.webhookLimit,
    pricePerRecordUsd: flags.pricePerRecord,
    pricePerProposalUsd: flags.pricePerProposal,
  }
  const isLimited = Object.values(limits).some((limit) => limit !== undefined)
  const plan = { name: flags.plan ?? (isLimited ? 'limited' : 'unlimited'), ...withoutUndefined(limits) }
  const {
    creditUsd,
    plan: parsed,
    subscription,
    suspended,
  } = parseRequest(accountOptions, { name, plan, ...withoutUndefined({ creditUsd: flags.credit }) }, 'account')
  await withLedger(flags, command, async (ledger) => {
    const account = { name, terms: JSON.stringify({ plan: parsed, subscription, suspended }), creditUsd }
    if (!(await ledger.addAccount(account))) {
      throw new Error(`Failed to create the account: there is one named "${name}". Choose another name.`)
    }
    const key = await newKey()
    await keepKey(ledger, name, key, accountKeyTerms.parse({}))
    tellKey(flags, `Created the account "${name}".`, { account: name, key })
  })
}

async function listAccounts(flags: StoreFlags, command: Command): Promise<void> {
  const { accountTerms, accountKeyTerms } = await import('../service/account/account.ts')
  const summaries = await withLedger(flags, command, (ledger) => ledger.summaries(monthOf(systemClock.now())))
  const accounts = summaries.map(({ name, terms, isSuspended, creditUsd, simulations, requests, keys }) => {
    const { plan, subscription, suspended } = accountTerms.parse(JSON.parse(terms))
    const used = { creditUsd, simulations, requestsThisMonth: requests }
    const shown = keys.map(({ prefix, terms: ofKey, isRevoked }) => ({
      ...accountKeyTerms.parse(JSON.parse(ofKey)),
      beginning: prefix,
      revoked: isRevoked,
    }))
    return { name, plan, subscription, suspended: suspended || isSuspended, ...used, keys: shown }
  })
  if (flags.json) return printJson({ data: accounts })
  if (accounts.length === 0) return printLines(['No accounts: `backlot account create <name>` makes one.'])
  const rows = accounts.map(
    ({ name, plan, suspended, subscription, simulations, requestsThisMonth, creditUsd, keys }) => [
      name,
      plan.name,
      suspended ? 'suspended' : subscription,
      String(simulations),
      String(requestsThisMonth),
      creditUsd.toFixed(2),
      keys.map(({ beginning, revoked }) => `${beginning}…${revoked ? ' (revoked)' : ''}`).join(' ') || '-',
    ],
  )
  const paintStatus = (status: string) => (status === 'active' ? colors.green(status) : colors.yellow(status))
  printTable(['ACCOUNT', 'PLAN', 'STATUS', 'SIMULATIONS', 'REQUESTS', 'CREDIT', 'KEYS'], rows, [
    colors.bold,
    undefined,
    paintStatus,
  ])
}

async function makeKey(name: string, flags: KeyFlags, command: Command): Promise<void> {
  const { accountKeyTerms } = await import('../service/account/account.ts')
  const { readOnly, ipRange: ipRanges, expiresAt, revoke } = flags
  const scopes = readOnly ? ['simulations:read'] : undefined
  const terms = parseRequest(accountKeyTerms, withoutUndefined({ scopes, ipRanges, expiresAt }), 'key')
  parseIpRanges(terms.ipRanges, '--ip-range')
  await withLedger(flags, command, async (ledger) => {
    if (revoke !== undefined) {
      const revoked = await ledger.revokeKeys(name, revoke)
      if (revoked === 0) {
        throw new Error(
          `Failed to revoke: the account "${name}" has no key that begins with "${revoke}". See \`backlot account list\`.`,
        )
      }
      if (flags.json) printJson({ account: name, revoked })
      else
        printLines([
          `Revoked ${revoked} ${revoked === 1 ? 'key' : 'keys'} of "${name}". Nodes that know it refuse it in 5 s.`,
        ])
      return
    }
    const key = await newKey()
    await keepKey(ledger, name, key, terms)
    tellKey(flags, `Made a key of "${name}".`, { account: name, key })
  })
}

async function suspendAccount(name: string, flags: StoreFlags & { resume?: boolean }, command: Command): Promise<void> {
  const suspended = flags.resume !== true
  const isThere = await withLedger(flags, command, (ledger) => ledger.suspend(name, suspended))
  if (!isThere) throw noAccount(name)
  if (flags.json) printJson({ account: name, suspended })
  else printLines([suspended ? `Suspended "${name}". \`--resume\` ends that.` : `"${name}" may go on.`])
}

async function addCredit(name: string, usd: number, flags: StoreFlags, command: Command): Promise<void> {
  await withLedger(flags, command, async (ledger) => {
    const isDone = await ledger.addCredit(name, usd)
    const [account] = await ledger.accounts([name])
    if (account === undefined) throw noAccount(name)
    const { creditUsd } = account
    if (!isDone) throw new Error(`Failed to take ${-usd} USD: the account "${name}" has ${creditUsd}. Take less.`)
    if (flags.json) printJson({ account: name, creditUsd })
    else printLines([`The credit of "${name}" is ${creditUsd.toFixed(2)} USD.`])
  })
}

/** Does `work` with the accounts of the store that the flags name. Ends the process where they name none. */
async function withLedger<T>(
  { store }: StoreFlags,
  command: Command,
  work: (ledger: AccountLedger) => Promise<T>,
): Promise<T> {
  if (!store) command.error('error: name the store: --store, or BACKLOT_STORE.')
  const { openLedger } = await import('../service/store/open-store.ts')
  const opened = await openLedger(store)
  try {
    return await work(opened.ledger)
  } finally {
    await opened.close()
  }
}

async function newKey(): Promise<string> {
  const { newAccountKey } = await import('../service/account/account-key.ts')
  return newAccountKey(systemRuntime)
}

/** Characters of a key that tell it from others. */
const BEGINNING = 16

async function keepKey(ledger: AccountLedger, account: string, key: string, terms: object): Promise<void> {
  const { hashOfKey } = await import('../service/account/account-key.ts')
  const hash = hashOfKey(key).toString('hex')
  const isKept = await ledger.addKey({ hash, account, prefix: key.slice(0, BEGINNING), terms: JSON.stringify(terms) })
  if (!isKept) throw noAccount(account)
}

function tellKey({ json }: StoreFlags, done: string, made: { readonly account: string; readonly key: string }): void {
  if (json) printJson(made)
  else printLines([done, `Key: ${made.key}`, 'Keep it now: it is shown only once, and the store holds its hash alone.'])
}

function noAccount(name: string): Error {
  return new Error(`Failed to find the account: there is none named "${name}". See \`backlot account list\`.`)
}

function toNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('Expected a number.')
  return number
}

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
