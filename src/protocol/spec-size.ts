import { invalidRequest } from './errors.ts'
import { LIMITS } from './limits.ts'

/** Throws `invalid_request` for a description that is larger than a service takes. */
export function checkSpecSize(spec: string): void {
  const bytes = Buffer.byteLength(spec)
  if (bytes <= LIMITS.specBytes) return
  const [most, got] = [LIMITS.specBytes, bytes].map((count) => count.toLocaleString('en-US'))
  throw invalidRequest(
    `Expected \`spec\` to have at most ${most} bytes of UTF-8, got ${got}. Leave out paths and examples that no test needs.`,
  )
}
