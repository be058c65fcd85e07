import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The part of TypeScript's API that is used here. */
interface Compiler {
  createProgram(files: readonly string[], options: object): Program
  createPrinter(): { printNode(hint: number, node: TypeNode, file: TypeNode): string }
  forEachChild(node: TypeNode, visit: (child: TypeNode) => void): void
  isTypeAliasDeclaration(node: TypeNode): boolean
  isPropertySignature(node: TypeNode): boolean
  readonly EmitHint: { readonly Unspecified: number }
  readonly NodeBuilderFlags: Readonly<Record<Flag, number>>
  readonly ModuleKind: { readonly NodeNext: number }
}
type Flag = 'NoTruncation' | 'InTypeAlias' | 'MultilineObjectLiterals' | 'UseSingleQuotesForStringLiteralType'

interface Program {
  getSourceFile(file: string): TypeNode
  getTypeChecker(): {
    getTypeAtLocation(node: TypeNode): object
    typeToTypeNode(type: object, at: TypeNode, flags: number): TypeNode
  }
}

interface TypeNode {
  readonly name?: TypeNode
  readonly type?: TypeNode
  readonly typeParameters?: readonly TypeNode[]
  getStart(): number
  getEnd(): number
  getText(): string
}

const require = createRequire(import.meta.url)

/** The compiler of `npm run api`: TypeScript 7 has no API, and a second compiler in package.json would take the name of the command `tsc`. */
export const COMPILER = createRequire(require.resolve('@microsoft/api-extractor')).resolve('typescript')

/** A type that is computed from a schema, or from the table of endpoints. */
const COMPUTED = /\bz\.(?:infer|input|output)<typeof|\bEndpointOf<EndpointId>/
/** zod's name for what is `Json` here. */
const JSON_OF_ZOD = /\bz\.core\.util\.JSONType\b/g

/** Writes out the computed types in the declarations of `folder`, so that they name neither schemas nor zod. */
export function spellTypes(folder: string): void {
  const ts = require(COMPILER) as Compiler
  const files = globSync(join(folder, '**/*.d.ts'))
  const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, types: ['node'], strict: true })
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter()
  const { NoTruncation, InTypeAlias, MultilineObjectLiterals, UseSingleQuotesForStringLiteralType } =
    ts.NodeBuilderFlags
  const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals | UseSingleQuotesForStringLiteralType
  const json = `import('${join(folder, 'protocol/json.js').replaceAll('\\', '/')}').Json`
  for (const path of files) {
    const file = program.getSourceFile(path)
    const spelled = computedIn(ts, file).map(({ name, type }): [number, number, string] => {
      const node = checker.typeToTypeNode(checker.getTypeAtLocation(name), name, flags)
      const text = printer.printNode(ts.EmitHint.Unspecified, node, file)
      return [type.getStart(), type.getEnd(), text.replace(JSON_OF_ZOD, json)]
    })
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      spelled.reduceRight((rest, [from, to, type]) => rest.slice(0, from) + type + rest.slice(to), text),
    )
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
