import { signal } from '@preact/signals'

/** A message shown and read out for a while. */
interface Notice {
  readonly text: string
  readonly isError: boolean
  /** The next action. */
  readonly action?: NoticeAction | undefined
}

/** The next action: a function, or a page. */
type NoticeAction = { readonly label: string } & ({ readonly run: () => void } | { readonly href: string })

const SHOWN_MS = 8_000

export const notice = signal<Notice | undefined>(undefined)

/** Shows a message until the next one, or for a time. */
export function notify(text: string, action?: Notice['action']): void {
  show({ text, isError: false, action })
}

/** Runs an action of the user, and shows the service's error. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  const text = await faultOf(run)
  if (text !== '') show({ text, isError: true })
  return text === ''
}

/** Runs an action of a form. Resolves with the text of its error; with an empty one if there is none. */
export async function faultOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run()
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function show(shown: Notice): void {
  notice.value = shown
  if (shown.isError) return
  setTimeout(() => {
    if (notice.value === shown) notice.value = undefined
  }, SHOWN_MS)
}
