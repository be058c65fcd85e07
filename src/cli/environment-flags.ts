import type { Command, Option } from 'commander'

const OFF = ['', '0', 'false', 'no', 'off']
const ON = ['1', 'true', 'yes', 'on']

/** The variable that fills an option: `BACKLOT_OPS_PORT` for `--ops-port`. */
const variableOf = (option: Option): string => `BACKLOT_${option.name().replaceAll('-', '_').toUpperCase()}`

/**
 * Adds an option that a variable of the environment fills, unless the flag is given. An empty variable counts as none, as compose files
 * pass it; a switch is on at `1`, `true`, `yes` and `on`.
 */
export function addEnvironmentFlag(command: Command, option: Option): void {
  const variable = variableOf(option)
  const text = process.env[variable]
  command.addOption(isOff(option, text) ? option : option.env(variable))
  if (!option.isBoolean() || text === undefined) return
  command.hook('preAction', () => {
    if ([...OFF, ...ON].includes(text.toLowerCase())) return
    command.error(`error: expected ${variable} to be 1 or 0, got ${JSON.stringify(text.slice(0, 100))}.`)
  })
}

const isOff = (option: Option, text: string | undefined): boolean =>
  text !== undefined && (option.isBoolean() ? OFF.includes(text.toLowerCase()) : text === '')
