import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { fastForward, hoursUntil, MOST_HOURS, type TurnProgress } from '../data/fast-forward.ts'
import type { LiveSimulation } from '../data/live.ts'
import { isNarrow } from '../data/narrow.ts'
import { attempt } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { clockText, dateText, spanText, worldMs } from '../data/time-text.ts'
import { Chip, type Tone } from './chip.tsx'
import { Button, TextField } from './fields.tsx'
import { Icon } from './icon.tsx'

const PRESETS = [
  ['+1 h', 1],
  ['+1 d', 24],
  ['+1 w', 168],
] as const

const TONES: Readonly<Record<string, Tone>> = { running: 'good', paused: 'warn' }

/** The clock of a simulation, with its controls. */
export function ClockBar({ live }: { live: LiveSimulation }) {
  const clock = live.clock.value
  const status = live.detail.value?.status
  const [progress, setProgress] = useState<TurnProgress | undefined>(undefined)
  const stop = useRef<AbortController | undefined>(undefined)
  const isPaused = clock?.paused ?? false

  const turn = async (hours: number) => {
    if (progress !== undefined) return
    const ending = new AbortController()
    stop.current = ending
    await fastForward(live, hours, setProgress, ending.signal)
    setProgress(undefined)
  }
  const toggle = () =>
    attempt(async () => {
      await call('POST', simulationPath(live.slug, isPaused ? '/resume' : '/pause'))
      await live.refresh()
    })

  return (
    <div class="clock-bar" role="group" aria-label="Clock">
      {status !== undefined && <Chip tone={TONES[status] ?? 'calm'}>{status}</Chip>}
      <WorldClock live={live} />
      {mayWrite() && (
        // Hidden controls keep the focus until they return.
        <details class={`menu clock-menu ${progress === undefined ? '' : 'unseen'}`} open={!isNarrow.value}>
          <summary class="button">
            <Icon name="clock" />
            Turn
          </summary>
          <div class="clock-buttons">
            {PRESETS.map(([label, hours], index) => (
              <Button
                key={label}
                data-fast-forward={index === 0 ? '' : undefined}
                disabled={isPaused}
                aria-label={`Fast-forward ${label}`}
                onClick={() => void turn(hours)}
              >
                {label}
              </Button>
            ))}
            <TurnTo live={live} isPaused={isPaused} turn={turn} />
            <Button onClick={() => void toggle()}>
              <Icon name={isPaused ? 'play' : 'pause'} />
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          </div>
        </details>
      )}
      {progress !== undefined && (
        <div class="progress" role="group" aria-label="Fast-forward">
          <progress max={progress.of} value={progress.done} aria-label="Fast-forwarded" />
          <span>{progress.changes.toLocaleString('en')} changes</span>
          {progress.of > MOST_HOURS && <Button onClick={() => stop.current?.abort()}>Cancel</Button>}
        </div>
      )}
    </div>
  )
}

/** The world's time. It runs in the page between readings of the service. */
function WorldClock({ live }: { live: LiveSimulation }) {
  const [, redraw] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const clock = live.clock.value
  if (clock === undefined) return <span class="world-clock" aria-busy="true" />
  const now = worldMs(clock)
  const offset = spanText(clock.offsetMs)
  return (
    <span class="world-clock" title={`World time, UTC. Real time: ${new Date().toISOString()}`}>
      <Icon name="clock" />
      <span class="world-date">{dateText(now)}</span> <b>{clockText(new Date(now).toISOString()).slice(0, 8)}</b>
      {offset !== '' && <span class="world-offset">{offset}</span>}
    </span>
  )
}

/** Turns the clock to a date, or by a duration such as `3d 4h`. */
function TurnTo({
  live,
  isPaused,
  turn,
}: {
  live: LiveSimulation
  isPaused: boolean
  turn: (hours: number) => Promise<void>
}) {
  const [text, setText] = useState('')
  const [error, setError] = useState('')
  const id = useId()
  const menu = useRef<HTMLDetailsElement>(null)
  const submit = (event: Event) => {
    event.preventDefault()
    const target = hoursUntil(text, worldMs(live.clock.value))
    if (typeof target === 'string') return setError(target)
    setError('')
    setText('')
    menu.current?.removeAttribute('open')
    menu.current?.querySelector('summary')?.focus()
    void turn(target)
  }
  return (
    <details class="menu menu-end" ref={menu}>
      <summary class="button" aria-label="Fast-forward to">
        to…
      </summary>
      <form class="menu-list menu-form" onSubmit={submit}>
        <TextField
          label="Fast-forward to"
          placeholder="3d 4h, or 2026-12-24 18:00"
          value={text}
          disabled={isPaused}
          aria-invalid={error === '' ? undefined : 'true'}
          aria-describedby={`${id}-error`}
          set={setText}
        />
        <p class="error" id={`${id}-error`} role="alert">
          {error}
        </p>
        <Button type="submit" kind="main" disabled={isPaused}>
          Fast-forward
        </Button>
      </form>
    </details>
  )
}
