#!/usr/bin/env node
/**
 * The command `backlot`. Exit codes: 0 done; 1 it failed; 2 wrong usage; 3 `cleanup --dry-run` found something.
 *
 * @module
 */
import './runtime/needed-node.ts'
import { createRequire } from 'node:module'
import { Command } from 'commander'
import { addCleanupCommand, addReapCommand } from './cli/cleanup.ts'
import { addInspectCommand } from './cli/inspect.ts'
import { addLibraryCommand } from './cli/library.ts'
import { addListCommand } from './cli/list.ts'
import { addServeCommand } from './cli/serve.ts'
import { addSinkCommand } from './cli/sink.ts'
import { EXIT, failureLine } from './cli/terminal.ts'
import { addTriggerCommand } from './cli/trigger.ts'
import { addTypesCommand } from './cli/types.ts'

const program = new Command('backlot')
  .description('Stand-in APIs for tests, with a clock that you can turn.')
  .version(createRequire(import.meta.url)('backlot/package.json').version as string)
  .showHelpAfterError('Run `backlot --help` to see what there is.')
  .configureHelp({ sortSubcommands: false })
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage)
  })

addServeCommand(program)
addInspectCommand(program)
addTypesCommand(program)
addLibraryCommand(program)
addListCommand(program)
addTriggerCommand(program)
addCleanupCommand(program)
addSinkCommand(program)
addReapCommand(program)

// A reader such as `head` that has seen enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
})

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${failureLine(error)}\n`)
  process.exitCode = EXIT.failed
})
