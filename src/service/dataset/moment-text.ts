import { toIso } from '../../runtime/date-text.ts'
import type { Cell } from './cell.ts'
import { formatText } from './format-text.ts'
import { floorToSecond, momentReader } from './moment.ts'
import type { Site } from './site.ts'

const MOMENT_NAME =
  /(?:_at|_on|_date|_time|_datetime|_timestamp|_until|_since)$|^(?:date|timestamp|datetime|created|updated|modified|time|start|end|started|ended|birthday|dob|when|ctime|mtime|last_modified|created_time|date_\w+)$|^(?:last|next)_(?:run|seen|login|sync)$/
const NO_MOMENT =
  /(?:format|zone|_type|_unit|based_on|lat|response_time|time_to|depends_on|add_on)$|^(?:based_on|repeat_on|lat)$/

/** Spellings of the point in time that a field tells of, likeliest first; undefined where it tells of none. */
export function makeMoment(site: Site): ((cell: Cell) => string)[] | undefined {
  const { schema, snake } = site
  const format = schema.format ?? ''
  const isDated = /date|time|unix|epoch/.test(format) && !/timezone|time-zone|duration/.test(format)
  if (!isDated && (site.inList || format !== '' || !MOMENT_NAME.test(snake) || NO_MOMENT.test(snake))) return undefined
  const at = momentReader(site)
  const iso = (cell: Cell) => toIso(at(cell))
  const spellings = new Map<string, (cell: Cell) => string>([
    ['iso', formatText(site, 'date-time') as (cell: Cell) => string],
    ['millis', iso],
    ['date', formatText(site, 'date') as (cell: Cell) => string],
    ['time', (cell) => iso(cell).slice(11, 19)],
    ['zulu', formatText(site, 'time') as (cell: Cell) => string],
    ['spaced', (cell) => iso(cell).slice(0, 19).replace('T', ' ')],
    ['offset', (cell) => `${iso(cell).slice(0, 19)}+00:00`],
    ['month', (cell) => iso(cell).slice(0, 7)],
    ['short', (cell) => iso(cell).slice(11, 16)],
    ['year', (cell) => iso(cell).slice(0, 4)],
    ['unix', (cell) => String(floorToSecond(at(cell)) / 1000)],
    ['unixMillis', (cell) => String(at(cell))],
    ['local', (cell) => iso(cell).slice(0, 19)],
  ])
  const first = spellingOf(site)
  return [...new Set([first, ...spellings.keys()])].map((name) => spellings.get(name) as (cell: Cell) => string)
}

/** The spelling that format, example and name ask for. */
function spellingOf({ schema, snake }: Site): string {
  const format = schema.format ?? ''
  const example = typeof schema.example === 'string' ? schema.example : ''
  if (format === 'date') return 'date'
  if (format === 'time') return 'zulu'
  if (/unix|epoch/.test(format)) return 'unix'
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(example)) return 'millis'
  if (/T\d\d:\d\d:\d\d\+\d\d:?\d\d$/.test(example)) return 'offset'
  if (format === 'date-time') return 'iso'
  if (/^\d{4}-\d\d-\d\d$/.test(example)) return 'date'
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(example)) return 'spaced'
  if (/^\d{4}-\d\d$/.test(example)) return 'month'
  if (/^\d\d:\d\d$/.test(example)) return 'short'
  if (/^\d\d:\d\d:\d\d$/.test(example)) return 'time'
  if (/^\d{10}$/.test(example)) return 'unix'
  if (/^\d{13}$/.test(example)) return 'unixMillis'
  if (/no_?time|_date$|^date$|birth|dob|(?:^|_)on$/.test(`${format}_${snake}`)) return 'date'
  return /_time$/.test(snake) && /open|clos|start_of_day|office/.test(snake) ? 'short' : 'iso'
}
