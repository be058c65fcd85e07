import { useState } from 'preact/hooks'
import { signIn, signInError } from '../data/session.ts'
import { Button, TextField } from '../parts/fields.tsx'

/** Asks for the account key. It is sent once and not kept in the page. */
export function SignInPage() {
  const [key, setKey] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    await signIn({ key: key.trim() })
    setIsBusy(false)
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>
          <span class="brand">backlot</span> dashboard
        </h1>
        <TextField
          label="Account key"
          type="password"
          name="key"
          autocomplete="off"
          required
          value={key}
          aria-describedby={signInError.value === undefined ? undefined : 'sign-in-error'}
          aria-invalid={signInError.value === undefined ? undefined : 'true'}
          set={setKey}
        />
        {signInError.value !== undefined && (
          <p class="error" id="sign-in-error" role="alert">
            {signInError.value}
          </p>
        )}
        <Button type="submit" kind="main" disabled={isBusy}>
          Sign in
        </Button>
        <p class="hint">
          <code>backlot serve</code> prints the key, and an address that signs in by itself.
        </p>
      </form>
    </main>
  )
}
