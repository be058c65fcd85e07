import { signal } from '@preact/signals'

const media = matchMedia('(max-width: 720px)')

/** Whether the page is as narrow as a phone: lists have rows of two lines, and a detail replaces its list. */
export const isNarrow = signal(media.matches)
media.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})
