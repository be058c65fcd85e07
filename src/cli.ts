#!/usr/bin/env node
/**
 * The command `backlot`. Exit codes: 0 done; 1 it failed; 2 wrong usage; 3 `cleanup --dry-run` found something.
 *
 * @module
 */
import './runtime/needed-node.ts'
import { text } from 'node:stream/consumers'
import { isMainThread } from 'node:worker_threads'
import { EXIT } from './cli/exit.ts'
import { runInThread } from './cli/serve-thread.ts'
import { expandShortForm } from './cli/short-form.ts'
import { GOODBYE } from './fixture/run/reaper.ts'
import { keepCompiledCode } from './runtime/compile-cache.ts'

// A reader such as `head` that stops early is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(EXIT.done)
})

if (isMainThread)
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...expandShortForm(process.argv.slice(2), import.meta.dirname))
if (isMainThread && process.argv[2] === 'serve') runInThread(new URL(import.meta.url))
else {
  if (!process.env.NODE_V8_COVERAGE) keepCompiledCode()
  const words = await wordsOf(process.argv.slice(2))
  const code = words && (await (await import('./cli/program.ts')).runCommand(words))
  if (code !== undefined) process.exit(code)
}

/** `backlot reap`, which fixtures start: waits for a test worker to end. Most end well, and their reapers load no program. */
async function wordsOf(words: readonly string[]): Promise<readonly string[] | undefined> {
  if (words[0] !== 'reap') return words
  const lines = (await text(process.stdin)).trim().split('\n')
  return lines[0] === '' || lines.includes(GOODBYE) ? undefined : ['reap', lines[0] as string]
}
