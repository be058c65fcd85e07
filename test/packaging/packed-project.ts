import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeTool } from '../../scripts/node-tool.ts'
import { runCommand } from '../support/run-command.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** The package as npm packs it, in a folder of its own. `dist/` must have been built. */
export async function pack(): Promise<{ tarball: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-pack-'))
  await run(...nodeTool('npm', ['pack', '--ignore-scripts', '--pack-destination', folder]), { cwd: root })
  const [name = ''] = await readdir(folder)
  return { tarball: join(folder, name), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/**
 * A project of a user, outside the repository and in a folder with a space, with the tarball and these packages (of
 * the versions here) installed.
 */
export async function createProject(
  tarball: string,
  packages: string[],
): Promise<{ folder: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot project-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'scratch', private: true, type: 'module' }))
  const wanted = await Promise.all(packages.map(async (name) => `${name}@${await installedVersion(name)}`))
  const { exitCode, output } = await runCommand(
    ...nodeTool('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...wanted]),
    { cwd: folder },
  )
  if (exitCode !== 0) throw new Error(`Failed to install the tarball: ${output}`)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** The code blocks of the README that say which file they are: `// tasks.test.ts`. */
export async function readmeExamples(): Promise<Map<string, string>> {
  const text = await readFile(join(root, 'README.md'), 'utf8')
  const blocks = text.matchAll(/```ts\n\/\/ ([^\s/]+\.ts)\n([\s\S]*?)```/g)
  return new Map([...blocks].map(([, name = '', code = '']) => [name, code]))
}

async function installedVersion(name: string): Promise<string> {
  const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
