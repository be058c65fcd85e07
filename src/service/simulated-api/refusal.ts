/**
 * A request that the simulated API turns down. `SimulatedApi.perform` makes it an answer in the description's own error
 * shape.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** A word for the kind of error: `not_found`, `invalid_request`. */
  readonly code: string
  /** The field at fault, dotted, where there is one. */
  readonly field: string | undefined

  constructor(status: number, code: string, message: string, field?: string, options?: { cause: unknown }) {
    super(message, options)
    this.status = status
    this.code = code
    this.field = field
  }
}
