import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** Chunks that become one file: all that `roots` load at once, without what an earlier group holds. */
export interface ChunkGroup {
  /** Of the file: `core` becomes `core.js`. */
  name: string
  /** Files that load the chunks, relative to the folder. */
  roots: (file: string) => boolean
}

/** What one statement takes from a chunk. */
interface Import {
  statement: string
  /** Relative to the folder. */
  file: string
  /** `name` or `name as local`. */
  specifiers: string[]
}

const STATIC_IMPORT = /^import(?: \{([^}]*)\} from)? "(\.[^"]+)";$/gm
const EXPORTS = /^export \{([^}]*)\};$/m
const CHUNK = /^chunk-\w+\.js$/

/**
 * Merges the chunks that a bundler made of code that several entries share. It makes one for each set of entries, and each
 * module costs a cold start some 0.8 ms, whatever its size: 22 of them cost a test file as much as its whole fixture.
 */
export async function mergeChunks(folder: string, groups: readonly ChunkGroup[]): Promise<void> {
  for (const { name, roots } of groups) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
    const chunks = reachableChunks(folder, files.filter(roots))
    await writeMerged(folder, name, chunks)
    for (const file of files) {
      if (chunks.includes(file)) rmSync(join(folder, file))
      else redirect(folder, file, { name, chunks })
    }
  }
}

function reachableChunks(folder: string, roots: readonly string[]): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    for (const imported of importsOf(folder, file)) {
      if (!CHUNK.test(imported.file) || found.has(imported.file)) continue
      found.add(imported.file)
      visit(imported.file)
    }
  }
  for (const root of roots) visit(root)
  return [...found].sort()
}

async function writeMerged(folder: string, name: string, chunks: readonly string[]): Promise<void> {
  const lines = chunks.map((file) => {
    const names = exportsOf(folder, file).map((exported) => `${exported} as ${aliasOf(file, exported)}`)
    return `export { ${names.join(', ')} } from './${file}'`
  })
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: folder },
    outfile: join(folder, `${name}.js`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    plugins: [onlyChunks(chunks)],
  })
}

/** Keeps what is no chunk of the group, and what is loaded later, where it is. */
function onlyChunks(chunks: readonly string[]): Plugin {
  return {
    name: 'only-chunks',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, kind }) => {
        const isMerged = kind === 'import-statement' && chunks.includes(path.replace('./', ''))
        return isMerged ? undefined : { path, external: true }
      })
    },
  }
}

/** Makes a file take from the merged file what it took from its chunks. */
function redirect(folder: string, file: string, { name, chunks }: { name: string; chunks: readonly string[] }): void {
  const merged = importsOf(folder, file).filter((imported) => chunks.includes(imported.file))
  if (merged.length === 0) return
  const taken = merged.flatMap(({ file: chunk, specifiers }) =>
    specifiers.map((specifier) => {
      const [exported, local = exported] = specifier.split(' as ') as [string, string?]
      return `${aliasOf(chunk, exported)} as ${local}`
    }),
  )
  const path = relative(dirname(join(folder, file)), join(folder, `${name}.js`))
  const text = merged.reduce(
    (rest, { statement }) => rest.replace(`${statement}\n`, ''),
    readFileSync(join(folder, file), 'utf8'),
  )
  const from = `"${path.startsWith('.') ? path : `./${path}`}";\n`
  const statement = taken.length === 0 ? `import ${from}` : `import { ${taken.join(', ')} } from ${from}`
  writeFileSync(join(folder, file), afterHashbang(text, statement))
}

/** `statement` as the first of a module: what it was imported for still comes before the module's own code. */
function afterHashbang(text: string, statement: string): string {
  const [hashbang = ''] = /^#!.*\n/.exec(text) ?? []
  return hashbang + statement + text.slice(hashbang.length)
}

function importsOf(folder: string, file: string): Import[] {
  const text = readFileSync(join(folder, file), 'utf8')
  return [...text.matchAll(STATIC_IMPORT)].map(([statement, specifiers = '', path = '']) => ({
    statement,
    file: join(dirname(file), path),
    specifiers: listOf(specifiers),
  }))
}

/** The names under which a chunk offers things. */
function exportsOf(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8')
  return listOf(EXPORTS.exec(text)?.[1] ?? '').map((specifier) => specifier.split(' as ').at(-1) as string)
}

const listOf = (specifiers: string): string[] =>
  specifiers
    .split(',')
    .map((specifier) => specifier.trim())
    .filter(Boolean)

/** Chunks may offer different things under one name. */
const aliasOf = (chunk: string, name: string): string => `${name}_${chunk.slice('chunk-'.length, -'.js'.length)}`
