import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { didYouMean } from '../names/nearest-name.ts'
import { addAccountCommand } from './account.ts'
import { addCleanupCommand, addReapCommand } from './cleanup.ts'
import { addEnvCommand } from './env.ts'
import { EXIT } from './exit.ts'
import { addHealthCommand } from './health.ts'
import { addInitCommand } from './init.ts'
import { addInspectCommand } from './inspect.ts'
import { addLibraryCommand } from './library.ts'
import { addListCommand } from './list.ts'
import { addServeCommand } from './serve.ts'
import { COMMANDS } from './short-form.ts'
import { addSinkCommand } from './sink.ts'
import { addStoreCommand } from './store.ts'
import { failureLine, printLines } from './terminal.ts'
import { addTriggerCommand } from './trigger.ts'
import { addTypesCommand } from './types.ts'

/** Runs the command of these words. Resolves with the code to exit with at once; undefined where the process ends by itself. */
export async function runCommand(words: readonly string[]): Promise<number | undefined> {
  try {
    await createProgram().parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    process.stderr.write(`${failureLine(error)}\n`)
    process.exitCode = EXIT.failed
  }
}

/** The command line: all commands. Flags of `serve` read the environment as it is now. */
function createProgram(): Command {
  const program = new Command('backlot')
    .description('Stand-in APIs for tests, with a clock that you can turn.')
    .version(createRequire(import.meta.url)('backlot/package.json').version as string)
    .configureHelp({ sortSubcommands: false })
    .exitOverride()

  program.argument('[sources...]', 'short for serve: library entries, files and folders').action(welcome)
  addServeCommand(program)
  addInspectCommand(program)
  addInitCommand(program)
  addTypesCommand(program)
  addLibraryCommand(program)
  addListCommand(program)
  addEnvCommand(program)
  addTriggerCommand(program)
  addCleanupCommand(program)
  addSinkCommand(program)
  addStoreCommand(program)
  addAccountCommand(program)
  addHealthCommand(program)
  addReapCommand(program)

  for (const command of [program, ...program.commands])
    command.showHelpAfterError(
      `Run \`npx backlot ${command === program ? '' : `${command.name()} `}--help\` to see what there is.`,
    )
  return program
}

/** Shows what there is to whoever runs it without a command. A source that exists is `serve` already. */
async function welcome([word]: string[], _: object, command: Command): Promise<void> {
  const { listEntries } = await import('../library/built-in-entries.ts')
  const slugs = (await listEntries()).map(({ slug }) => slug)
  if (word !== undefined)
    command.error(
      `error: unknown command '${word}', and no entry, file or folder.${didYouMean(word, [...COMMANDS, ...slugs])}`,
    )
  printLines([
    command.description(),
    '',
    '  npx backlot stripe github       starts both, and prints how their SDKs find them',
    '  npx backlot ./openapi.yaml      starts an API of your own',
    '  npx backlot init openapi.yaml   writes a folder for it, with a test that passes',
    '  npx backlot env stripe          prints the variables of a running one',
    '  npx backlot --help              all commands',
    '',
    `Library: ${slugs.join(', ')}.`,
  ])
}
