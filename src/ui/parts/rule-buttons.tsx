import type { ComponentChildren } from 'preact'
import { focusLater } from '../data/focus-later.ts'
import { mayWrite } from '../data/session.ts'
import { AskingButton } from './asking-button.tsx'

interface RuleButtonsProps {
  readonly rule: { readonly id: string; readonly name: string }
  readonly edit: (id: string) => void
  /** What is so once it is removed. */
  readonly lost: string
  readonly remove: () => unknown
  /** Buttons before these. */
  readonly children?: ComponentChildren
}

/** What can be done with a rule of a list; nothing where the session may only read. */
export function RuleButtons({ rule: { id, name }, edit, lost, remove, children }: RuleButtonsProps) {
  if (!mayWrite()) return null
  return (
    <div class="buttons">
      {children}
      <button type="button" class="button" aria-label={`Edit ${name}`} data-edits={id} onClick={() => edit(id)}>
        Edit
      </button>
      <AskingButton
        label={`Remove ${name}`}
        question={`Remove the rule ${name}?`}
        text={`${lost} To let it rest, switch it off instead.`}
        action="Remove"
        run={remove}
      >
        Remove…
      </AskingButton>
    </div>
  )
}

/** Gives the focus back to the button that a rule was edited by. */
export const focusEdit = (id: string): void => focusLater(`[data-edits="${CSS.escape(id)}"]`)

/** Switches a rule on or off. @param label what it says of the rule when it is on */
export function RuleSwitch({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => unknown }) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isOn}
      disabled={!mayWrite()}
      onChange={({ currentTarget }) => void set(currentTarget.checked)}
    />
  )
}
