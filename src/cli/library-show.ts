import { statSync } from 'node:fs'
import type { LibraryEntry } from '../library/library-entry.ts'
import { didYouMean } from '../names/nearest-name.ts'
import { colors, printJson, printLines } from './terminal.ts'

/** Prints an entry: its description, how to use its SDK with a simulation, and its limits. */
export async function showEntry(source: string, { json }: { json?: boolean }): Promise<void> {
  const { summariseEntry } = await import('../library/library-entry.ts')
  const entry = await findEntry(source)
  const { openapi: _, ...rest } = entry
  if (json) return printJson({ ...rest, operations: summariseEntry(entry).operations })
  const { operations } = summariseEntry(entry)
  printLines([
    `${colors.bold(entry.slug)}  ${entry.name}: ${operations === 0 ? 'the addresses of a sign-in' : `${operations} operations`}`,
    entry.description,
  ])
  printLines(factsOf(entry).map(([name, value]) => `${colors.dim(name.padEnd(10))} ${value}`))
  if (entry.missing !== undefined) printLines(['', 'It does not have:', ...entry.missing.map((one) => `  ${one}`)])
  if (entry.ignored !== undefined)
    printLines([
      '',
      'It takes and ignores:',
      ...entry.ignored.map(({ fields, why }) => `  ${fields.join(', ')}: ${why}`),
    ])
  if (entry.sdk !== undefined)
    printLines(['', `Not affiliated with or endorsed by ${entry.provider}; names belong to their owners.`])
}

function factsOf({
  provider,
  vertical,
  sdk,
  apiVersion,
  connect,
  keyPrefix,
  webhooks,
  errors,
}: LibraryEntry): [string, string][] {
  const types = new Set((webhooks?.events ?? []).flatMap(({ type, types: several }) => several ?? type ?? []))
  const facts: [string, string | undefined][] = [
    ['provider', provider],
    ['vertical', vertical],
    ['version', apiVersion],
    ['SDK', sdk && `${sdk.npm} ${sdk.range}`],
    ['connect', connect],
    ['keys', keyPrefix && `begin with ${[keyPrefix].flat().join(' or ')}`],
    [
      'webhooks',
      webhooks &&
        `${typeof webhooks.scheme === 'string' ? webhooks.scheme : 'a scheme of their own'}${types.size > 0 ? `, ${types.size} types of events` : ''}`,
    ],
    ['errors', errors && `${errors.length} bodies`],
  ]
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined)
}

/** A library entry by the path of its folder, or by its slug. Rejects with the nearest slug. */
async function findEntry(source: string): Promise<LibraryEntry> {
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory()) {
    const { readFolder } = await import('../library/own-entries.ts')
    return readFolder(source)
  }
  const { listEntries, loadEntry } = await import('../library/built-in-entries.ts')
  const entry = await loadEntry(source)
  if (entry !== undefined) return entry
  const slugs = (await listEntries()).map(({ slug }) => slug)
  throw new Error(
    `Failed to find the library entry "${source}": there is no folder and no entry of that name.${didYouMean(source, slugs)} There are: ${slugs.join(', ')}.`,
  )
}
