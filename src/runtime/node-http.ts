/**
 * `node:http` without an import: an import reads every export, `WebSocket` among them, and that export loads Node's own
 * undici, which costs every test file 20 ms.
 */
export const http = process.getBuiltinModule('node:http')

/** `node:https`, loaded at the first call, since it loads TLS. */
export const https = () => process.getBuiltinModule('node:https')
