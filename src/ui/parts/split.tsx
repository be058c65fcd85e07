import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A list with its opened item. On a narrow page the detail replaces the list. */
export function Split({ list, detail }: { list: ComponentChildren; detail: ComponentChildren | undefined }) {
  return (
    <main class="split" data-open={detail === undefined ? undefined : ''}>
      <div class="split-list">{list}</div>
      {detail !== undefined && <div class="split-detail">{detail}</div>}
    </main>
  )
}

/** The opened item, with its name and a link back to its row. */
export function Detail({
  title,
  actions,
  close,
  children,
}: {
  title: ComponentChildren
  actions?: ComponentChildren
  /** Address of the list alone. */
  close: string
  children: ComponentChildren
}) {
  const box = useRef<HTMLElement>(null)
  useEffect(
    () => () => {
      // Back to the row that was open.
      focusLater('[data-rows] [data-open][tabindex="0"]')
    },
    [],
  )
  return (
    <section class="detail" ref={box} aria-labelledby="detail-title">
      <header class="detail-head">
        <a class="button button-plain" href={close} data-close aria-label="Close">
          <Icon name="close" />
        </a>
        <h2 id="detail-title">{title}</h2>
        <div class="buttons">{actions}</div>
      </header>
      {children}
    </section>
  )
}

export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Focuses an element after the next render, since the focused element disappears. */
export function focusLater(selector: string): void {
  setTimeout(() => document.querySelector<HTMLElement>(selector)?.focus())
}
