import { checkSecret, parseSignatureHeader, verifySignature, WebhookVerificationError } from '../protocol/signature.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { ReceivedWebhook } from './received-webhook.ts'
import { Rejection } from './rejection.ts'

/** A webhook whose secret a path knows. */
export interface TrustedWebhook {
  webhookId: string
  secret: string
}

/** The webhooks whose deliveries a path takes. */
export class TrustedWebhooks {
  readonly #runtime: Runtime
  readonly #secretHoldMs: number
  readonly #webhooks: TrustedWebhook[] = []
  #waiters: (() => void)[] = []

  constructor(runtime: Runtime, secretHoldMs: number) {
    this.#runtime = runtime
    this.#secretHoldMs = secretHoldMs
  }

  /** Throws a TypeError for an empty secret. */
  add(webhook: TrustedWebhook): void {
    checkSecret(webhook.secret)
    this.#webhooks.push({ ...webhook })
    this.#wake()
  }

  find(webhookId: string): TrustedWebhook | undefined {
    return this.#webhooks.find((webhook) => webhook.webhookId === webhookId)
  }

  /** Throws a {@link Rejection} unless one of the webhooks signed these bytes; waits for the first secret. */
  async verify(
    header: string[] | undefined,
    rawBody: Uint8Array,
  ): Promise<Pick<ReceivedWebhook, 'signature' | 'webhookId'>> {
    try {
      parseSignatureHeader(header)
      await this.#waitForSecret()
      const secret = this.#webhooks.map((webhook) => webhook.secret)
      const now = this.#runtime.clock.now()
      const { t, v1, skewSeconds, secretIndex } = verifySignature({ header, rawBody, secret, now })
      const { webhookId } = this.#webhooks[secretIndex] as TrustedWebhook
      return { signature: { t, v1, skewSeconds }, webhookId }
    } catch (cause) {
      if (!(cause instanceof WebhookVerificationError)) throw cause
      throw new Rejection(cause.code === 'signature_malformed' ? 400 : 401, cause.code, cause.message, { cause })
    }
  }

  /** Ends every wait for a secret. */
  close(): void {
    this.#wake()
  }

  async #waitForSecret(): Promise<void> {
    if (this.#webhooks.length > 0) return
    await new Promise<void>((resolve) => {
      const cancelTimer = this.#runtime.startTimer(this.#secretHoldMs, resolve)
      this.#waiters.push(() => {
        cancelTimer()
        resolve()
      })
    })
    if (this.#webhooks.length > 0) return
    throw new Rejection(401, 'secret_unknown', 'No secret is known for this path: its webhook was never registered.')
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }
}
