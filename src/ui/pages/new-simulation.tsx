import { useEffect, useState } from 'preact/hooks'
import type { LibraryEntrySummary } from '../../protocol/reads.ts'
import type { CreatedSimulation, CreateSimulationRequest } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import { faultOf } from '../data/notices.ts'
import { parseObject } from '../data/object-text.ts'
import { call } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { KeyCard } from '../parts/copy-button.tsx'
import { Button, ErrorText, Picks, SelectField, TextArea, TextField } from '../parts/fields.tsx'
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
  const [tab, setTab] = useState<(typeof SOURCES)[number]>('Library')
  const [library, setLibrary] = useState('')
  const [spec, setSpec] = useState('')
  const [options, setOptions] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    const body = toRequest(tab === 'Library' ? { library } : { spec }, options)
    if (typeof body === 'string') return setError(body)
    setIsBusy(true)
    setError(await faultOf(async () => onCreated(await call<CreatedSimulation>('POST', '/simulations', body))))
    setIsBusy(false)
  }
  const set = (name: string) => (value: string) => setOptions({ ...options, [name]: value })
  return (
    <form class="block" onSubmit={(event) => void submit(event)}>
      <Picks label="From" names={SOURCES} chosen={tab} choose={setTab} />
      {tab === 'Library' ? (
        <LibraryChoice chosen={library} choose={setLibrary} />
      ) : (
        <DescriptionField text={spec} setText={setSpec} />
      )}
      <details class="block">
        <summary>Options</summary>
        <div class="wide-form">
          {FIELDS.map(([name, label, example]) => (
            <TextField
              key={name}
              label={label}
              spellcheck={false}
              placeholder={example}
              value={options[name] ?? ''}
              set={set(name)}
            />
          ))}
          <SelectField
            label="Validation"
            value={options.validation ?? ''}
            set={set('validation')}
            options={VALIDATIONS}
          />
          <div class="field-whole">
            <TextArea
              label="Instructions"
              rows={2}
              maxLength={2_000}
              value={options.instructions ?? ''}
              set={set('instructions')}
            />
          </div>
        </div>
      </details>
      <ErrorText text={error} />
      <div class="buttons">
        <Button type="submit" kind="main" disabled={isBusy || (tab === 'Library' ? library === '' : spec === '')}>
          {isBusy ? 'Making it…' : 'Make the simulation'}
        </Button>
      </div>
    </form>
  )
}

const SOURCES = ['Library', 'Description'] as const

const FIELDS = [
  ['name', 'Name', ''],
  ['slug', 'Slug', 'shop'],
  ['seed', 'Seed', 'any text'],
  ['epoch', 'Epoch', '2026-01-01T00:00:00Z'],
  ['volume', 'Volume', '{ "tasks": 500 }'],
] as const

const VALIDATIONS = [
  ['', 'as the service has it'],
  ['strict', 'strict: refuse what does not fit'],
  ['warn', 'warn: let it pass, and note it'],
  'off',
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
      <KeyCard apiKey={apiKey} />
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
