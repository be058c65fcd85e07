import { signWebhook } from '../protocol/signature.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { post } from './post.ts'
import type { ReceivedWebhook } from './received-webhook.ts'

/**
 * How a webhook is sent again: with the same bytes and headers; signed anew now; signed properly but ten minutes ago; or
 * with one byte of the body changed under the old signature. A handler must refuse the last two.
 */
export type ReplayMode = 'identical' | 'resigned' | 'stale' | 'tampered'

const TIMEOUT_MS = 10_000
const STALE_SECONDS = 600

/** Sends a received webhook to `to`. Rejects where nothing answers within 10 s. */
export async function replayWebhook(
  webhook: ReceivedWebhook,
  options: { to: string; as?: ReplayMode; secret: string | undefined; runtime: Runtime },
): Promise<Response> {
  const abort = new AbortController()
  const cancelTimer = options.runtime.startTimer(TIMEOUT_MS, () => abort.abort())
  try {
    return await post({ url: options.to, signal: abort.signal, ...compose(webhook, options) })
  } catch (cause) {
    throw new Error(`Failed to replay webhook "${webhook.deliveryId}" to ${options.to}: ${describeCause(cause)}.`, {
      cause,
    })
  } finally {
    cancelTimer()
  }
}

function compose(
  webhook: ReceivedWebhook,
  { as = 'identical', secret, runtime }: { as?: ReplayMode; secret: string | undefined; runtime: Runtime },
): { headers: Readonly<Record<string, string>>; rawBody: Uint8Array } {
  const { headers, rawBody } = webhook
  if (as === 'identical') return { headers, rawBody }
  if (as === 'tampered') return { headers, rawBody: tamper(rawBody) }
  if (secret === undefined) {
    throw new TypeError(`Expected \`webhook\` to be one of this sink, got one of webhook ${webhook.webhookId}.`)
  }
  const t = Math.floor(runtime.clock.now() / 1_000) - (as === 'stale' ? STALE_SECONDS : 0)
  return { headers: { ...headers, 'svc-signature': signWebhook({ rawBody, secret, t }) }, rawBody }
}

/** Changes one byte so that the body is still JSON: the first letter of the record's id, else the first digit. */
function tamper(rawBody: Uint8Array): Uint8Array {
  const text = Buffer.from(rawBody).toString('latin1')
  const changed = text.replace(/[0-8]/, (digit) => String(Number(digit) + 1))
  return Buffer.from(changed === text ? `${text} ` : changed, 'latin1')
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
