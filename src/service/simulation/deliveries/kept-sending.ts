import type { Dispatcher, KeptSending } from '../../webhooks/dispatcher.ts'

const NEW: KeptSending = { offsetMs: 0, faults: [] }

/** What the next sender goes on from, as text. @param offsetMs of the store's clock to this machine's */
export function toNotes(dispatcher: Dispatcher, offsetMs: number): string {
  const kept = dispatcher.keep()
  const notes: KeptSending = { ...kept, offsetMs: kept.offsetMs - offsetMs }
  return JSON.stringify(notes)
}

/** Where the sender before has stopped; its delivery clock is told relative to the store's. */
export const readNotes = (notes: string): KeptSending => (notes === '' ? NEW : (JSON.parse(notes) as KeptSending))
