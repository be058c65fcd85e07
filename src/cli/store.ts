import { Argument, type Command } from 'commander'
import { EXIT } from './exit.ts'
import { readSecrets } from './serve-options.ts'
import { printLines } from './terminal.ts'

/** Adds `backlot store` to the program. */
export function addStoreCommand(program: Command): void {
  const command = program.command('store').description('manage a store of `backlot serve --store`')
  command
    .command('backup')
    .description('copy a store to a new file; the service may keep running')
    .argument('<store>', 'file that `serve --store` was given')
    .argument('<file>', 'file to make')
    .action(backUp)
  command
    .command('migrate')
    .description('upgrade the tables of a store to this release, before nodes are replaced')
    .addArgument(
      new Argument('[store]', 'what `serve --store` is given').default(process.env.BACKLOT_STORE, 'BACKLOT_STORE'),
    )
    .action(migrate)
  command
    .command('reseal')
    .description('encrypt a store anew by the first of BACKLOT_SECRET_KEY, or decrypt it; services may go on meanwhile')
    .addArgument(
      new Argument('[store]', 'what `serve --store` is given').default(process.env.BACKLOT_STORE, 'BACKLOT_STORE'),
    )
    .option('--in-clear', 'decrypt it: services can be started without BACKLOT_SECRET_KEY then')
    .action(reseal)
}

async function reseal(store: string | undefined, { inClear }: { inClear?: boolean }, command: Command): Promise<void> {
  if (!store) command.error('error: name the store: `backlot store reseal <store>`, or BACKLOT_STORE.')
  const secrets = readSecrets(process.env.BACKLOT_SECRET_KEY)
  if (secrets === undefined) {
    const form = inClear ? 'the secrets that have sealed it: "new,old"' : 'the new secret and the old ones: "new,old"'
    command.error(`error: set BACKLOT_SECRET_KEY to ${form}.`)
  }
  const { resealStore } = await import('../service/store/reseal-store.ts')
  const { rewritten, left } = await resealStore(store, secrets, { inClear: inClear ?? false })
  const how = inClear ? 'in clear' : 'sealed by the first secret'
  printLines([`Rewrote ${rewritten} texts: they are ${how} now.`])
  if (left === 0) return
  const next = inClear ? 'Stop all services' : 'Start all services with this secret first'
  printLines([`${left} texts are not: services have written them meanwhile. ${next}, then run it again.`])
  process.exitCode = EXIT.failed
}

async function backUp(store: string, file: string): Promise<void> {
  const { backUpSqlite } = await import('../service/store/open-sqlite.ts')
  await backUpSqlite(store, file)
  printLines([`Copied ${store} to ${file}.`])
}

async function migrate(store: string | undefined, _flags: unknown, command: Command): Promise<void> {
  if (!store) command.error('error: name the store: `backlot store migrate <store>`, or BACKLOT_STORE.')
  const { openStored } = await import('../service/open-stored.ts')
  const opened = await openStored({ store, addresses: 'path' })
  await opened?.close()
  printLines([`The tables have version ${opened?.schema}.`])
}
