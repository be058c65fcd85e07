import type { HandlerContext } from './handler-context.ts'

/**
 * What an operation does beyond its model. Synchronous, and pure but for its context: the same request gives the same
 * answer in every run.
 *
 * A record, or a list of them, answers in the operation's envelope, other JSON and a {@link WholeAnswer} as they are.
 * Without a value the changed record of the operation answers, else `next()`.
 *
 * Rows of `effects.yaml` are compiled to this form by `compile-effects.ts`.
 */
export type Handler = (context: HandlerContext) => unknown

/** Handlers by `POST /bookings`, those that steps of the plan call by a name, and operators of `effects.yaml`, such as `$shouted`. */
export type HandlerTable = ReadonlyMap<string, Handler>
