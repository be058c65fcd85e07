import { channel } from 'node:diagnostics_channel'

/** Messages of the service for metrics and logs. */
export interface Diagnostics {
  /** An answer of status 500 or above: an error that the client did not cause. */
  failure: { readonly status: number; readonly error: Error }
  /** A delivery attempt ended. */
  attempt: { readonly isDelivered: boolean; readonly durationMs: number }
  /** A problem that the operator can solve. */
  warning: { readonly message: string; readonly facts: Readonly<Record<string, string>> }
  /** A text was made from word lists for a field, named in snake case. Only makers compiled while someone listens say it. */
  filler: { readonly field: string; readonly text: string }
}

/** Node's diagnostics channels: without a listener, a message costs one check. */
const CHANNELS = {
  failure: channel('backlot:failure'),
  attempt: channel('backlot:attempt'),
  warning: channel('backlot:warning'),
  filler: channel('backlot:filler'),
}

/** Publishes a message to subscribers; without any, `compose` is not called. */
export function publish<Name extends keyof Diagnostics>(name: Name, compose: () => Diagnostics[Name]): void {
  const { [name]: channel } = CHANNELS
  if (channel.hasSubscribers) channel.publish(compose())
}

/** Whether messages of this name have a subscriber. */
export function isListenedTo(name: keyof Diagnostics): boolean {
  return CHANNELS[name].hasSubscribers
}

/** Passes each message to `take` until the returned function is called. */
export function subscribe<Name extends keyof Diagnostics>(
  name: Name,
  take: (message: Diagnostics[Name]) => void,
): () => void {
  // Only `publish` sends on these channels.
  const listener = (message: unknown) => take(message as Diagnostics[Name])
  CHANNELS[name].subscribe(listener)
  return () => CHANNELS[name].unsubscribe(listener)
}
