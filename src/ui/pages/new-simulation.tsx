import { useEffect, useState } from 'preact/hooks'
import type { LibraryEntrySummary } from '../../protocol/reads.ts'
import type { CreatedSimulation, CreateSimulationRequest } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import { parseObject } from '../data/object-text.ts'
import { call } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { TopBar } from '../parts/top-bar.tsx'
import { DescriptionField } from './description-field.tsx'

/** Creates a simulation from a library entry or a description. */
export function NewSimulationPage() {
  const [created, setCreated] = useState<CreatedSimulation | undefined>(undefined)
  useEffect(() => {
    document.title = 'New simulation · backlot'
  }, [])
  return (
    <>
      <TopBar />
      <main class="page">
        <div class="page-head">
          <h1>{created === undefined ? 'New simulation' : `${created.slug} is made`}</h1>
        </div>
        {!mayWrite() ? (
          <p class="empty">The key of this session may read only: it lacks the scope simulations:write.</p>
        ) : created === undefined ? (
          <NewForm onCreated={setCreated} />
        ) : (
          <FirstSteps created={created} />
        )}
      </main>
    </>
  )
}

function NewForm({ onCreated }: { onCreated: (created: CreatedSimulation) => void }) {
  const [tab, setTab] = useState<'library' | 'description'>('library')
  const [library, setLibrary] = useState('')
  const [spec, setSpec] = useState('')
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = toRequest(tab === 'library' ? { library } : { spec }, options)
    if (typeof body === 'string') return setError(body)
    setIsBusy(true)
    try {
      onCreated(await call<CreatedSimulation>('POST', '/simulations', body))
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
    setIsBusy(false)
  }
  const set = (name: string) => (value: string) => setOptions({ ...options, [name]: value })
  return (
    <form class="block" onSubmit={(event) => void submit(event)}>
      <div class="picks" role="group" aria-label="From">
        <button type="button" class="pick" aria-pressed={tab === 'library'} onClick={() => setTab('library')}>
          Library
        </button>
        <button type="button" class="pick" aria-pressed={tab === 'description'} onClick={() => setTab('description')}>
          Description
        </button>
      </div>
      {tab === 'library' ? (
        <LibraryChoice chosen={library} choose={setLibrary} />
      ) : (
        <DescriptionField text={spec} setText={setSpec} />
      )}
      <details class="block">
        <summary>Options</summary>
        <div class="wide-form">
          {FIELDS.map(([name, label, example]) => (
            <label class="field" key={name}>
              {label}
              <input
                spellcheck={false}
                placeholder={example}
                value={options[name] ?? ''}
                onInput={({ currentTarget }) => set(name)(currentTarget.value)}
              />
            </label>
          ))}
          <label class="field">
            Validation
            <select
              value={options.validation ?? ''}
              onChange={({ currentTarget }) => set('validation')(currentTarget.value)}
            >
              <option value="">as the service has it</option>
              <option value="strict">strict: refuse what does not fit</option>
              <option value="warn">warn: let it pass, and note it</option>
              <option value="off">off</option>
            </select>
          </label>
          <label class="field field-whole">
            Instructions
            <textarea
              rows={2}
              maxLength={2_000}
              value={options.instructions ?? ''}
              onInput={({ currentTarget }) => set('instructions')(currentTarget.value)}
            />
          </label>
        </div>
      </details>
      <p class="error" role="alert">
        {error}
      </p>
      <div class="buttons">
        <button
          type="submit"
          class="button button-main"
          disabled={isBusy || (tab === 'library' ? library === '' : spec === '')}
        >
          {isBusy ? 'Making it…' : 'Make the simulation'}
        </button>
      </div>
    </form>
  )
}

const FIELDS = [
  ['name', 'Name', ''],
  ['slug', 'Slug', 'shop'],
  ['seed', 'Seed', 'any text'],
  ['epoch', 'Epoch', '2026-01-01T00:00:00Z'],
  ['volume', 'Volume', '{ "tasks": 500 }'],
] as const

/** The body of the creation; a sentence for an invalid field. */
function toRequest(
  source: Pick<CreateSimulationRequest, 'library' | 'spec'>,
  { volume = '', ...options }: Readonly<Record<string, string>>,
): object | string {
  const given = Object.entries(options).filter(([, value]) => value.trim() !== '')
  if (volume.trim() === '') return { ...source, ...Object.fromEntries(given) }
  const parsed = parseObject(volume)
  return typeof parsed === 'string' ? `Volume: ${parsed}` : { ...source, ...Object.fromEntries(given), volume: parsed }
}

function LibraryChoice({ chosen, choose }: { chosen: string; choose: (slug: string) => void }) {
  const [words, setWords] = useState('')
  const read = useAnswer<{ data: LibraryEntrySummary[] }>(
    `/library?${new URLSearchParams({ limit: '200', q: words.slice(0, 500) })}`,
  )
  const entries = read.answer?.data ?? []
  return (
    <>
      <FilterBox
        value={words}
        onChange={setWords}
        example="payments, CRM, …"
        shown={read.answer === undefined ? '' : `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`}
      />
      {read.error !== undefined && <p class="error">{read.error}</p>}
      {read.answer !== undefined && entries.length === 0 && <p class="empty">No entry holds these words.</p>}
      <fieldset class="cards choices">
        <legend class="unseen">Entry of the library</legend>
        {entries.map(({ slug, name, provider, vertical, description, operations }) => (
          <label class="card choice" key={slug}>
            <span class="choice-head">
              <input type="radio" name="library" value={slug} checked={chosen === slug} onChange={() => choose(slug)} />
              <b>{name}</b>
            </span>
            <span class="faint">
              {provider} · {vertical} · {operations} operations
            </span>
            <span>{description}</span>
          </label>
        ))}
      </fieldset>
    </>
  )
}

/** The key, shown once, with three ways to use it. */
function FirstSteps({ created: { slug, url, apiKey, curl, note, warnings = [] } }: { created: CreatedSimulation }) {
  const snippets = [
    ['cURL', curl],
    ['Vitest', `import { useSimulation } from 'backlot/vitest'\n\nconst api = useSimulation('${slug}')`],
    ['SDK', `baseUrl: '${url}'\napiKey: '${apiKey}'`],
  ] as const
  return (
    <>
      <div class="card" role="status">
        <p>The key, shown this once:</p>
        <p>
          <code class="long">{apiKey}</code>
        </p>
        <CopyButton text={apiKey} label="Copy key" />
      </div>
      {snippets.map(([name, text]) => (
        <section class="block" key={name}>
          <h2>{name}</h2>
          <pre class="json" tabIndex={0} role="region" aria-label={name}>
            <code>{text}</code>
          </pre>
        </section>
      ))}
      <p class="faint">{note}</p>
      {warnings.map((warning) => (
        <p class="why" key={warning}>
          {warning}
        </p>
      ))}
      <p>
        <a class="button button-main" href={addressOf(slug)}>
          Open {slug}
        </a>
      </p>
    </>
  )
}
