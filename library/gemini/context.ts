import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { type Fields, fieldsOf, type Json, type Kept, listOf, toSnake } from '../shared/values.ts'

/** The collections of the description. */
type Collections = Record<
  | 'batches'
  | 'cached_contents'
  | 'documents'
  | 'file_search_stores'
  | 'files'
  | 'interactions'
  | 'uploads'
  | 'webhooks',
  Kept
>

/** What a handler of an operation gets. */
export type Context = OperationContext<AnyOperation, Collections>
/** What a handler of a due record gets. */
export type Due = DueContext<Collections>
/** What both get. */
export type Work = WorldContext<Collections>

/** A field of a request, whose name may be written in two ways: `systemInstruction` and `system_instruction`. */
export function read(of: unknown, name: string): Json | undefined {
  const fields = fieldsOf(of)
  return fields[name] ?? fields[toSnake(name)]
}

/** Why a request is refused. */
export interface Fault {
  readonly status: number
  readonly message: string
  /** The canonical code (google.rpc.Code). @default by the status */
  readonly rpc?: string | undefined
  readonly details?: Json
}

const RPC: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export const toStatus = ({
  status,
  message,
  rpc = RPC[status] ?? 'UNKNOWN',
}: Fault): { code: number; message: string; status: string } => ({
  code: status,
  message,
  status: rpc,
})

/** The canonical codes by their numbers (google.rpc.Code). */
const NUMBERED =
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED'.split(
    ' ',
  )

/** A fault inside of an answer (google.rpc.Status): its code is the number of the canonical one. */
export function toRpcStatus(fault: Fault): { code: number; message: string } {
  const { status, message } = toStatus(fault)
  return { code: Math.max(NUMBERED.indexOf(status), 2), message }
}

export function refuseWith({ refuse }: Pick<Context, 'refuse'>, fault: Fault): never {
  const { message, status } = toStatus(fault)
  const { details } = fault
  const facts = { rpc: status, number: fault.status, ...(details !== undefined && { details }) }
  return refuse(fault.status, { code: 'refused', message, ...facts })
}

export const invalid = (message: string): Fault => ({ status: 400, message })

/** A page of a list under a name. The token of the next one is its place. */
export function toPage(context: Context, name: string, items: readonly Fields[], next = 'nextPageToken') {
  const size = Number(read(context.query, 'pageSize') ?? 0) || 50
  const token = read(context.query, 'pageToken')
  const from = token === undefined ? 0 : Number(Buffer.from(String(token), 'base64').toString() || '-1')
  if (!Number.isInteger(from) || from < 0) refuseWith(context, invalid('Page token is invalid.'))
  const to = from + size
  const more = to < items.length && { [next]: Buffer.from(String(to)).toString('base64') }
  return { [name]: items.slice(from, to), ...more }
}

/** The operation that deletes a record. */
export const removing = (collection: keyof Collections, find: (context: Context) => Kept) => (context: Context) => {
  context.records[collection].remove(find(context).id)
  return {}
}

/** The contents of a request: clients may send a single one without its list. */
export const contentsOf = ({ contents }: Fields): Fields[] => [contents ?? []].flat().map(fieldsOf)

export const partsOf = (content: unknown): Fields[] => {
  const { parts } = fieldsOf(content)
  return Array.isArray(parts) ? listOf(parts) : parts === undefined ? [] : [fieldsOf(parts)]
}
