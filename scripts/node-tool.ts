import { join } from 'node:path'

/** Scripts of the tools, below `node_modules/`. */
const SCRIPTS = {
  biome: '@biomejs/biome/bin/biome',
  playwright: '@playwright/test/cli.js',
  tsc: 'typescript/bin/tsc',
  vitest: 'vitest/vitest.mjs',
} as const

export type NodeTool = keyof typeof SCRIPTS | 'npm'

/**
 * Command and arguments that start a tool on any system: Windows starts the shims of `node_modules/.bin` by a shell alone.
 * The tools run on the Node that `TEST_NODE` names. @default the Node of this process
 */
export function nodeTool(name: NodeTool, args: readonly string[]): [command: string, args: string[]] {
  const node = process.env.TEST_NODE ?? process.execPath
  if (name !== 'npm') return [node, [join(import.meta.dirname, '../node_modules', SCRIPTS[name]), ...args]]
  const script = process.env.npm_execpath
  return script === undefined ? ['npm', [...args]] : [node, [script, ...args]]
}
