import { writeFile } from 'node:fs/promises'
import { isatty } from 'node:tty'
import { createColors } from 'picocolors'
import { toTable } from '../fixture/table.ts'
import { ApiError } from '../protocol/errors.ts'

/**
 * Colours on a terminal; none in a pipe, in a file or with NO_COLOR. The streams of a thread do not know whether they
 * are a terminal.
 */
export const colors = createColors(isatty(1) && !process.env.NO_COLOR)

export const warningLine = (warning: string): string => `${colors.yellow('warning')} ${warning}`

/** Whether stderr, which shows progress, is a terminal. */
const isWatched = (): boolean => process.stderr.isTTY === true

/** Prints one JSON document on stdout, with control characters as escapes, as JSON has them. */
export function printJson(value: unknown): void {
  process.stdout.write(`${toPrintable(JSON.stringify(value))}\n`)
}

export function printLines(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.map(keepColours).join('\n')}\n`)
}

/** Control characters, and characters that change the direction of text: a name must not control a terminal. */
const UNPRINTABLE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu
/** The colour codes of this folder: a regular expression may not contain the control character itself. */
const PAINTED = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:0|1|2|22|3[1-9]|90)m)`)

/** `text` with control characters as escapes: `\u001b`. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** {@link toPrintable} except colours. */
function keepColours(line: string): string {
  return line
    .split(PAINTED)
    .map((part, at) => (at % 2 === 1 ? part : toPrintable(part)))
    .join('')
}

/** Prints aligned columns below dimmed titles. `paint` colours the cells of a column. */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: readonly (((text: string) => string) | undefined)[] = [],
): void {
  printLines(
    toTable([titles, ...rows.map((row) => row.map((cell) => toPrintable(cell).replaceAll('\n', '\\n')))], {
      paint: (cell, row, column) => (row === 0 ? colors.dim(cell) : (paint[column]?.(cell) ?? cell)),
    }),
  )
}

/** Prints a line of progress that the next one replaces; nothing when stderr is not a terminal. */
export function showProgress(text: string): void {
  if (isWatched()) process.stderr.write(`\r\u001b[K${toPrintable(text)}`)
}

/** Removes the line of progress. */
export function endProgress(): void {
  if (isWatched()) process.stderr.write('\r\u001b[K')
}

/** Writes a PEM to the file of `--ca-file`. */
export async function writeAuthority(file: string, ca: string): Promise<void> {
  await writeFile(file, ca).catch((cause: Error) => {
    throw new Error(`Failed to write the authority to --ca-file: ${cause.message}.`, { cause })
  })
}

/** An error, each further fault on a line below it; this package's messages include the next step. */
export function failureLine(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split(/\s*\n\s*/)
  const message = lines.map(toPrintable).join('\n  ')
  const isRefused = error instanceof ApiError && (error.status === 401 || error.status === 403)
  return isRefused ? `${message} Check BACKLOT_ACCOUNT_KEY (or --account-key).` : message
}
