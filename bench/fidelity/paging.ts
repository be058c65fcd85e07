import { foldName } from '../../src/names/words.ts'
import { isJsonObject, type Json } from '../../src/protocol/json.ts'
import type { Operation, Paging } from '../../src/service/openapi/model.ts'
import { learnKey, listIn, nounOf } from './answers.ts'
import { type Answer, show } from './http.ts'
import type { Subject } from './open-simulation.ts'
import type { Sample } from './sample.ts'
import { type SimulationClient, setParameter, withLargestPage } from './simulation-client.ts'
import { count, newTally, type Tally } from './tally.ts'

/** More pages than any list of the sample data. */
const MOST_PAGES = 20
const PAGE_SIZE = 2

/** Whether all pages of a list together are the list, each record once. */
export async function measurePaging({ model }: Subject, client: SimulationClient): Promise<Tally> {
  const tally = newTally()
  for (const operation of model.operations) {
    const { effect } = operation
    if (effect.kind !== 'list' || operation.method !== 'GET') continue
    const paging = tokenPaging(operation, effect.paging)
    if (paging.limit === undefined || (paging.offset ?? paging.page ?? paging.after) === undefined) continue
    const outcome = await walk(operation, paging, client).catch((error: Error) => ({
      miss: `threw ${error.message}`,
    }))
    if (outcome) count(tally, operation, outcome.miss)
  }
  return tally
}

/** An offset that is a text is a token of an earlier answer. */
function tokenPaging({ parameters }: Operation, paging: Paging): Paging {
  const types = parameters.find(({ name, in: place }) => place === 'query' && name === paging.offset)?.schema?.types
  const isToken = types?.length === 1 && types[0] === 'string'
  return isToken ? { ...paging, offset: undefined, after: paging.after ?? paging.offset } : paging
}

async function walk(
  operation: Operation,
  paging: Paging,
  client: SimulationClient,
): Promise<{ miss: string | undefined } | undefined> {
  const noun = nounOf(operation.path)
  const read = (answer: Answer): Json[] => listIn(answer.json, noun) ?? []
  const sample = withLargestPage(operation, client.sample(operation))
  const whole = await client.send(operation, sample)
  const all = read(whole)
  if (whole.status >= 400) return { miss: `answered ${whole.status} ${show(whole.json)}` }
  if (all.length <= PAGE_SIZE) return undefined
  const size = pageSize(operation, paging)
  const shown: Json[] = []
  let asked: Sample | string = firstPage(sample, paging, size)
  for (let number = 0; number < MOST_PAGES; number++) {
    const answer: Answer =
      typeof asked === 'string' ? await client.follow(operation, asked, sample) : await client.send(operation, asked)
    if (answer.status >= 400) return { miss: `page ${number + 1} answered ${answer.status} ${show(answer.json)}` }
    const items = read(answer)
    if (items.length > size) return { miss: `asked for ${size} records, got ${items.length}` }
    shown.push(...items)
    const next =
      items.length === 0
        ? undefined
        : nextPage({ answer, items, noun, paging, sample, number, size, seen: shown.length })
    if (next === undefined) break
    asked = next
  }
  return { miss: difference(all, shown) }
}

function pageSize({ parameters }: Operation, { limit }: Paging): number {
  return Math.max(PAGE_SIZE, parameters.find(({ name }) => name === limit)?.schema?.minimum ?? 1)
}

function firstPage(sample: Sample, { limit = '', page, offset, firstPage: first }: Paging, size: number): Sample {
  const asked = { ...sample, query: [...sample.query] }
  setParameter(asked.query, limit, String(size))
  if (page !== undefined) setParameter(asked.query, page, String(first))
  else if (offset !== undefined) setParameter(asked.query, offset, '0')
  return asked
}

interface Step {
  readonly answer: Answer
  readonly items: readonly Json[]
  readonly noun: string
  readonly paging: Paging
  readonly sample: Sample
  readonly number: number
  readonly size: number
  readonly seen: number
}

/** The request for the next page: its address where one is shown, else a number, else the cursor that the answer shows. */
function nextPage({ answer, items, noun, paging, sample, number, size, seen }: Step): Sample | string | undefined {
  const asked = { ...sample, query: [...sample.query] }
  setParameter(asked.query, paging.limit ?? '', String(size))
  if (paging.page !== undefined) setParameter(asked.query, paging.page, String(number + 1 + paging.firstPage))
  else if (paging.offset !== undefined) setParameter(asked.query, paging.offset, String(seen))
  else {
    const link = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(answer.headers.get('link') ?? '')?.[1]
    if (link !== undefined) return link
    const token = nextToken(answer.json, paging.after ?? '')
    if (token !== undefined && /^(https?:\/)?\//.test(token)) return token
    const byId = /^(starting_?after|after|since_?id|start_?key|after_?id)$/i.test(paging.after ?? '')
    const last = items.at(-1)
    const cursor = token ?? (byId && last !== undefined ? learnKey(last, { param: 'id', noun }) : undefined)
    if (cursor === undefined) return undefined
    setParameter(asked.query, paging.after ?? '', cursor)
  }
  return asked
}

/** The cursor of the next page in an answer: under the name of the parameter, or under a name that says next. */
function nextToken(json: Json | undefined, parameter: string, depth = 0): string | undefined {
  if (!isJsonObject(json) || depth > 3) return undefined
  const isText = (value: Json | undefined): value is string | number =>
    (typeof value === 'string' && value !== '') || typeof value === 'number'
  const entries = Object.entries(json)
  const says = (pattern: RegExp) => entries.find(([name, value]) => pattern.test(foldName(name)) && isText(value))?.[1]
  const named =
    says(/next/) ??
    says(/^(endcursor|after|cursor|continue|marker|bookmark|last(evaluated)?(key|id))$/) ??
    says(new RegExp(`^${foldName(parameter).replaceAll(/\W/g, '')}$`))
  if (named !== undefined) return String(named)
  for (const [name, inner] of entries) {
    const holder =
      isJsonObject(inner) && /^next$/i.test(name)
        ? (inner.href ?? inner.url ?? inner.after ?? inner.cursor ?? inner.uri ?? inner.starting_after)
        : undefined
    if (isText(holder)) return String(holder)
    if (Array.isArray(inner)) continue
    const found = nextToken(inner, parameter, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function difference(all: readonly Json[], shown: readonly Json[]): string | undefined {
  const texts = shown.map((item) => JSON.stringify(item))
  const repeated = texts.find((text, index) => texts.indexOf(text) !== index)
  const wholeTexts = all.map((item) => JSON.stringify(item))
  if (
    repeated !== undefined &&
    wholeTexts.filter((text) => text === repeated).length < texts.filter((text) => text === repeated).length
  )
    return `shown twice: ${repeated.slice(0, 120)}`
  return all.length === shown.length ? undefined : `the pages show ${shown.length} records, the list ${all.length}`
}
