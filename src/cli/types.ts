import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { readDocument } from './read-document.ts'
import { printLines } from './terminal.ts'

/** Adds `backlot types` to the program. */
export function addTypesCommand(program: Command): void {
  program
    .command('types')
    .description('write TypeScript types of an API: `paths` for openapi-fetch, `Api` for Simulation<Api>')
    .argument('<description>', 'an OpenAPI description (JSON or YAML), or the slug of a library entry')
    .option('-o, --output <file>', 'where to write them (default: to the terminal)')
    .action(runTypes)
}

async function runTypes(source: string, { output }: { output?: string }): Promise<void> {
  const [{ readDescription }, { writeTypes }] = await Promise.all([
    import('../service/openapi/read-description.ts'),
    import('./write-types.ts'),
  ])
  const model = readDescription(await readDocument(source))
  const text = writeTypes(model)
  if (output === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(output, text)
  printLines([`Wrote ${output}: ${model.operations.length} operations, ${model.collections.length} collections.`])
}
