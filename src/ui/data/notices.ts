import { signal } from '@preact/signals'

/** A sentence that is shown and read out for a while. */
export interface Notice {
  readonly text: string
  readonly isError: boolean
  /** What can be done next. */
  readonly action?: NoticeAction | undefined
}

/** What can be done next: something, or a page to go to. */
export type NoticeAction = { readonly label: string } & ({ readonly run: () => void } | { readonly href: string })

const SHOWN_MS = 8_000

export const notice = signal<Notice | undefined>(undefined)

/** Shows a sentence until another one comes, or it is old. */
export function notify(text: string, action?: Notice['action']): void {
  show({ text, isError: false, action })
}

/** Does something for the user, and shows what the service says where that fails. */
export async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    show({ text: error instanceof Error ? error.message : String(error), isError: true })
    return false
  }
}

function show(shown: Notice): void {
  notice.value = shown
  if (shown.isError) return
  setTimeout(() => {
    if (notice.value === shown) notice.value = undefined
  }, SHOWN_MS)
}
