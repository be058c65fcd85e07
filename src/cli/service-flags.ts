import { type Command, Option } from 'commander'
import { toBaseUrl } from '../client/base-url.ts'
import { readAddress, type ServiceAddress } from '../fixture/run/environment.ts'
import { findRunning } from './running.ts'

/** Flags of the commands that call a service. */
export interface ServiceFlags {
  url?: string
  accountKey?: string
  ca?: string
}

/** Adds `--url` and `--account-key`, with defaults from BACKLOT_URL and BACKLOT_ACCOUNT_KEY. */
export function addServiceFlags(command: Command): Command {
  return command
    .addOption(new Option('--url <url>', 'address of the simulation service').env('BACKLOT_URL'))
    .addOption(new Option('--account-key <key>', 'account key').env('BACKLOT_ACCOUNT_KEY'))
    .addOption(new Option('--ca <pem>', "PEM of the service's own authority").env('BACKLOT_CA').hideHelp())
}

/** The service in the flags; undefined without one. Throws when only one of the two flags is given. */
export function findService({ url, accountKey, ca }: ServiceFlags): ServiceAddress | undefined {
  if (!url && !accountKey) return undefined
  if (!url) throw new Error('Failed to find the service: there is no address. Set BACKLOT_URL or pass --url.')
  if (!accountKey) {
    throw new Error('Failed to find the service: there is no key. Set BACKLOT_ACCOUNT_KEY or pass --account-key.')
  }
  const baseUrl = toBaseUrl(url, 'the address of the service (BACKLOT_URL or --url)')
  return readAddress({ baseUrl, accountKey, ca: ca || undefined })
}

/** The service in the flags, else the latest of this user that runs on this machine. */
export function getService(flags: ServiceFlags): ServiceAddress {
  const service = findService(flags)
  if (service) return service
  const [running] = findRunning()
  if (running) return readAddress({ baseUrl: toBaseUrl(running.url), accountKey: running.accountKey, ca: running.ca })
  throw new Error(
    'Failed to find the service: neither address nor key is given, and no `backlot serve` of yours runs here. Set BACKLOT_URL and BACKLOT_ACCOUNT_KEY; simulations of the embedded service end with their process and leave nothing behind.',
  )
}
