import type { Dispatcher, KeptSending } from '../../webhooks/dispatcher.ts'

const NEW: KeptSending = { offsetMs: 0, faults: [] }

/** The state for the next sender, as text. @param offsetMs offset of the store's clock from this machine's */
export function toNotes(dispatcher: Dispatcher, offsetMs: number): string {
  const kept = dispatcher.keep()
  const notes: KeptSending = { ...kept, offsetMs: kept.offsetMs - offsetMs }
  return JSON.stringify(notes)
}

/** The state of the previous sender; its delivery clock is relative to the store's. */
export const readNotes = (notes: string): KeptSending => (notes === '' ? NEW : (JSON.parse(notes) as KeptSending))
