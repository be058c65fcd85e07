import type { ComponentChildren } from 'preact'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** JSON with highlighted parts. Everything is a text node; only http(s) addresses become links. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label}>
      <code>{highlight(JSON.stringify(value, null, 2) ?? 'nothing')}</code>
    </pre>
  )
}

/** The text of a body: formatted JSON, else unchanged. */
export function BodyView({ text, label }: { text: string; label: string }) {
  const parsed = tryParse(text)
  if (parsed !== undefined) return <JsonView value={parsed.value} label={label} />
  return (
    <pre class="json" tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  )
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function highlight(text: string): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon, word] = match
    if (match.index > end) parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    if (quoted === undefined) parts.push(<span class={word === undefined ? 'json-number' : 'json-word'}>{whole}</span>)
    else if (colon !== undefined) parts.push(<span class="json-key">{quoted}</span>, colon)
    else parts.push(<TextValue quoted={quoted} />)
  }
  parts.push(text.slice(end))
  return parts
}

function TextValue({ quoted }: { quoted: string }) {
  const text = quoted.slice(1, -1)
  const isAddress = /^https?:\/\//.test(text) && URL.canParse(text)
  if (!isAddress) return <span class="json-text">{quoted}</span>
  return (
    <a class="json-text" href={text} rel="noreferrer" target="_blank">
      {quoted}
    </a>
  )
}
