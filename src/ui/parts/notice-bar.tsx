import { notice } from '../data/notices.ts'
import { Icon } from './icon.tsx'

/** The last action, or its error. Read out politely, one message at a time. */
export function NoticeBar() {
  const shown = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown !== undefined && (
        <div class="notice" data-tone={shown.isError ? 'bad' : 'good'}>
          <Icon name={shown.isError ? 'alert' : 'check'} />
          <span>{shown.text}</span>
          {shown.action !== undefined &&
            ('run' in shown.action ? (
              <button type="button" class="button" onClick={shown.action.run}>
                {shown.action.label}
              </button>
            ) : (
              <a class="button" href={shown.action.href}>
                {shown.action.label}
              </a>
            ))}
          <button
            type="button"
            class="button button-plain"
            aria-label="Dismiss"
            onClick={() => {
              notice.value = undefined
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
