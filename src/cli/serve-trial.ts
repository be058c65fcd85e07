import type { HostsAccess } from '../fixture/hosts/process-hosts.ts'
import type { LibraryEntry } from '../library/library-entry.ts'
import type { OperatedService } from '../service/service-options.ts'
import type { ServiceOptions } from '../service/start.ts'
import { inShell } from './env.ts'
import type { ServeFlags } from './serve-flags.ts'
import { colors, warningLine } from './terminal.ts'

type Created = OperatedService['simulations'][number]

/** The simulations of `backlot serve`, for people who try them. */
export interface Trial {
  readonly simulations: readonly (Created & {
    /** The line of code that connects the provider's SDK. */
    readonly connect?: string
    /** The variables that the provider's guides name. */
    readonly env: Readonly<Record<string, string>>
  })[]
  /** Their host names, with `--hosts`. */
  readonly hosts: (Pick<HostsAccess, 'env'> & { readonly close: () => Promise<void> }) | undefined
}

export async function openTrial(
  service: OperatedService,
  { simulations: asked = [] }: ServiceOptions,
  { hosts }: ServeFlags,
): Promise<Trial> {
  const { loadEntry } = await import('../library/built-in-entries.ts')
  const simulations = await Promise.all(
    service.simulations.map(async (created, at) => {
      const { library } = asked[at] ?? {}
      const entry = library === undefined ? undefined : await loadEntry(library)
      return { ...created, ...connectionOf(created, entry) }
    }),
  )
  return { simulations, hosts: hosts === undefined ? undefined : await openHosts(service) }
}

async function openHosts({ simulations, call, ca }: OperatedService): Promise<Trial['hosts']> {
  const { NamedHosts } = await import('../fixture/hosts/named-hosts.ts')
  const opened = await NamedHosts.open({ holdsProcess: true })
  try {
    for (const { id, slug, url } of simulations) {
      const { hosts } = await call('readSimulation', { parameters: { id } })
      if (Object.keys(hosts).length > 0)
        opened.port.add({ owner: slug, place: { url: new URL(url), ca, proxy: undefined }, hosts })
    }
  } catch (error) {
    await opened.close()
    throw error
  }
  return { env: opened.env, close: () => opened.close() }
}

/** What connects the SDK of an entry: its line of code and its variables, with address and key. An API without such has `SHOP_URL` and `SHOP_KEY`. */
function connectionOf({ slug, url, apiKey }: Created, { connect, env, keyPrefix = '' }: Partial<LibraryEntry> = {}) {
  const name = slug.toUpperCase().replaceAll('-', '_')
  const own = { [`${name}_URL`]: '{url}', ...(env === undefined && { [`${name}_KEY`]: '{key}' }) }
  const named = JSON.stringify(env)?.includes('{url}') ? env : { ...env, ...own }
  const key = `${[keyPrefix].flat()[0] ?? ''}${apiKey}`
  const values = { key, url }
  const fill = (text: string) => text.replace(/\{(key|url)\}/g, (_, name: 'key' | 'url') => values[name])
  return {
    apiKey: key,
    env: Object.fromEntries(Object.entries(named ?? {}).map(([variable, text]) => [variable, fill(text)])),
    ...(connect !== undefined && { connect: fillCode(connect, { url: new URL(url), apiKey, key }) }),
  }
}

/** A line of code with values in the place of its variables. */
function fillCode(code: string, { url, apiKey, key }: { url: URL; apiKey: string; key: string }): string {
  const { hostname, port } = url
  const address = url.href.replace(/\/$/, '')
  const ofName: Record<string, string> = {
    host: `'${hostname}'`,
    hostname: `'${hostname}'`,
    port,
    url: `'${address}'`,
    key: `'${key}'`,
  }
  const filled = (_: string, name: string) => (name === 'key' ? apiKey : address)
  return code
    .replace(/`([^`]*\$\{[^`]*)`/g, (_, text: string) => `'${text.replace(/\$\{(key|url)\}/g, filled)}'`)
    .replace(/(?<=[{,] *)(host|port)(?= *[,}])/g, (name) => `${name}: ${ofName[name]}`)
    .replace(/(?<=[(:,] *)(hostname|url|key)(?= *[,)}])/g, (name) => ofName[name] ?? name)
}

/** What a key copies: the line that connects each simulation, and their variables. */
export function copiesOf({ simulations }: Trial): string[] {
  const variables = simulations.flatMap(({ env }) => Object.entries(env))
  return [
    ...simulations.map(({ connect, curl }) => connect ?? curl),
    `export ${variables.map(([name, value]) => `${name}=${inShell(value)}`).join(' ')}`,
  ]
}

/**
 * Lines for `backlot stripe github`: where each simulation is, and how its SDK finds it.
 *
 * @param hasKeys whether the number before a line copies it
 */
export function describeTrial(trial: Trial, hasKeys: boolean): string[] {
  const width = Math.max(...trial.simulations.map(({ slug }) => slug.length))
  const numbered = copiesOf(trial).map((line, at) => (hasKeys ? `${colors.dim(`[${at + 1}]`)} ${line}` : line))
  return [
    ...trial.simulations.flatMap(({ slug, url, apiKey, warnings = [] }, at) => [
      `${colors.bold(slug.padEnd(width))}  ${colors.cyan(url)}  key ${apiKey}`,
      `${' '.repeat(width)}  ${numbered[at]}`,
      ...warnings.map(warningLine),
    ]),
    '',
    ...numbered.slice(-1),
    ...(hasKeys ? [colors.dim('Press a number to copy its line.')] : []),
    '',
    ...describeHosts(trial),
  ]
}

/** Lines with the variables of `--hosts`. */
export function describeHosts({ hosts }: Trial): string[] {
  if (hosts === undefined) return []
  const lines = Object.entries(hosts.env).map(([name, value]) => `  export ${name}='${value}'`)
  return ['Start your application with these variables, and its SDKs need no address:', ...lines, '']
}
