import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The commands of the program: a word that is none of them may be a source. */
export const COMMANDS: readonly string[] = [
  ...['serve', 'inspect', 'init', 'types', 'library', 'list', 'trigger', 'cleanup', 'sink', 'store', 'account'],
  ...['env', 'health', 'reap', 'help'],
]

/** What `backlot stripe` is short for. */
const SERVE = ['serve', '--ports', '--any-key', '--allow-private-webhooks', '127.0.0.1/32']

/** `serve` with its options where the first word, or one after options, is a library entry, a file or a folder; else the same words. */
export function expandShortForm(words: readonly string[], folder: string): readonly string[] {
  const isSource = (word: string) =>
    [word, join(folder, 'library', `${word}.json.br`), join(folder, '../library', word, 'entry.yaml')].some(existsSync)
  const [first = '-'] = words
  const named = first.startsWith('-') ? words.find((word) => COMMANDS.includes(word) || isSource(word)) : first
  return named === undefined || COMMANDS.includes(named) || !isSource(named) ? words : [...SERVE, ...words]
}
