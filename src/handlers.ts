/**
 * Handlers: what operations do beyond what the description says.
 *
 * @module backlot/handlers
 */
import type { AnyApi, ApiTypes } from './fixture/api-types.ts'
import type { Handlers } from './fixture/handlers.ts'

export type { AnyApi, ApiTypes } from './fixture/api-types.ts'
export type { ContextOf, Handlers, OperationHandler, OperationName } from './fixture/handlers.ts'
export type {
  AnyOperation,
  CallAnswer,
  DueContext,
  FieldsOf,
  HandlerRecords,
  ListNarrowing,
  ModelReply,
  OperationContext,
  OperationShape,
  RecordId,
  RecordTest,
  RefusalText,
  SentFile,
  Talk,
  TalkMessage,
  WorldContext,
  WrittenAnswer,
} from './protocol/handler.ts'
export type { Page, PageButton, PageField, PagePart, PageRedirect, PageRow, SentForm } from './protocol/page.ts'
export type { StreamEvent, StreamFaults, StreamMedia, StreamOptions, StreamPace } from './protocol/stream.ts'

/**
 * Handlers of an API, typed by `npx backlot types`: a misspelt operation, field or status does not compile.
 *
 * @example
 * export default handlers<Api>({
 *   'POST /bookings': ({ body, records, create, refuse }) => {
 *     const room = records.rooms.get(body.room_id) ?? refuse(404, 'There is no such room.')
 *     return create({ ...body, total: body.nights * room.rate })
 *   },
 * })
 */
export function handlers<A extends ApiTypes = AnyApi>(table: Handlers<A>): Handlers<A> {
  return table
}
