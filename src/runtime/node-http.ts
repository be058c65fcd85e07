/**
 * `node:http` without an import: an import reads every export, including `WebSocket`, which loads Node's own undici and
 * costs every test file 20 ms.
 */
export const http = process.getBuiltinModule('node:http')

/** `node:https`, loaded at the first call, since it loads TLS. */
export const https = () => process.getBuiltinModule('node:https')
