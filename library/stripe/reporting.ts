import type { DueContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { absent, type Context, fieldsOf, type Kept, refused, secondsOf, textOf } from './context.ts'

const MONEY = [
  'balance_transaction_id',
  'created_utc',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'source_id',
  'description',
]
/** Reports that have rows: one for each balance transaction, or for each payout. */
const TYPES: Readonly<Record<string, { name: string; columns: readonly string[]; isOfPayouts?: true }>> = {
  'balance_change_from_activity.itemized.3': { name: 'Itemized balance change from activity', columns: MONEY },
  'balance_change_from_activity.itemized.6': { name: 'Itemized balance change from activity', columns: MONEY },
  'payouts.itemized.3': {
    name: 'Itemized payouts',
    columns: [
      'payout_id',
      'effective_at_utc',
      'currency',
      'gross',
      'fee',
      'net',
      'reporting_category',
      'balance_transaction_id',
      'description',
    ],
    isOfPayouts: true,
  },
}

function typeOf({ now }: Context, id: string): JsonObject | undefined {
  const known = TYPES[id]
  const today = Math.floor(now.getTime() / 86_400_000) * 86_400
  return (
    known && {
      id,
      object: 'reporting.report_type',
      data_available_end: today,
      data_available_start: today - 31_536_000,
      default_columns: [...known.columns],
      livemode: false,
      name: known.name,
      updated: today,
      version: Number(id.split('.').at(-1)),
    }
  )
}

const quoted = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The file of a report. */
function makeReport({ record, records, update, now, id }: DueContext): void {
  const { columns, isOfPayouts } = TYPES[textOf(record.report_type)] ?? { columns: MONEY }
  const { interval_start, interval_end, currency, columns: wanted, reporting_category } = fieldsOf(record.parameters)
  const shown = Array.isArray(wanted) && wanted.length > 0 ? wanted.map(String) : columns
  const transactions = (records.balance_transactions?.where((one) => {
    const at = Number(one.created)
    const isWithin = at >= Number(interval_start ?? 0) && at < Number(interval_end ?? Number.POSITIVE_INFINITY)
    const isOf = (isOfPayouts === true) === (one.type === 'payout')
    return (
      isWithin &&
      isOf &&
      one.currency === (currency ?? one.currency) &&
      one.reporting_category === (reporting_category ?? one.reporting_category)
    )
  }) ?? []) as Kept[]
  const rows = transactions.map((one) => {
    const major = (amount: unknown) => (Number(amount) / 100).toFixed(2)
    const time = new Date(Number(one.created) * 1_000).toISOString().slice(0, 19).replace('T', ' ')
    const cells: Record<string, unknown> = {
      ...one,
      balance_transaction_id: one.id,
      created_utc: time,
      effective_at_utc: time,
      fee: major(one.fee),
      gross: major(one.amount),
      net: major(one.net),
      payout_id: one.source,
      source_id: one.source,
    }
    return shown.map((name) => quoted(String(cells[name] ?? ''))).join(',')
  })
  const text = [shown.map((name) => `"${name}"`).join(','), ...rows, ''].join('\n')
  const made = records.files?.create({
    base64: Buffer.from(text).toString('base64'),
    filename: `${id('frr_')}.csv`,
    purpose: 'finance_report_run',
    size: Buffer.byteLength(text),
    title: `FinanceReportRun ${record.id}`,
    type: 'csv',
  })
  const url = `https://files.stripe.example/v1/files/${made?.id}/contents`
  const { base64: _, ...result } = records.files?.update(textOf(made?.id), { url }) ?? {}
  update({ result, settles_at: null, status: 'succeeded', succeeded_at: Math.floor(now.getTime() / 1_000) })
}

/** Reports, made a minute after they are asked for. */
export const reporting = {
  'GET /v1/reporting/report_types': (context: Context) => ({
    object: 'list',
    data: Object.keys(TYPES).map((id) => typeOf(context, id) ?? {}),
    has_more: false,
    url: '/v1/reporting/report_types',
  }),
  'GET /v1/reporting/report_types/{report_type}': (context: Context) =>
    typeOf(context, textOf(context.path.report_type)) ?? absent(context, 'report type', context.path.report_type),
  'POST /v1/reporting/report_runs': (context: Context) => {
    const { body, create } = context
    const { interval_start, interval_end } = fieldsOf(body.parameters)
    if (TYPES[textOf(body.report_type)] === undefined)
      return refused(
        context,
        'report_type',
        `No such report type: '${body.report_type}'. The simulation makes ${Object.keys(TYPES).join(', ')}.`,
        'resource_missing',
      )
    if (Number(interval_end ?? Number.POSITIVE_INFINITY) <= Number(interval_start ?? 0))
      return refused(context, 'parameters[interval_end]', 'interval_end must be after interval_start.')
    return create({ ...body, settles_at: secondsOf(context) + 60 })
  },
  makeReport,
}
