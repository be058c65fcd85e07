import type { SentStream } from '../../protocol/stream.ts'

const WIDTH = 120

/** What was sent of a stream, with a bar from its first byte to its last. An early end is red. */
export function StreamBar({ stream: { events, ended, firstByteMs, lastByteMs } }: { stream: SentStream }) {
  const text = `${events} events, ${ended}`
  if (firstByteMs === null || lastByteMs === null) return <>{text}</>
  const from = (firstByteMs / Math.max(1, lastByteMs)) * (WIDTH - 2)
  return (
    <>
      {text}, from {firstByteMs} to {lastByteMs} ms{' '}
      <svg class="stream-bar" data-ended={ended} viewBox={`0 0 ${WIDTH} 8`} width={WIDTH} height="8" aria-hidden="true">
        <path d={`M0 3h${WIDTH}v2H0zM${from} 0H${WIDTH}v8H${from}z`} />
      </svg>
    </>
  )
}
