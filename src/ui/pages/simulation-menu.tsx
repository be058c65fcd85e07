import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { LiveSimulation } from '../data/live.ts'
import { useRoute } from '../data/location.tsx'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { AskingDialog } from '../parts/asking-button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Button, TextField } from '../parts/fields.tsx'
import { lazyPage } from '../parts/lazy-page.tsx'

const SnapshotDialog = lazyPage(
  async () => (await import('./seldom-pages.tsx')).SnapshotDialog,
  <div class="bars" aria-busy="true" />,
)

/** Actions on a whole simulation. Irreversible ones ask for confirmation. */
export function SimulationMenu({ live }: { live: LiveSimulation }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const resetting = useRef<HTMLDialogElement>(null)
  const deleting = useRef<HTMLDialogElement>(null)
  const snapshots = useRef<HTMLDialogElement>(null)
  const [isListed, setIsListed] = useState(false)
  const detail = live.detail.value
  const choose = (run: () => unknown) => {
    menu.current?.removeAttribute('open')
    run()
  }
  return (
    <>
      <details class="menu" ref={menu}>
        <summary class="simulation-name">
          <span class="unseen">Simulation</span> {detail?.name ?? live.slug}
        </summary>
        <div class="menu-list">
          <p class="menu-note">
            <code>{live.slug}</code>
            {detail !== undefined && <span class="long">{detail.url}</span>}
          </p>
          {detail !== undefined && <CopyButton text={detail.url} label="Copy address" />}
          <a class="menu-item" href="/ui/">
            Other simulations
          </a>
          {mayWrite() && (
            <>
              <button
                type="button"
                class="menu-item"
                onClick={() =>
                  choose(() => {
                    setIsListed(true)
                    snapshots.current?.showModal()
                  })
                }
              >
                Snapshots…
              </button>
              <button type="button" class="menu-item" onClick={() => choose(() => resetting.current?.showModal())}>
                Reset…
              </button>
              <button
                type="button"
                class="menu-item menu-danger"
                onClick={() => choose(() => deleting.current?.showModal())}
              >
                Delete…
              </button>
            </>
          )}
        </div>
      </details>
      <dialog
        class="dialog dialog-wide"
        ref={snapshots}
        aria-labelledby="snapshots-title"
        onClose={() => setIsListed(false)}
      >
        <h2 id="snapshots-title">Snapshots of {live.slug}</h2>
        {isListed && <SnapshotDialog live={live} close={() => snapshots.current?.close()} />}
        <form method="dialog" class="buttons">
          <Button type="submit">Close</Button>
        </form>
      </dialog>
      <AskingDialog
        dialog={resetting}
        question={`Reset ${live.slug}?`}
        text="All records go back to what the seed makes of them. Keys, webhooks, rules and the plan stay."
        action="Reset"
        run={() =>
          attempt(async () => {
            await call('POST', simulationPath(live.slug, '/reset'))
            notify('The data is made again from its seed.')
          })
        }
      />
      <DeleteDialog live={live} dialog={deleting} />
    </>
  )
}

function DeleteDialog({ live, dialog }: { live: LiveSimulation; dialog: RefObject<HTMLDialogElement | null> }) {
  const route = useRoute()
  const [typed, setTyped] = useState('')
  const remove = () =>
    attempt(async () => {
      await call('DELETE', simulationPath(live.slug))
      notify(`${live.slug} is deleted.`)
      route('/ui/')
    })
  return (
    <AskingDialog
      dialog={dialog}
      question={`Delete ${live.slug}?`}
      text="Its records, requests, webhooks and keys are gone for good."
      action="Delete"
      run={remove}
      isOff={typed !== live.slug}
    >
      <TextField label={`Type ${live.slug} to delete it`} value={typed} autocomplete="off" set={setTyped} />
    </AskingDialog>
  )
}
