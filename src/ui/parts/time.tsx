import { clockText } from '../data/time-text.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `22 Nov`, without the cost of date formatting in many rows. */
const dayText = (iso: string): string => {
  const [month, day] = iso.slice(0, iso.indexOf('T')).split('-').slice(-2)
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''}`
}

/** A world time with its date, since a clock may turn by weeks. */
export function Time({ iso }: { iso: string }) {
  const clock = clockText(iso)
  return (
    <time class="time" dateTime={iso} title={iso}>
      <span class="time-day">{dayText(iso)}</span> {clock.slice(0, 8)}
      <span class="time-ms">{clock.slice(8)}</span>
    </time>
  )
}
