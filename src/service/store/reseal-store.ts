import { openTables } from './open-store.ts'
import type { OpenTables, TableRow } from './open-tables.ts'
import { TextSeal } from './text-seal.ts'

/** Rows read together. */
const MOST_ROWS = 20

interface SealedTable {
  readonly table: string
  /** Its primary key. */
  readonly key: readonly string[]
  readonly texts: readonly string[]
}

/** Sealed texts of a store. */
const SEALED_TEXTS: readonly SealedTable[] = [
  { table: 'state', key: ['simulation'], texts: ['dump'] },
  { table: 'journal', key: ['simulation', 'head'], texts: ['delta'] },
  { table: 'saved_state', key: ['simulation', 'number'], texts: ['dump', 'about'] },
  { table: 'outbox', key: ['id'], texts: ['text'] },
  { table: 'delivery', key: ['simulation', 'webhook', 'number'], texts: ['text'] },
  { table: 'request_log', key: ['id'], texts: ['entries', 'details'] },
]

/** The result. */
interface Resealed {
  readonly rewritten: number
  /** Texts in another state: services with another secret have written them meanwhile. */
  readonly left: number
}

/**
 * Rewrites a store's contents of simulations: sealed with the first of the secrets, or in clear with `inClear`; the
 * other secrets decrypt. Services may run meanwhile: a text changed since it was read stays as that service wrote it.
 */
export async function resealStore(
  name: string,
  secrets: readonly string[],
  { inClear = false }: { inClear?: boolean } = {},
): Promise<Resealed> {
  const seal = new TextSeal(secrets)
  const wanted = inClear ? clearBy(seal) : sealedBy(seal)
  const tables = await openTables(name)
  try {
    let rewritten = 0
    for (const table of SEALED_TEXTS) rewritten += await rewriteTable(tables, table, wanted)
    await tables.forgetOld()
    let left = 0
    for (const table of SEALED_TEXTS) left += await countWrong(tables, table, wanted)
    return { rewritten, left }
  } finally {
    await tables.close()
  }
}

/** The wanted state of texts. */
interface WantedTexts {
  isRight(text: string): boolean
  make(text: string): string
}

const sealedBy = (seal: TextSeal): WantedTexts => ({
  isRight: (text) => seal.isSealedByFirst(text),
  make: (text) => seal.seal(seal.open(text)),
})

const clearBy = (seal: TextSeal): WantedTexts => ({
  isRight: (text) => !TextSeal.isSealed(text),
  make: (text) => seal.open(text),
})

async function rewriteTable(tables: OpenTables, sealed: SealedTable, { isRight, make }: WantedTexts): Promise<number> {
  const { table, key, texts } = sealed
  const where = key.map((name, at) => `${name} = $${at + 3}`).join(' and ')
  let rewritten = 0
  for await (const row of rowsOf(tables, sealed)) {
    for (const column of texts) {
      const text = String(row[column])
      if (isRight(text)) continue
      const statement = `update ${tables.schema}${table} set ${column} = $1 where ${column} = $2 and ${where}`
      rewritten += await tables.change(statement, [make(text), text, ...key.map((name) => row[name])])
    }
  }
  return rewritten
}

async function countWrong(tables: OpenTables, table: SealedTable, { isRight }: WantedTexts): Promise<number> {
  let wrong = 0
  for await (const row of rowsOf(tables, table)) {
    wrong += table.texts.filter((column) => !isRight(String(row[column]))).length
  }
  return wrong
}

/** Every row once, in the order of its key. */
async function* rowsOf(tables: OpenTables, { table, key, texts }: SealedTable): AsyncGenerator<TableRow> {
  const columns = [...key, ...texts.map((text) => `${tables.textOf(table, text)} as ${text}`)].join(', ')
  const after = key.map((_, at) => `$${at + 1}`).join(', ')
  let last: TableRow | undefined
  for (;;) {
    const where = last === undefined ? '' : `where (${key.join(', ')}) > (${after})`
    const statement = `select ${columns} from ${tables.schema}${table} ${where} order by ${key.join(', ')} limit ${MOST_ROWS}`
    const from = last
    const rows = await tables.read(statement, from === undefined ? [] : key.map((name) => from[name]))
    yield* rows
    last = rows.at(-1)
    if (rows.length < MOST_ROWS) return
  }
}
