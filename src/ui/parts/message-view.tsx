import type { ComponentChildren } from 'preact'
import type { LoggedMessage } from '../../protocol/reads.ts'
import { countText } from '../data/count-text.ts'
import { BodyView } from './json-view.tsx'
import { Facts } from './split.tsx'

/** Headers and body of one side. */
export function MessageView({
  name,
  message,
  actions,
}: {
  name: string
  message: LoggedMessage
  actions?: ComponentChildren
}) {
  const { headers, body, bytes, truncated, encoding } = message
  return (
    <section class="block">
      <div class="block-head">
        <h3>{name}</h3>
        {actions}
      </div>
      <details class="headers">
        <summary>{countText(Object.keys(headers).length, 'header')}</summary>
        <Facts facts={Object.entries(headers).map(([header, value]) => [header, <code key={header}>{value}</code>])} />
      </details>
      {body === null ? (
        <p class="faint">
          {truncated ? `The body of ${bytes.toLocaleString('en')} bytes is no longer kept.` : 'No body.'}
        </p>
      ) : (
        <>
          {truncated && <p class="faint">The first 16 KiB of {bytes.toLocaleString('en')} bytes.</p>}
          {encoding === 'base64' && <p class="faint">No UTF-8: shown as base64.</p>}
          <BodyView text={body} label={`${name} body`} />
        </>
      )}
    </section>
  )
}
