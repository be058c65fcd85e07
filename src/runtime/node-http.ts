/**
 * `node:http`, not imported: an import reads each export, among them `WebSocket`, and that one loads a whole HTTP client (Node's
 * own undici): 20 ms of every test file.
 */
export const http = process.getBuiltinModule('node:http')

/** `node:https`, which brings TLS along, loaded when it is first asked for. */
export const https = () => process.getBuiltinModule('node:https')
