import { enableCompileCache, flushCompileCache } from 'node:module'

/**
 * Makes Node keep the compiled code of the modules that it loads from now on, so that the next process need not compile
 * them again. Node writes it to `NODE_COMPILE_CACHE`, else to a temporary folder; `NODE_DISABLE_COMPILE_CACHE=1` forbids it.
 */
export function keepCompiledCode(): void {
  enableCompileCache()
}

/** Writes the code that was compiled since the last time. A process that is killed never writes it by itself. */
export function saveCompiledCode(): void {
  flushCompileCache()
}
