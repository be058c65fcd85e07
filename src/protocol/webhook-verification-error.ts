/** Why a signature was refused. */
export type WebhookVerificationCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'timestamp_out_of_tolerance'

/** A delivery that is not from the service, is damaged or is too old. `code` says which. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
