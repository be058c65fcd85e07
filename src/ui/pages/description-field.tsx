import { useEffect, useState } from 'preact/hooks'
import type { Inspection } from '../../protocol/inspection.ts'
import { countText } from '../data/count-text.ts'
import { whatItDoes } from '../data/operations.ts'
import { call } from '../data/service.ts'
import { ErrorText, TextArea } from '../parts/fields.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'

/** Largest description that a service accepts, in bytes. */
const MOST_BYTES = 5_000_000
/** Time from the last letter to inspecting a description. */
const PAUSE_MS = 400
/** Collections and warnings shown at first. */
const MOST_SHOWN = 20

/** A pasted or dropped description, with its summary. */
export function DescriptionField({ text, setText }: { text: string; setText: (text: string) => void }) {
  const [error, setError] = useState('')
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > MOST_BYTES) {
      const size = file.size.toLocaleString('en')
      setError(`Expected a file of at most 5,000,000 bytes, got ${size}. Leave out paths that no test needs.`)
      return
    }
    setError('')
    setText(await file.text())
  }
  return (
    <div
      class="block"
      role="group"
      aria-label="Description"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(event.dataTransfer?.files[0])
      }}
    >
      <TextArea
        label="Description as OpenAPI, JSON or YAML: paste it, drop a file here, or choose one"
        class="json-text-area"
        rows={12}
        value={text}
        set={setText}
      />
      <label class="field">
        File
        <input
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
      </label>
      <ErrorText text={error} />
      <InspectedDescription text={text} />
    </div>
  )
}

/** The contents of a simulation of the description, before its creation. */
function InspectedDescription({ text }: { text: string }) {
  const [inspected, setInspected] = useState<Inspection | string | undefined>(undefined)
  const [isReading, setIsReading] = useState(false)
  useEffect(() => {
    if (text.trim() === '') {
      setInspected(undefined)
      setIsReading(false)
      return undefined
    }
    let isCurrent = true
    setIsReading(true)
    const timer = setTimeout(async () => {
      const read = await call<Inspection>('POST', '/inspect', { spec: text }).catch((cause: Error) => cause.message)
      if (!isCurrent) return
      setInspected(read)
      setIsReading(false)
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  if (inspected === undefined) return <p class="hint">{isReading && 'Reading the description…'}</p>
  return (
    <section class="block" aria-label="What the description amounts to" aria-busy={isReading}>
      {typeof inspected === 'string' ? <p class="why">{inspected}</p> : <InspectionView inspection={inspected} />}
    </section>
  )
}

function InspectionView({ inspection }: { inspection: Inspection }) {
  const { title, version, summary, collections, singletons, operations } = inspection
  const warnings = [
    ...inspection.warnings,
    ...operations.flatMap((one) =>
      one.unclear ? `${one.method} ${one.path} ${whatItDoes(one)}: ${one.confidence}` : [],
    ),
    ...operations.flatMap(({ method, path, unread }) =>
      unread.length > 0 ? `${method} ${path} does not filter by ${unread.join(', ')}` : [],
    ),
  ]
  return (
    <>
      <h2>
        {title} <span class="faint">{version}</span>
      </h2>
      <p role="status">
        {countText(operations.length, 'operation')}: {summary}; {countText(collections.length, 'collection')}
        {singletons.length > 0 && `, ${countText(singletons.length, 'single document')}`}.
      </p>
      {collections.length > 0 && (
        <div class="scroll" role="region" aria-label="Collections" tabIndex={0}>
          <HeadedTable heads={['Collection', 'Id', 'Status', 'Parent', 'Events']}>
            {collections.slice(0, MOST_SHOWN).map(({ name, id, statusField, parent, events }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{id ?? 'none'}</td>
                <td>{statusField ?? 'none'}</td>
                <td>{parent ?? 'none'}</td>
                <td>
                  <code class="long">{events.join(', ')}</code>
                </td>
              </tr>
            ))}
          </HeadedTable>
        </div>
      )}
      <More all={collections.length} />
      {warnings.length > 0 && (
        <div class="why">
          <h3>Look at these</h3>
          <ul class="plain">
            {warnings.slice(0, MOST_SHOWN).map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
          <More all={warnings.length} />
        </div>
      )}
    </>
  )
}

function More({ all }: { all: number }) {
  return all > MOST_SHOWN ? <p class="hint">{(all - MOST_SHOWN).toLocaleString('en')} more.</p> : null
}
