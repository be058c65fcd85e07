import type { Command } from 'commander'
import { printLines } from './terminal.ts'

/** Adds `backlot store` to the program. */
export function addStoreCommand(program: Command): void {
  program
    .command('store')
    .description('look after what `backlot serve --store` keeps')
    .command('backup')
    .description('copy a store to a new file; the service may go on writing meanwhile')
    .argument('<store>', 'file that `serve --store` was given')
    .argument('<file>', 'file to make')
    .action(backUp)
}

async function backUp(store: string, file: string): Promise<void> {
  const { backUpSqlite } = await import('../service/store/open-sqlite.ts')
  await backUpSqlite(store, file)
  printLines([`Copied ${store} to ${file}.`])
}
