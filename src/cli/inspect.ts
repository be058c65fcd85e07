import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../fixture/table.ts'
import { ApiError } from '../protocol/errors.ts'
import type { Inspection } from '../protocol/inspection.ts'
import { modelFileText } from './model-lines.ts'
import { readModel, takesDescription } from './read-document.ts'
import { colors, printJson, printLines, printTable, warningLine } from './terminal.ts'

/** Most fields and query parameters of an operation in the table; `--json` has all. */
const SHOWN_NAMES = 6

/** Adds `backlot inspect` to the program. */
export function addInspectCommand(program: Command): void {
  takesDescription(program.command('inspect'))
    .description('show what a description amounts to: collections, events, and what each operation does')
    .option('--unclear', 'list only the operations whose effect is guessed, unknown or nothing')
    .option('--write <folder>', 'write the lines of these operations to the `model.yaml` of a folder')
    .option('--all', 'with `--write`: lines of every operation')
    .option('--json', 'print it as one line of JSON')
    .action(runInspect)
}

interface InspectFlags {
  readonly json?: boolean
  readonly unclear?: boolean
  readonly write?: string
  readonly all?: boolean
  readonly include?: string[]
  readonly library?: string
}

async function runInspect(source: string, flags: InspectFlags): Promise<void> {
  const [{ inspectModel }, { CompiledApi }, { fitDocument }] = await Promise.all([
    import('../service/simulated-api/inspect-model.ts'),
    import('../service/simulated-api/compiled/compiled-api.ts'),
    import('../description/fit-spec.ts'),
  ])
  const { document, model } = await readModel(source, flags)
  const api = new CompiledApi(model)
  const sizeWarnings = (): string[] => {
    try {
      fitDocument(document)
      return []
    } catch (error) {
      if (error instanceof ApiError) return [error.message]
      throw error
    }
  }
  const inspection = inspectModel(api)
  const { operations } = inspection
  const report: Inspection = {
    ...inspection,
    operations: flags.unclear ? operations.filter(({ unclear }) => unclear) : operations,
    warnings: [...sizeWarnings(), ...model.warnings],
  }
  if (flags.write !== undefined) {
    const written = operations.filter((one) => one.confidence !== 'declared' && (flags.all || one.unclear))
    return writeModelFile(flags.write, await modelFileText(document, model, written), written.length)
  }
  if (flags.json && flags.unclear) return printJson(report)
  if (flags.json) {
    const { toModelDocument } = await import('../service/openapi/write-model.ts')
    return printJson({ ...report, model: toModelDocument(model) })
  }
  const { collections, singletons, warnings } = report
  if (!flags.unclear) {
    printLines([
      `${colors.bold(report.title)} ${report.version}${report.basePath === '' ? '' : ` at ${report.basePath}`}`,
      '',
    ])
    const ofSignIn = (model.signIn?.collections ?? []).map(({ name }) => name)
    const own = collections.filter(({ name }) => !ofSignIn.includes(name))
    if (own.length > 0) printCollections(own)
    if (ofSignIn.length > 0) printLines([`Its sign-in keeps ${ofSignIn.join(', ')}.`, ''])
    if (singletons.length > 0) printSingletons(singletons)
  }
  if (report.operations.length > 0) printOperations(report.operations)
  if (!flags.unclear && warnings.length > 0) printLines([...warnings.map(warningLine), ''])
  const hint = flags.unclear || !operations.some(({ unclear }) => unclear) ? '' : ' with `--unclear`'
  if (operations.length > 0) printLines([`${operations.length} operations: ${colors.bold(report.summary)}${hint}.`])
}

async function writeModelFile(folder: string, text: string, count: number): Promise<void> {
  const file = join(folder, 'model.yaml')
  if (count === 0) return printLines(['Nothing is unclear, so nothing was written. `--all` writes every operation.'])
  await mkdir(folder, { recursive: true })
  await writeFile(file, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    const fact =
      cause.code === 'EEXIST' ? 'there is one. Add the `line` of each that `--unclear --json` shows' : cause.message
    throw new Error(`Failed to write "${file}": ${fact}.`, { cause })
  })
  printLines([`Wrote ${file} with ${counted(count, 'line')}.`])
}

function printCollections(collections: Inspection['collections']): void {
  printTable(
    ['COLLECTION', 'ID', 'STATUS', 'PARENT', 'EVENTS'],
    collections.map(({ name, id, statusField, parent, events }) => [
      name,
      id ?? '-',
      statusField ?? '-',
      parent ?? '-',
      events.length === 0 ? '-' : shownEvents(events),
    ]),
    [colors.bold, undefined, undefined, undefined, colors.cyan],
  )
  printLines([''])
}

/** `order.created, .updated, .deleted`; events that the description declares in full. */
function shownEvents([first = '', ...others]: readonly string[]): string {
  const noun = first.replace(/created$/, '')
  return [first, ...others.map((event) => (event.startsWith(noun) ? `.${event.slice(noun.length)}` : event))].join(', ')
}

function printSingletons(singletons: Inspection['singletons']): void {
  printTable(
    ['DOCUMENT', 'OF'],
    singletons.map(({ name, parent }) => [name, parent ?? '-']),
    [colors.bold],
  )
  printLines([''])
}

function printOperations(operations: Inspection['operations']): void {
  const paintKind = (kind: string) => (kind === 'example' ? colors.yellow(kind) : colors.green(kind))
  const paintSure = (confidence: string) =>
    /^(guess|example)$/.test(confidence) ? colors.yellow(confidence) : confidence
  printTable(
    ['METHOD', 'PATH', 'KIND', 'OF', 'SURE', 'RULE', 'SETS', 'QUERY'],
    operations.map(({ method, path, kind, subject, confidence, rule, sets, query, unread }) => [
      method,
      path,
      kind,
      subject ?? '-',
      confidence,
      rule,
      kind === 'action' && sets.length === 0 ? 'changes nothing' : listSome(sets),
      listSome(query.map((name) => (unread.includes(name) ? `${name} (ignored)` : name))),
    ]),
    [colors.bold, undefined, paintKind, undefined, paintSure],
  )
  printLines([''])
}

/** As many names as fit on a line, and the number of further names. */
function listSome(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES
  return [...names.slice(0, SHOWN_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
