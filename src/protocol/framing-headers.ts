/** Headers of the connection and of the body's length (RFC 9112, 6 and 9). The listener alone writes them. */
export const FRAMING_HEADERS: ReadonlySet<string> = new Set(
  'content-length transfer-encoding connection keep-alive proxy-connection trailer upgrade'.split(' '),
)
