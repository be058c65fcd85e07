import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = join(import.meta.dirname, '../../src')

/** The names of the classes of one room, as built files declare them. */
export function classesDeclaredIn(room: string, text: string): string[] {
  const names = globSync(`${room}/**/*.ts`, { cwd: sources }).flatMap((file) =>
    [...readFileSync(join(sources, file), 'utf8').matchAll(/^export class (\w+)/gm)].map(([, name = '']) => name),
  )
  const declared = new Set([...text.matchAll(/\bclass _?(\w+)/g)].map(([, name = '']) => name))
  return names.filter((name) => declared.has(name))
}
