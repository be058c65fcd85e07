import { enableCompileCache, flushCompileCache } from 'node:module'

/**
 * From here on Node keeps the compiled code of the modules that it loads, so that the next process need not compile them again.
 * In Node's own place: `NODE_COMPILE_CACHE`, else a folder for temporary files. `NODE_DISABLE_COMPILE_CACHE=1` forbids it.
 */
export function keepCompiledCode(): void {
  enableCompileCache()
}

/** Writes down what is new, functions compiled by now included. A process that is killed does not get to it by itself. */
export function saveCompiledCode(): void {
  flushCompileCache()
}
