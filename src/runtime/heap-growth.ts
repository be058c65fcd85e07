import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8's heap close to what lives in it, in this process. V8 reads these flags whenever it is about to do what they
 * concern; sizes, which the command line takes, it reads at its start alone.
 *
 * The young generation stays at the size that it has now: under load it grows to 2 x 16 MB otherwise, most of it memory
 * that was used once. It is emptied by the main thread alone: so little survives that helpers cost more than they
 * spare, and they keep memory of their own. The old generation is swept when it has grown by two fifths: otherwise,
 * after some rounds of creations and resets, three quarters of it are what was reset.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--heap-growing-percent=40')
}
