import type { Service } from '../service/start.ts'
import { colors } from './terminal.ts'

/** What `backlot serve` says when it is ready: where it is, and how a suite is pointed at it. */
export function describeService(service: Service, caFile: string | undefined): string[] {
  const exports = [
    `export BACKLOT_URL=${service.url}`,
    `export BACKLOT_ACCOUNT_KEY=${service.accountKey}`,
    ...(caFile === undefined ? [] : [`export BACKLOT_CA="$(cat ${caFile})"`]),
  ]
  const simulations = service.simulations.flatMap(({ slug, url, apiKey }) => [
    `  ${colors.bold(slug)}  ${url}`,
    `  ${' '.repeat(slug.length)}  key ${apiKey}`,
  ])
  return [
    `Simulation service at ${colors.cyan(service.url)}`,
    '',
    `  account key  ${service.accountKey}`,
    '',
    ...(simulations.length === 0 ? [] : ['Simulations:', ...simulations, '']),
    'Point test suites at it:',
    ...exports.map((line) => `  ${line}`),
    ...(service.ca !== undefined && caFile === undefined
      ? ['', 'Its certificate is its own: --ca-file <path> writes the authority to trust.']
      : []),
    '',
    colors.dim('Data lives in memory and is gone when this process ends. Stop it with Ctrl-C.'),
  ]
}
