import type { Command } from 'commander'
import type { ManagementClient } from '../client/management-client.ts'
import { EmbeddedService, openService } from '../fixture/run/open-service.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { EXIT } from './exit.ts'
import { showEntry } from './library-show.ts'
import { addServiceFlags, findService, type ServiceFlags } from './service-flags.ts'
import { colors, printJson, printLines, printTable, warningLine } from './terminal.ts'

interface LibraryFlags extends ServiceFlags {
  json?: boolean
}

/** Adds `backlot library` to the program. */
export function addLibraryCommand(program: Command): void {
  const library = addServiceFlags(program.command('library'))
    .description('list the prebuilt APIs: of the hosted service where one is set, else the built-in ones')
    .argument('[text]', 'only entries that hold this text')
    .option('--json', 'print them as one line of JSON')
    .action(runLibrary)
  library
    .command('show')
    .description('show what an entry is, how its SDK is pointed at a simulation, and what it does not do')
    .argument('<entry>', 'the slug of an entry, or the folder of one')
    .action((entry: string) => showEntry(entry, library.opts()))
  library
    .command('check')
    .description("read an entry's folder, make a simulation of it and run the steps of its verify.yaml")
    .argument('<folder>', 'the folder of an entry')
    .action(checkFolder)
}

async function runLibrary(text: string | undefined, flags: LibraryFlags): Promise<void> {
  const service = await openService(findService(flags), new EmbeddedService())
  try {
    const entries = await service.client.searchLibrary({ ...(text !== undefined && { q: text }), limit: 200 })
    if (flags.json) return printJson({ data: entries })
    if (entries.length === 0) return printLines([await explainNone(service.client, text)])
    const rows = await Promise.all(
      entries.map(async ({ slug, name, vertical, operations, description }) => [
        slug,
        vertical,
        operations === 0 ? 'sign-in' : String(operations),
        await sdkOf(slug, name),
        description.split('\n')[0] ?? '',
      ]),
    )
    printTable(['ENTRY', 'VERTICAL', 'OPERATIONS', 'SDK', 'DESCRIPTION'], rows, [colors.bold])
  } finally {
    await service.release()
  }
}

async function explainNone(client: ManagementClient, text = ''): Promise<string> {
  const slugs = (await client.searchLibrary()).map(({ slug }) => slug)
  return `No entry has the text "${text}".${didYouMean(text, slugs)} What is not in the library comes from its description: \`npx backlot inspect openapi.yaml\`.`
}

/**
 * The tested official client of a built-in entry, which the wire format does not have. A hosted service may have
 * another entry with the same slug.
 */
async function sdkOf(slug: string, name: string): Promise<string> {
  const { loadEntry } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(slug)
  return entry?.sdk === undefined || entry.name !== name ? '' : `${entry.sdk.npm} ${entry.sdk.range}`
}

/** Prints the proved parts of an entry and those that no step has shown. Rejects at the first fault. */
async function checkFolder(folder: string): Promise<void> {
  const { MOST_BYTES, proveEntry } = await import('./prove-entry.ts')
  const { entry, operations, warnings, bytes, sdk, unread, proved } = await proveEntry(folder)
  const ok = colors.green('ok')
  printLines([`${colors.bold(entry.slug)}: ${operations} operations. It can be read, and a simulation be made of it.`])
  printLines(warnings.map(warningLine))
  printLines([`${ok} ${(bytes / 1_000).toFixed(1)} kB compressed, and the same records from one seed.`])
  if (bytes > MOST_BYTES) printLines([warningLine(`An entry that ships takes at most ${MOST_BYTES / 1_000} kB.`)])
  if (sdk !== undefined)
    printLines([
      `${sdk.isInRange ? ok : colors.yellow('warning')} ${entry.sdk?.npm} ${sdk.version} is installed, the entry is for ${entry.sdk?.range}.`,
    ])
  printLines(unread.map((sentence) => `${colors.red('unread')} ${sentence}`))
  if (unread.length > 0) process.exitCode = EXIT.failed
  if (proved === undefined) return printLines(['It has no verify.yaml, so that nothing else was checked.'])
  const { steps, deliveries, types, isOfficial, unseen, unfit, fillers } = proved
  printLines([`${ok} ${steps} steps of verify.yaml.`])
  if (deliveries > 0)
    printLines([
      `${ok} ${deliveries} deliveries of ${types.length} types are verified${isOfficial ? ", by the provider's own verifier too" : ''}, and refused altered or too old.`,
    ])
  printLines(unseen.map((sentence) => `${colors.red('missing')} ${sentence}`))
  printLines(unfit.map((sentence) => `${colors.red('unfit')} ${sentence}`))
  printLines(fillers.map((sentence) => `${colors.red('filler')} ${sentence}`))
  if (unseen.length + unfit.length + fillers.length > 0) process.exitCode = EXIT.failed
}
