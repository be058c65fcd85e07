import { attempt, notify } from '../data/notices.ts'
import { Button } from './fields.tsx'
import { Icon } from './icon.tsx'

export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const copy = () =>
    attempt(async () => {
      await toClipboard(typeof text === 'string' ? text : text())
      notify(`${label.replace(/^Copy/, 'Copied')}.`)
    })
  return (
    <Button data-copy onClick={() => void copy()}>
      <Icon name="copy" />
      {label}
    </Button>
  )
}

/** @throws Error where the browser allows neither way of copying */
async function toClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // There is no `clipboard` over plain HTTP from another machine, and a browser may refuse it.
    if (!copyByCommand(text))
      throw new Error('This browser does not let the page copy: open the dashboard over HTTPS, or select the text.')
  }
}

function copyByCommand(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', fill)
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', fill)
  return isCopied
}

/** A new key, which is shown only once. */
export function KeyCard({ apiKey }: { apiKey: string }) {
  return (
    <div class="card" role="status">
      <p>The key, shown this once:</p>
      <p>
        <code class="long">{apiKey}</code>
      </p>
      <CopyButton text={apiKey} label="Copy key" />
    </div>
  )
}
