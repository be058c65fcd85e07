/** Latency of typing into a list filter: from each key to the painted rows. */
import type { Browser, Page } from '@playwright/test'
import { computedBetween, tracePage } from './page-tasks.ts'

/** Filters that are typed letter by letter: a field with a pattern, bare words, and one without a match. */
const LINES = ['path:*7*', 'tasks', 'kind:request -status:>=400', 'nothing like it']

/** One letter. */
interface TypedLetter {
  /** CPU time of the page until rows are painted, milliseconds. */
  readonly computed: number
  /** Elapsed time, with the wait for the frame. */
  readonly waited: number
}

/** Types into the filter of the page, key by key. */
export async function typeLetters(browser: Browser, page: Page): Promise<TypedLetter[]> {
  let letters = 0
  await page.evaluate(markLetters)
  await page.locator('[data-filter]').focus()
  const trace = await tracePage(browser, page, async () => {
    for (const line of LINES) {
      for (const letter of line) {
        await page.keyboard.type(letter)
        letters++
        await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, `painted ${letters}`)
      }
      await page.locator('[data-filter]').fill('')
      letters++
      await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, `painted ${letters}`)
    }
  })
  const { marks } = trace
  return Array.from({ length: letters }, (_, at) => {
    const [from = Number.NaN, to = Number.NaN] = [marks.get(`letter ${at + 1}`), marks.get(`painted ${at + 1}`)]
    return { computed: computedBetween(trace, from, to), waited: to - from }
  })
}

/** Runs in the page: marks when a letter comes, and when the frame after it is painted. */
function markLetters(): void {
  let letters = 0
  addEventListener(
    'input',
    () => {
      const number = ++letters
      performance.mark(`letter ${number}`)
      // A task posted by a frame runs after its paint.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => performance.mark(`painted ${number}`)
        port2.postMessage(null)
      })
    },
    { capture: true },
  )
}
