import { toTable } from '../../src/fixture/table.ts'
import type { DescriptionReport } from './measure-description.ts'
import type { Tally } from './tally.ts'

/** A file that could not be read or measured. */
export interface Unread {
  readonly file: string
  readonly reason: string
}

/** The measured shares, in the order of the table. */
const COUNTED = [
  'effective',
  'reachable',
  'roundTrips',
  'listThenRead',
  'filters',
  'paging',
  'relations',
  'actions',
] as const

/** Shares from 0 to 1 over all descriptions; operations weigh the same wherever they are. */
export function toSummary(reports: readonly DescriptionReport[], unread: readonly Unread[]) {
  const counted = Object.fromEntries(COUNTED.map((part) => [part, sumOf(reports, (report) => report[part])]))
  return {
    descriptions: reports.length,
    operations: sum(reports, ({ operations }) => operations),
    stateful: share(
      reports,
      ({ stateful }) => stateful,
      ({ operations }) => operations,
    ),
    generatedValid: tallyShare(reports, ({ validity }) => validity.generated),
    projectedValid: tallyShare(reports, ({ validity }) => validity.projected),
    ...(counted as Record<(typeof COUNTED)[number], Score>),
    verbAgreement: share(
      reports,
      ({ verbs }) => verbs.deliberate,
      ({ verbs }) => verbs.total,
    ),
    verbAgreementStrict: share(
      reports,
      ({ verbs }) => verbs.strict,
      ({ verbs }) => verbs.total,
    ),
    verbAgreementWithoutNames: share(
      reports,
      ({ verbsWithoutNames }) => verbsWithoutNames.deliberate,
      ({ verbsWithoutNames }) => verbsWithoutNames.total,
    ),
    uncompilable: sum(reports, ({ validity }) => validity.uncompilable.length),
    unread,
    perDescription: reports.map(toLine),
  }
}

interface Score {
  readonly passed: number
  readonly total: number
}

function toLine(report: DescriptionReport) {
  const { file, version, operations, kinds, validity, verbs, inferenceMs } = report
  const scores = COUNTED.map((part) => [part, toScore(report[part])])
  const misses = COUNTED.map((part) => [part, report[part].misses])
  return {
    file,
    version,
    operations,
    stateful: ratio(report.stateful, operations),
    kinds,
    generatedValid: ratio(validity.generated.passed, validity.generated.total),
    projectedValid: ratio(validity.projected.passed, validity.projected.total),
    ...(Object.fromEntries(scores) as Record<(typeof COUNTED)[number], Score>),
    verbAgreement: ratio(verbs.deliberate, verbs.total),
    inferenceMs: Math.round(inferenceMs),
    misses: {
      generated: validity.generated.misses,
      projected: validity.projected.misses,
      verbs: verbs.misses,
      stateless: report.stateless,
      uncompilable: validity.uncompilable,
      ...(Object.fromEntries(misses) as Record<(typeof COUNTED)[number], readonly string[]>),
    },
  }
}

/** Prints the table, the totals, and below them every miss with its reason. */
export function printReport(
  reports: readonly DescriptionReport[],
  unread: readonly Unread[],
  options: { misses: boolean },
): void {
  const head = ['description', 'version', 'ops', 'stateful', 'generated', 'projected', ...TITLES, 'verbs', 'infer ms']
  const lines = reports.map((report) => [
    report.file,
    report.version,
    String(report.operations),
    percent(ratio(report.stateful, report.operations)),
    percent(ratio(report.validity.generated.passed, report.validity.generated.total)),
    percent(ratio(report.validity.projected.passed, report.validity.projected.total)),
    ...COUNTED.map((part) => `${report[part].passed}/${report[part].total}`),
    percent(ratio(report.verbs.deliberate, report.verbs.total)),
    report.inferenceMs.toFixed(0),
  ])
  const total = toSummary(reports, unread)
  lines.push([
    `total (${total.descriptions})`,
    '',
    String(total.operations),
    percent(total.stateful),
    percent(total.generatedValid),
    percent(total.projectedValid),
    ...COUNTED.map((part) => `${total[part].passed}/${total[part].total}`),
    percent(total.verbAgreement),
    '',
  ])
  for (const line of toTable([head, ...lines])) console.log(line)
  console.log(
    `\nverb agreement: ${percent(total.verbAgreement)} with deliberate readings, ${percent(total.verbAgreementStrict)} strict, ${percent(total.verbAgreementWithoutNames)} without the tie-breaker`,
  )
  for (const part of COUNTED) console.log(`${part}: ${percent(ratio(total[part].passed, total[part].total))}`)
  console.log(`success schemas that Ajv refuses to compile, not counted: ${total.uncompilable}`)
  for (const { file, reason } of unread) console.log(`not measured: ${file}: ${reason}`)
  if (options.misses) for (const line of total.perDescription) printMisses(line.file, line.misses)
}

const TITLES = ['effective', 'reachable', 'round trips', 'list, read', 'filters', 'paging', 'relations', 'actions']

function printMisses(file: string, misses: Readonly<Record<string, readonly string[]>>): void {
  for (const [part, reasons] of Object.entries(misses)) {
    // Those that are reachable are among those of `effective`.
    if (part === 'reachable') continue
    if (reasons.length > 0) console.log(`\n${file}, ${part} (${reasons.length}):`)
    for (const reason of reasons) console.log(`  ${reason}`)
  }
}

const ratio = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole)
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
const toScore = ({ passed, total }: Tally): Score => ({ passed, total })

function sum(reports: readonly DescriptionReport[], of: (report: DescriptionReport) => number): number {
  return reports.reduce((total, report) => total + of(report), 0)
}

function sumOf(reports: readonly DescriptionReport[], of: (report: DescriptionReport) => Tally): Score {
  return { passed: sum(reports, (report) => of(report).passed), total: sum(reports, (report) => of(report).total) }
}

function share(
  reports: readonly DescriptionReport[],
  part: (report: DescriptionReport) => number,
  whole: (report: DescriptionReport) => number,
): number {
  return ratio(sum(reports, part), sum(reports, whole))
}

function tallyShare(reports: readonly DescriptionReport[], of: (report: DescriptionReport) => Tally): number {
  return share(
    reports,
    (report) => of(report).passed,
    (report) => of(report).total,
  )
}
