import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The commands of the program: a word that is none of them may be a source. */
export const COMMANDS: readonly string[] = [
  ...['serve', 'inspect', 'init', 'types', 'library', 'list', 'trigger', 'cleanup', 'sink', 'store', 'account'],
  ...['env', 'health', 'reap', 'help'],
]

/** What `backlot stripe` is short for. */
const SERVE = ['serve', '--ports', '--any-key', '--allow-private-webhooks', '127.0.0.1/32']

/** `serve` with its options where the first word is a library entry, a file or a folder; else the same words. */
export function expandShortForm(words: readonly string[], folder: string): readonly string[] {
  const [first = '-'] = words
  if (first.startsWith('-') || COMMANDS.includes(first)) return words
  const entries = [join(folder, 'library', `${first}.json.br`), join(folder, '../library', first, 'entry.yaml')]
  return [first, ...entries].some((path) => existsSync(path)) ? [...SERVE, ...words] : words
}
