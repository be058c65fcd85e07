import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

/** A button for an irreversible action: it asks for confirmation. The focus returns to it. */
export function AskingButton({
  children,
  label,
  question,
  text,
  action,
  run,
}: {
  children: ComponentChildren
  /** Name of the button, if its text alone is ambiguous. */
  label?: string
  question: string
  /** The loss to confirm. */
  text: string
  /** Label of the confirming button. */
  action: string
  run: () => unknown
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button type="button" class="button button-danger" aria-label={label} onClick={() => dialog.current?.showModal()}>
        {children}
      </button>
      <dialog class="dialog" ref={dialog} aria-label={question}>
        <form
          method="dialog"
          onSubmit={({ submitter }) => {
            if ((submitter as HTMLButtonElement | null)?.value === 'yes') run()
          }}
        >
          <h2 class="long">{question}</h2>
          <p class="long">{text}</p>
          <div class="buttons">
            <button type="submit" class="button" value="no">
              Cancel
            </button>
            <button type="submit" class="button button-danger" value="yes">
              {action}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
