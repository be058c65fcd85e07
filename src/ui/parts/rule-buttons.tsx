import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { mayWrite } from '../data/session.ts'
import { AskingButton } from './asking-button.tsx'
import { Button } from './fields.tsx'
import { focusLater } from './split.tsx'

interface RuleButtonsProps {
  readonly rule: { readonly id: string; readonly name: string }
  readonly edit: (id: string) => void
  /** The effect of removing it. */
  readonly lost: string
  readonly remove: () => unknown
  /** Buttons before these. */
  readonly children?: ComponentChildren
}

/** The buttons of a rule in a list; none in a read-only session. */
export function RuleButtons({ rule: { id, name }, edit, lost, remove, children }: RuleButtonsProps) {
  if (!mayWrite()) return null
  return (
    <div class="buttons">
      {children}
      <Button aria-label={`Edit ${name}`} data-edits={id} onClick={() => edit(id)}>
        Edit
      </Button>
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

/** Focuses the edit button of a rule. */
export const focusEdit = (id: string): void => focusLater(`[data-edits="${CSS.escape(id)}"]`)

/**
 * Enables or disables a rule. Shows the choice at once, also when the page is drawn anew while it is being set, and
 * the rule as it is again after a refusal.
 * @param label its text for an enabled rule
 */
export function RuleSwitch({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => unknown }) {
  const [chosen, setChosen] = useState<boolean | undefined>(undefined)
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={chosen ?? isOn}
      disabled={!mayWrite()}
      onChange={async ({ currentTarget }) => {
        setChosen(currentTarget.checked)
        await set(currentTarget.checked)
        setChosen(undefined)
      }}
    />
  )
}
