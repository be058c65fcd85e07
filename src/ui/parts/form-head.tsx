import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './fields.tsx'

/** The head of a form. It takes the focus if a button opened the form. */
export function FormHead({ children, isOpened }: { children: ComponentChildren; isOpened: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isOpened) heading.current?.focus()
  }, [])
  return (
    <h2 ref={heading} tabIndex={-1}>
      {children}
    </h2>
  )
}

/** The buttons at the end of a form. @param close discards changes; undefined for a permanent form */
export function FormButtons({
  save,
  isWrong = false,
  close,
}: {
  /** Label of the save button. */
  save: string
  isWrong?: boolean
  close: (() => void) | undefined
}) {
  return (
    <div class="buttons">
      <Button type="submit" kind="main" disabled={isWrong}>
        {save}
      </Button>
      {close !== undefined && <Button onClick={close}>Cancel</Button>}
    </div>
  )
}
