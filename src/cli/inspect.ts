import type { Command } from 'commander'
import { ApiError } from '../protocol/errors.ts'
import type { Inspection } from '../protocol/inspection.ts'
import { includeOption, readDocument } from './read-document.ts'
import { colors, printJson, printLines, printTable, warningLine } from './terminal.ts'

/** Most query parameters of an operation in the table; `--json` has all. */
const SHOWN_NAMES = 6

/** Adds `backlot inspect` to the program. */
export function addInspectCommand(program: Command): void {
  program
    .command('inspect')
    .description('show what a description amounts to: collections, events, and what each operation does')
    .argument('<description>', 'an OpenAPI description (JSON or YAML), or the slug of a library entry')
    .addOption(includeOption())
    .option('--json', 'print it as one line of JSON')
    .action(runInspect)
}

async function runInspect(source: string, flags: { json?: boolean; include?: string[] }): Promise<void> {
  const [{ readDescription }, { explainUnread, inspectModel }, { CompiledApi }, { fitDocument }] = await Promise.all([
    import('../service/openapi/read-description.ts'),
    import('../service/openapi/inspect-model.ts'),
    import('../service/simulated-api/compiled/compiled-api.ts'),
    import('../excerpt/fit-spec.ts'),
  ])
  const document = await readDocument(source, flags.include)
  const model = readDescription(document)
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
  const unread = model.operations.flatMap((one) => explainUnread(one, api.operation(one).unreadParameters))
  const report: Inspection = {
    ...inspectModel(model),
    warnings: [...sizeWarnings(), ...model.warnings, ...unread],
  }
  if (!flags.json) return printReport(report)
  const { toModelDocument } = await import('../service/openapi/write-model.ts')
  printJson({ ...report, model: toModelDocument(model) })
}

function printReport(report: Inspection): void {
  const { title, version, basePath, collections, singletons, operations, warnings } = report
  printLines([`${colors.bold(title)} ${version}${basePath === '' ? '' : ` at ${basePath}`}`, ''])
  if (collections.length > 0) printCollections(collections)
  if (singletons.length > 0) printSingletons(singletons)
  if (operations.length > 0) printOperations(operations)
  if (warnings.length > 0) printLines([...warnings.map(warningLine), ''])
  if (operations.length === 0) return
  printLines([`${operations.length} operations: ${colors.bold(report.summary)}.`])
}

function printCollections(collections: Inspection['collections']): void {
  printTable(
    ['COLLECTION', 'ID', 'STATUS', 'PARENT', 'EVENTS'],
    collections.map(({ name, id, statusField, parent, events }) => [
      name,
      id ?? '-',
      statusField ?? '-',
      parent ?? '-',
      shownEvents(events),
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
  printTable(
    ['METHOD', 'PATH', 'KIND', 'OF', 'SURE', 'RULE', 'QUERY'],
    operations.map(({ method, path, kind, subject, confidence, rule, query }) => [
      method,
      path,
      kind,
      subject ?? '-',
      confidence,
      rule,
      listSome(query),
    ]),
    [colors.bold, undefined, paintKind],
  )
  printLines([''])
}

/** As many names as fit on a line, and the number of further names. */
function listSome(names: readonly string[]): string {
  const more = names.length - SHOWN_NAMES
  return [...names.slice(0, SHOWN_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
