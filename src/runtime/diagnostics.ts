import { channel } from 'node:diagnostics_channel'

/** What the service tells whoever measures it. */
export interface Diagnostics {
  /** An answer is an error that is no fault of the client: 500 and above. */
  failure: { readonly status: number; readonly error: Error }
  /** An attempt at a delivery is over. */
  attempt: { readonly isDelivered: boolean; readonly durationMs: number }
  /** Something that whoever operates the service may want to change. */
  warning: { readonly message: string; readonly facts: Readonly<Record<string, string>> }
  /** An input with a fixed outcome acted: its row of the entry. */
  magic: { readonly row: object }
}

/** By Node's diagnostics channels: without a listener a message costs one look. */
const CHANNELS = {
  failure: channel('backlot:failure'),
  attempt: channel('backlot:attempt'),
  warning: channel('backlot:warning'),
  magic: channel('backlot:magic'),
}

/** Tells those who measure this process; without any, `compose` is not called. */
export function publish<Name extends keyof Diagnostics>(name: Name, compose: () => Diagnostics[Name]): void {
  const { [name]: told } = CHANNELS
  if (told.hasSubscribers) told.publish(compose())
}

/** Hands each message to `take` until the returned function is called. */
export function subscribe<Name extends keyof Diagnostics>(
  name: Name,
  take: (message: Diagnostics[Name]) => void,
): () => void {
  // Only `publish` sends on these channels.
  const listener = (message: unknown) => take(message as Diagnostics[Name])
  CHANNELS[name].subscribe(listener)
  return () => CHANNELS[name].unsubscribe(listener)
}
