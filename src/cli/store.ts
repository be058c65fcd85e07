import { Argument, type Command } from 'commander'
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
