/** Drawings of 16 by 16, stroked. */
const PATHS = {
  change: 'M3 8h9M9 5l3 3-3 3',
  request: 'M2.5 8h8M8 5l3 3-3 3M13.5 3v10',
  delivery: 'M2 4h12v8H2zM2 4.5 8 9l6-4.5',
  burst: 'M8 2v4M8 10v4M2 8h4M10 8h4M4 4l2 2M10 10l2 2M12 4l-2 2M6 10l-2 2',
  clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.6V8l2.4 1.6',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2 12 8l-7 4.8z',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  close: 'm4 4 8 8M12 4l-8 8',
  back: 'M10 3 5 8l5 5',
  theme: 'M8 1.8a6.2 6.2 0 1 0 0 12.4zM8 1.8v12.4M8 1.8a6.2 6.2 0 0 1 0 12.4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  alert: 'M8 2.2 14.4 13.4H1.6zM8 6.4v3.2M8 11.4v.01',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  search: 'M7 2.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8zM10.2 10.2l3.4 3.4',
} as const

export type IconName = keyof typeof PATHS

/** An icon next to a text, without further meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
