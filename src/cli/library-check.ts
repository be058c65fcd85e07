import { EXIT } from './exit.ts'
import { colors, printLines, warningLine } from './terminal.ts'

/** Prints what of an entry is proved and what no step has shown. Rejects where something is not as the entry says. */
export async function checkFolder(folder: string): Promise<void> {
  const { MOST_BYTES, proveEntry } = await import('./prove-entry.ts')
  const { entry, operations, warnings, bytes, sdk, proved } = await proveEntry(folder)
  const ok = colors.green('ok')
  printLines([`${colors.bold(entry.slug)}: ${operations} operations. It can be read, and a simulation be made of it.`])
  printLines(warnings.map(warningLine))
  printLines([`${ok} ${(bytes / 1_000).toFixed(1)} kB compressed, and the same records from one seed.`])
  if (bytes > MOST_BYTES) printLines([warningLine(`An entry that ships takes at most ${MOST_BYTES / 1_000} kB.`)])
  if (sdk !== undefined)
    printLines([
      `${sdk.isInRange ? ok : colors.yellow('warning')} ${entry.sdk?.npm} ${sdk.version} is installed, the entry is for ${entry.sdk?.range}.`,
    ])
  if (proved === undefined) return printLines(['It has no verify.yaml, so that nothing else was checked.'])
  const { steps, deliveries, types, isOfficial, unseen, unfit } = proved
  printLines([`${ok} ${steps} steps of verify.yaml.`])
  if (deliveries > 0)
    printLines([
      `${ok} ${deliveries} deliveries of ${types} types are verified${isOfficial ? ", by the provider's own verifier too" : ''}, and refused altered or too old.`,
    ])
  printLines(unseen.map((sentence) => `${colors.red('missing')} ${sentence}`))
  printLines(unfit.map((sentence) => `${colors.red('unfit')} ${sentence}`))
  if (unseen.length + unfit.length > 0) process.exitCode = EXIT.failed
}
