import type { ComponentChildren, RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from './fields.tsx'

interface Asked {
  readonly question: string
  /** The loss to confirm. */
  readonly text?: string
  /** Label of the confirming button. */
  readonly action: string
  readonly run: () => unknown
}

/** A button for an irreversible action: it asks for confirmation. The focus returns to it. */
export function AskingButton({
  children,
  label,
  ...asked
}: Asked & {
  children: ComponentChildren
  /** Name of the button, if its text alone is ambiguous. */
  label?: string
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <Button kind="danger" aria-label={label} onClick={() => dialog.current?.showModal()}>
        {children}
      </Button>
      <AskingDialog dialog={dialog} {...asked} />
    </>
  )
}

/** Asks for confirmation. `children`: what else is asked. */
export function AskingDialog({
  dialog,
  question,
  text,
  action,
  run,
  isOff = false,
  children,
}: Asked & { dialog: RefObject<HTMLDialogElement | null>; isOff?: boolean; children?: ComponentChildren }) {
  return (
    <dialog class="dialog" ref={dialog} aria-label={question}>
      <form
        method="dialog"
        onSubmit={({ submitter }) => {
          if ((submitter as HTMLButtonElement | null)?.value === 'yes') run()
        }}
      >
        <h2 class="long">{question}</h2>
        {text !== undefined && <p class="long">{text}</p>}
        {children}
        <div class="buttons">
          <Button type="submit" value="no">
            Cancel
          </Button>
          <Button type="submit" kind="danger" value="yes" disabled={isOff}>
            {action}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
