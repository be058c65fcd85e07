/** What a scheme has where its author says nothing. */
export const SCHEME_DEFAULTS = { encoding: 'hex', headers: {}, contentType: 'json', batch: 1 } as const
export const SECRET_DEFAULTS = { prefix: '', bytes: 32, shown: 'hex', key: 'text' } as const
export const ID_DEFAULTS = { prefix: '' } as const

const NO_STATUS: number[] = []
const RETRY_SECONDS: number[] = [60, 300, 1_800, 7_200, 43_200]
/** What a delivery needs, and when it is tried again, where its author says nothing. */
export const DELIVERY_DEFAULTS = {
  timeoutSeconds: 10,
  success: '2xx',
  retrySeconds: RETRY_SECONDS,
  finalStatus: NO_STATUS,
  offAfter: 50,
  offStatus: NO_STATUS,
} as const
