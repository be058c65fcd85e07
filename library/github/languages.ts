import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { listOf } from '../shared/values.ts'

/** Languages by the ends of file names. */
const ENDS: Readonly<Record<string, string>> = {
  JavaScript: 'js mjs cjs jsx',
  TypeScript: 'ts tsx',
  Python: 'py',
  Ruby: 'rb',
  Go: 'go',
  Rust: 'rs',
  Java: 'java',
  Kotlin: 'kt',
  C: 'c h',
  'C++': 'cpp',
  'C#': 'cs',
  PHP: 'php',
  Swift: 'swift',
  Shell: 'sh',
  HTML: 'html',
  CSS: 'css',
  SCSS: 'scss',
  Vue: 'vue',
  Dart: 'dart',
  Scala: 'scala',
}

/** The bytes of each language in files, the largest first. */
export function languages(files: Json): JsonObject {
  const sizes = new Map<string, number>()
  for (const { path, size = 0 } of listOf(files)) {
    const end = String(path).split('.').at(-1) ?? ''
    const [name] = Object.entries(ENDS).find(([, ends]) => ends.split(' ').includes(end)) ?? []
    if (name !== undefined) sizes.set(name, (sizes.get(name) ?? 0) + Number(size))
  }
  return Object.fromEntries([...sizes].toSorted(([, left], [, right]) => right - left))
}

export const mainLanguage = (files: Json): string | null => Object.keys(languages(files))[0] ?? null
