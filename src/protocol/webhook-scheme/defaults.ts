/** Defaults of a scheme. */
export const SCHEME_DEFAULTS = { encoding: 'hex', headers: {}, contentType: 'json', batch: 1 } as const
export const SECRET_DEFAULTS = { prefix: '', bytes: 32, shown: 'hex', key: 'text' } as const
export const ID_DEFAULTS = { prefix: '' } as const

const NO_STATUS: number[] = []
const RETRY_SECONDS: number[] = [60, 300, 1_800, 7_200, 43_200]
/** Defaults of success and retries of a delivery. */
export const DELIVERY_DEFAULTS = {
  timeoutSeconds: 10,
  success: '2xx',
  retrySeconds: RETRY_SECONDS,
  finalStatus: NO_STATUS,
  offAfter: 50,
  offStatus: NO_STATUS,
} as const
