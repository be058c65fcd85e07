import { notify } from '../data/notices.ts'
import { Icon } from './icon.tsx'

/** Copies a text. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    notify(`${label.replace(/^Copy/, 'Copied')}.`)
  }
  return (
    <button type="button" class="button" data-copy onClick={() => void copy()}>
      <Icon name="copy" />
      {label}
    </button>
  )
}
