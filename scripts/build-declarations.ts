import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { rollup } from 'rollup'
import pkg from '../package.json' with { type: 'json' }
import { TypeWriter } from '../src/cli/type-writer.ts'
import { writeRecordTypes } from '../src/cli/types.ts'
import { listEntries, loadEntry } from '../src/library/built-in-entries.ts'
import { readDescription } from '../src/service/openapi/read-description.ts'
import { ComponentSchemas } from '../src/service/openapi/schemas/component-schemas.ts'
import { nodeTool } from './node-tool.ts'

const SUFFIX = '.d.ts'
const entryPoints = Object.values(pkg.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.types.slice('./dist/'.length, -SUFFIX.length)],
)

/**
 * Writes the declarations of the entry points into `dist/`. TypeScript writes one for each source file; they become one for each entry
 * point, and one for each set of types that entry points share. Those of library entries come from their descriptions.
 */
async function buildDeclarations(): Promise<void> {
  run('tsc', ['-p', 'tsconfig.build.json'])
  writeComputedTypes()
  await bundleDeclarations()
  await writeLibraryTypes()
}

async function bundleDeclarations(): Promise<void> {
  // rollup-plugin-dts uses the compiler's API.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? COMPILER : specifier, context),
  })
  const { dts } = await import('rollup-plugin-dts')
  hooks.deregister()
  const bundle = await rollup({
    input: Object.fromEntries(entryPoints.map((name) => [name, `dist/${name}${SUFFIX}`])),
    external: (id) => !/^[./]|^\w:/.test(id) || id.includes('library-apis'),
    plugins: [
      dts(),
      {
        name: 'library-apis',
        renderChunk: (code) => ({ code: code.replace('/library-apis.ts', '/library-apis.js'), map: null }),
      },
    ],
    onwarn(warning) {
      throw new Error(`Failed to bundle the declarations: ${warning.message}`)
    },
  })
  for (const file of globSync(`dist/**/*${SUFFIX}`)) rmSync(file)
  await bundle.write({
    dir: 'dist',
    entryFileNames: `[name]${SUFFIX}`,
    hoistTransitiveImports: false,
    chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, '')}${SUFFIX}`,
  })
}

/** Replaces the declaration of the empty interface in `src/library/library-apis.ts`. */
async function writeLibraryTypes(): Promise<void> {
  const slugs = (await listEntries()).map(({ slug }) => slug)
  const nameOf = (slug: string) => slug.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const files: [name: string, text: string][] = [
    [
      'library-apis',
      [
        ...slugs.map((slug) => `import type { Api as ${nameOf(slug)} } from './types/${slug}.js'`),
        '/** The types of the built-in library entries, by slug. */',
        `export interface LibraryApis { ${slugs.map((slug) => `'${slug}': ${nameOf(slug)}`).join('; ')} }`,
      ].join('\n'),
    ],
  ]
  for (const slug of slugs) files.push([`types/${slug}`, await entryTypes(slug)])
  mkdirSync('dist/library/types', { recursive: true })
  const texts = format(files.map(([, text]) => text))
  for (const [at, [name]] of files.entries()) writeFileSync(`dist/library/${name}${SUFFIX}`, texts[at] ?? '')
}

async function entryTypes(slug: string): Promise<string> {
  const entry = await loadEntry(slug)
  if (entry === undefined) throw new Error(`Failed to write types: there is no library entry "${slug}".`)
  const writer = new TypeWriter(new ComponentSchemas(entry.openapi))
  return writeRecordTypes(readDescription(entry.openapi), writer, entry.webhooks?.events)
}

/** Biome takes longer to start than to format, so it starts once. */
function format(texts: readonly string[]): string[] {
  const next = '// next file\n'
  const formatted = run('biome', ['format', '--stdin-file-path=types.ts'], texts.join(`\n${next}`))
  return formatted.split(next).map((text) => `${text.trim()}\n`)
}

/** What a tool prints; throws if it fails. */
function run(tool: 'tsc' | 'biome', args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(...nodeTool(tool, args), { input, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`Failed to run ${tool}:\n${stdout}${stderr}`)
  return stdout
}

/** The part of TypeScript's API that is used here. */
interface Compiler {
  createProgram(files: readonly string[], options: object): Program
  createPrinter(): { printNode(hint: number, node: TypeNode, file: TypeNode): string }
  forEachChild(node: TypeNode, visit: (child: TypeNode) => void): void
  isTypeAliasDeclaration(node: TypeNode): boolean
  isPropertySignature(node: TypeNode): boolean
  readonly TypeFlags: { readonly Object: number }
  readonly EmitHint: { readonly Unspecified: number }
  readonly NodeBuilderFlags: Readonly<Record<Flag, number>>
  readonly ModuleKind: { readonly NodeNext: number }
}
type Flag = 'NoTruncation' | 'InTypeAlias' | 'MultilineObjectLiterals' | 'UseSingleQuotesForStringLiteralType'

interface Program {
  getSourceFile(file: string): TypeNode
  getTypeChecker(): Checker
}

interface Checker {
  getTypeAtLocation(node: TypeNode): Type
  getTypeOfSymbol(symbol: TypeProperty): Type
  getSymbolAtLocation(node: TypeNode): object | undefined
  isArrayType(type: Type): boolean
  getTypeArguments(type: Type): readonly Type[]
  typeToTypeNode(type: Type, at: TypeNode, flags: number): TypeNode
}

interface Type {
  readonly types?: readonly Type[]
  readonly flags: number
  aliasSymbol?: object | undefined
  aliasTypeArguments?: undefined
  getProperties(): readonly TypeProperty[]
}

interface TypeProperty {
  valueDeclaration?: TypeNode | undefined
  readonly links?: { readonly syntheticOrigin?: TypeProperty }
}

interface TypeNode {
  readonly name?: TypeNode
  readonly type?: TypeNode
  readonly typeParameters?: readonly TypeNode[]
  getStart(): number
  getEnd(): number
  getText(): string
}

/** The compiler of `npm run api`: TypeScript 7 has no API, and a second compiler in package.json would take the name of the command `tsc`. */
const COMPILER = createRequire(createRequire(import.meta.url).resolve('@microsoft/api-extractor')).resolve('typescript')

/** A type that is computed from a schema, or from the table of endpoints. */
const COMPUTED = /\bz\.(?:infer|input|output)<(?:ReturnType<)?typeof|\bEndpointOf<EndpointId>|\bkeyof typeof ENDPOINTS$/
/** A union of texts. The compiler prints them in the order in which it met them, wherever that was. */
const LITERALS = /'[^'\n]*'(?: \| '[^'\n]*')+/g
const inOrder = (union: string): string => union.split(' | ').sort().join(' | ')
/** zod's name for what is `Json` here. */
const JSON_OF_ZOD = /\bz\.core\.util\.JSONType\b/g

/**
 * Replaces types that are computed from schemas by what they are, so that the declarations name neither schemas nor zod. The
 * sources have the comments of the fields, which declarations of schemas lack.
 */
function writeComputedTypes(): void {
  const ts = createRequire(import.meta.url)(COMPILER) as Compiler
  const files = globSync(`dist/**/*${SUFFIX}`).sort()
  const sourceOf = (path: string) => path.replace('dist', 'src').replace(SUFFIX, '.ts')
  const program = ts.createProgram([...files, ...files.map(sourceOf)], {
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  })
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter()
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals, UseSingleQuotesForStringLiteralType } =
    ts.NodeBuilderFlags
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals | UseSingleQuotesForStringLiteralType
  const json = `import('${resolve('dist/protocol/json.js').replaceAll('\\', '/')}').Json`
  const sources = files.map((path) => {
    const source = program.getSourceFile(sourceOf(path))
    const names = new Map((source ? computedIn(ts, source) : []).map(({ name }) => [name.getText(), name]))
    return { path, source, names }
  })
  for (const { names } of sources) for (const name of names.values()) bringNames(ts, checker, name)
  for (const { path, source, names } of sources) {
    const spelled = computedIn(ts, program.getSourceFile(path)).map(({ name, type }): [number, number, string] => {
      const at = names.get(name.getText()) ?? name
      const node = checker.typeToTypeNode(checker.getTypeAtLocation(at), at, flags)
      const text = printer.printNode(ts.EmitHint.Unspecified, node, source)
      return [type.getStart(), type.getEnd(), text.replace(JSON_OF_ZOD, json).replace(LITERALS, inOrder)]
    })
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      spelled.reduceRight((rest, [from, to, type]) => rest.slice(0, from) + type + rest.slice(to), text),
    )
  }
}

/** Types that zod computes have no name and their properties no declaration, so no comment: they get those of the source. */
function bringNames(ts: Compiler, checker: Checker, name: TypeNode): void {
  const type = checker.getTypeAtLocation(name)
  bringComments(ts, checker, type, new Set())
  const isNamed = (type.flags & ts.TypeFlags.Object) !== 0 || (type.types?.length ?? 0) > 1
  if (!isNamed || checker.isArrayType(type)) return
  type.aliasSymbol = checker.getSymbolAtLocation(name)
  type.aliasTypeArguments = undefined
}

function bringComments(ts: Compiler, checker: Checker, type: Type, known: Set<Type>): void {
  if (known.has(type)) return
  known.add(type)
  const parts = checker.isArrayType(type) ? checker.getTypeArguments(type) : (type.types ?? [])
  for (const part of parts) bringComments(ts, checker, part, known)
  if (parts.length > 0 || (type.flags & ts.TypeFlags.Object) === 0) return
  for (const property of type.getProperties()) {
    let origin = property
    while (!origin.valueDeclaration && origin.links?.syntheticOrigin) origin = origin.links.syntheticOrigin
    property.valueDeclaration = origin.valueDeclaration
    bringComments(ts, checker, checker.getTypeOfSymbol(property), known)
  }
}

/** Declarations of names with a computed type, in the order of the file. */
function computedIn(ts: Compiler, node: TypeNode): { name: TypeNode; type: TypeNode }[] {
  const { name, type, typeParameters } = node
  const isNamed = (ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node)) && typeParameters === undefined
  if (isNamed && name && type && COMPUTED.test(type.getText())) return [{ name, type }]
  const found: { name: TypeNode; type: TypeNode }[] = []
  ts.forEachChild(node, (child) => void found.push(...computedIn(ts, child)))
  return found
}

await buildDeclarations()
