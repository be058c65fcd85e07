import { type Command, InvalidArgumentError, Option } from 'commander'
import { counted } from '../fixture/table.ts'
import type { HostAccounts, MadeKey } from '../service/account/host-accounts.ts'
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
  readonly idleDays?: number
  readonly pricePerRecord?: number
  readonly pricePerProposal?: number
  readonly credit?: number
}

interface KeyFlags extends StoreFlags {
  readonly readOnly?: boolean
  readonly ipRange?: string[]
  readonly expiresAt?: string
  readonly revoke?: string
}

/** Adds `backlot account` to the program, for operators of a service with a store. */
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
    .option('--idle-days <n>', 'days after which a simulation that is not used is removed', toNumber)
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
  const limits = {
    simulationLimit: flags.simulationLimit,
    requestLimit: flags.requestLimit,
    webhooksPerSimulation: flags.webhookLimit,
    idleDays: flags.idleDays,
    pricePerRecordUsd: flags.pricePerRecord,
    pricePerProposalUsd: flags.pricePerProposal,
  }
  const isLimited = Object.values(limits).some((limit) => limit !== undefined)
  const plan = { name: flags.plan ?? (isLimited ? 'limited' : 'unlimited'), ...limits }
  await using accounts = await openAccounts(flags, command)
  tellKey(flags, `Created the account "${name}".`, await accounts.create({ name, plan, creditUsd: flags.credit }))
}

async function listAccounts(flags: StoreFlags, command: Command): Promise<void> {
  await using opened = await openAccounts(flags, command)
  const accounts = await opened.list()
  if (flags.json) return printJson({ data: accounts })
  if (accounts.length === 0) return printLines(['No accounts: `backlot account create <name>` makes one.'])
  const rows = accounts.map((account) => [
    account.name,
    account.plan.name,
    account.suspended ? 'suspended' : account.subscription,
    String(account.simulations),
    String(account.requestsThisMonth),
    account.creditUsd.toFixed(2),
    account.keys.map(({ beginning, revoked }) => `${beginning}…${revoked ? ' (revoked)' : ''}`).join(' ') || '-',
  ])
  const paintStatus = (status: string) => (status === 'active' ? colors.green(status) : colors.yellow(status))
  printTable(['ACCOUNT', 'PLAN', 'STATUS', 'SIMULATIONS', 'REQUESTS', 'CREDIT', 'KEYS'], rows, [
    colors.bold,
    undefined,
    paintStatus,
  ])
}

async function makeKey(name: string, flags: KeyFlags, command: Command): Promise<void> {
  const { readOnly, ipRange: ipRanges, expiresAt, revoke, json } = flags
  await using accounts = await openAccounts(flags, command)
  if (revoke === undefined) {
    const scopes = readOnly ? (['simulations:read'] as const) : undefined
    const made = await accounts.makeKey(name, { scopes: scopes && [...scopes], ipRanges, expiresAt })
    return tellKey(flags, `Made a key of "${name}".`, made)
  }
  const revoked = await accounts.revoke(name, revoke)
  if (json) return printJson({ account: name, revoked })
  printLines([`Revoked ${counted(revoked, 'key')} of "${name}". Nodes that know it refuse it in 5 s.`])
}

async function suspendAccount(name: string, flags: StoreFlags & { resume?: boolean }, command: Command): Promise<void> {
  const suspended = flags.resume !== true
  await using accounts = await openAccounts(flags, command)
  await accounts.suspend(name, suspended)
  if (flags.json) printJson({ account: name, suspended })
  else printLines([suspended ? `Suspended "${name}". \`--resume\` ends that.` : `"${name}" may go on.`])
}

async function addCredit(name: string, usd: number, flags: StoreFlags, command: Command): Promise<void> {
  await using accounts = await openAccounts(flags, command)
  const creditUsd = await accounts.addCredit(name, usd)
  if (flags.json) printJson({ account: name, creditUsd })
  else printLines([`The credit of "${name}" is ${creditUsd.toFixed(2)} USD.`])
}

/** The accounts of the store in the flags. Ends the process without a store. */
async function openAccounts({ store }: StoreFlags, command: Command): Promise<HostAccounts> {
  if (!store) command.error('error: name the store: --store, or BACKLOT_STORE.')
  const { HostAccounts } = await import('../service/account/host-accounts.ts')
  return HostAccounts.open(store)
}

function tellKey({ json }: StoreFlags, done: string, made: MadeKey): void {
  if (json) printJson(made)
  else printLines([done, `Key: ${made.key}`, 'Keep it now: it is shown only once, and the store holds its hash alone.'])
}

function toNumber(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('Expected a number.')
  return number
}
