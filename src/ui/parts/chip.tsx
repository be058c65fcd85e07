import type { ComponentChildren } from 'preact'

/** A state. Colour is never the only sign: the chip has a text. */
export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'accent'

export function Chip({ tone = 'calm', children, title }: { tone?: Tone; children: ComponentChildren; title?: string }) {
  return (
    <span class="chip" data-tone={tone} title={title}>
      {children}
    </span>
  )
}

/** The status of an HTTP answer. */
export function StatusChip({ status }: { status: number | null | undefined }) {
  if (status === null || status === undefined) return <Chip tone="warn">no answer</Chip>
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <Chip tone={tone}>{status}</Chip>
}
