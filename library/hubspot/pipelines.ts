import { valueText } from '../../src/protocol/json.ts'
import { present } from './derived.ts'
import {
  ACCOUNT,
  type Fields,
  fieldsOf,
  type HubspotRequest,
  isMissing,
  type Kept,
  type Kind,
  listOf,
  type Operations,
  only,
} from './hubspot.ts'

const PIPELINE = { label: 'text', displayOrder: 'integer' } as const
const STAGE = { ...PIPELINE, archived: 'flag' } as const

const SEEDED = '2026-01-01T00:00:00.000Z'
const USUAL = { createdAt: SEEDED, updatedAt: SEEDED, archived: false, writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT' }
const stagesIn = ({ stages }: Kept): Fields[] => listOf(stages).map((stage) => ({ ...USUAL, ...stage }))

const toPipeline = (pipeline: Kept): Fields => ({
  ...present(only(pipeline, 'id label displayOrder archived archivedAt createdAt updatedAt')),
  stages: stagesIn(pipeline),
})

/** Refuses stages of deals without a probability. */
function checkStages(hubspot: HubspotRequest, { name }: Kind, stages: readonly Fields[]): void {
  if (name === 'deals' && stages.some(({ metadata }) => isMissing(fieldsOf(metadata).probability)))
    hubspot.invalid('Each stage of a pipeline of deals needs a probability in its metadata')
  for (const stage of stages) hubspot.need('label', stage)
}

function newStage(hubspot: HubspotRequest, input: Fields): Fields {
  const { label = '', displayOrder = 0, stageId } = hubspot.sent({ ...PIPELINE, stageId: 'text' }, input)
  const metadata = fieldsOf(input.metadata)
  const probability = Number(metadata.probability)
  // A stage of deals closes them where they are won or lost.
  const isClosed = metadata.probability !== undefined && (probability === 0 || probability === 1)
  return {
    id: stageId ?? hubspot.digits(9),
    label,
    displayOrder,
    metadata: { isClosed: String(isClosed), ...metadata },
    createdAt: hubspot.iso,
    updatedAt: hubspot.iso,
  }
}

/** The fields of a whole pipeline in the body. */
function given(hubspot: HubspotRequest, kind: Kind): Fields {
  hubspot.need('label stages')
  const stages = hubspot.parts('stages')
  checkStages(hubspot, kind, stages)
  return {
    ...hubspot.sent(PIPELINE),
    stages: stages.map((stage) => newStage(hubspot, stage)),
    updatedAt: hubspot.iso,
  }
}

/** The pipeline that the path names, and its type of objects. */
function named(hubspot: HubspotRequest): { kind: Kind; pipeline: Kept } {
  const kind = hubspot.kind()
  const { pipelineId: id = '' } = hubspot.path
  return { kind, pipeline: hubspot.records.pipelines.find({ objectType: kind.name, id }) ?? hubspot.missing() }
}

/** The stage that the path names, with the others of its pipeline. */
function namedStage(hubspot: HubspotRequest): { kind: Kind; pipeline: Kept; stages: Fields[]; stage: Fields } {
  const { kind, pipeline } = named(hubspot)
  const stages = stagesIn(pipeline)
  return { kind, pipeline, stages, stage: stages.find(({ id }) => id === hubspot.path.stageId) ?? hubspot.missing() }
}

const setStages = ({ records, iso }: HubspotRequest, pipeline: Kept, stages: Fields[]): void => {
  records.pipelines.update(pipeline, { stages, updatedAt: iso })
}

/** Refuses to delete stages that objects are in, unless the query says that nobody minds. */
function checkFree(hubspot: HubspotRequest, kind: Kind, { id }: Kept, stages: readonly Fields[]): void {
  const gone = stages.map((stage) => stage.id)
  const users = hubspot
    .having('objects', { type: kind.name, archived: false })
    .filter(({ properties }) => properties[kind.pipeline] === id && gone.includes(properties[kind.stage] ?? ''))
  const { validateReferencesBeforeDelete: references, validateDealStageUsagesBeforeDelete: usages } = hubspot.query
  if (users.length === 0 || [references, usages].map(String).includes('false')) return
  const objectIds = users.map((one) => one.id)
  const stageIds = [...new Set(users.map(({ properties }) => valueText(properties[kind.stage])))]
  const message = `Stage IDs: ${JSON.stringify(stageIds)} are being referenced by object IDs: ${JSON.stringify(objectIds)}`
  hubspot.invalid(message, { context: { stageIds, objectIds }, subCategory: 'PipelineError.STAGE_ID_IN_USE' })
}

function changeStage(hubspot: HubspotRequest): Fields {
  const { pipeline, stages, stage } = namedStage(hubspot)
  const metadata = { ...fieldsOf(stage.metadata), ...fieldsOf(hubspot.body.metadata) }
  const changed = { ...stage, ...hubspot.sent(STAGE), metadata, updatedAt: hubspot.iso }
  setStages(
    hubspot,
    pipeline,
    stages.map((one) => (one === stage ? changed : one)),
  )
  return changed
}

export const pipelines: Operations = {
  'GET /crm/v3/pipelines/{objectType}': (hubspot) => {
    const all = hubspot.having('pipelines', { objectType: hubspot.kind().name, archived: false })
    return { results: all.map(toPipeline) }
  },
  'POST /crm/v3/pipelines/{objectType}': (hubspot) => {
    const kind = hubspot.kind()
    const fields = given(hubspot, kind)
    const id = valueText(hubspot.sent({ pipelineId: 'text' }).pipelineId ?? hubspot.digits(9))
    const { pipelines } = hubspot.records
    if (pipelines.get(id) !== undefined) hubspot.conflict(`A pipeline with the ID ${id} exists already.`)
    return toPipeline(pipelines.create({ ...fields, id, objectType: kind.name, createdAt: hubspot.iso }))
  },
  'GET /crm/v3/pipelines/{objectType}/{pipelineId}': (hubspot) => toPipeline(named(hubspot).pipeline),
  'PATCH /crm/v3/pipelines/{objectType}/{pipelineId}': (hubspot) => {
    const fields = { ...hubspot.sent(STAGE), updatedAt: hubspot.iso }
    return toPipeline(hubspot.records.pipelines.update(named(hubspot).pipeline, fields))
  },
  'PUT /crm/v3/pipelines/{objectType}/{pipelineId}': (hubspot) => {
    const { kind, pipeline } = named(hubspot)
    return toPipeline(hubspot.records.pipelines.update(pipeline, given(hubspot, kind)))
  },
  'DELETE /crm/v3/pipelines/{objectType}/{pipelineId}': (hubspot) => {
    const { kind, pipeline } = named(hubspot)
    checkFree(hubspot, kind, pipeline, listOf(pipeline.stages))
    hubspot.records.pipelines.remove(pipeline)
  },
  'GET /crm/v3/pipelines/{objectType}/{pipelineId}/audit': (hubspot) => {
    const { id, createdAt = '' } = named(hubspot).pipeline
    const { portalId, userId: fromUserId } = ACCOUNT
    return { results: [{ identifier: id, action: 'CREATE', portalId, fromUserId, timestamp: createdAt }] }
  },
  'GET /crm/v3/pipelines/{objectType}/{pipelineId}/stages': (hubspot) => ({
    results: stagesIn(named(hubspot).pipeline),
  }),
  'POST /crm/v3/pipelines/{objectType}/{pipelineId}/stages': (hubspot) => {
    const { kind, pipeline } = named(hubspot)
    checkStages(hubspot, kind, [hubspot.body])
    const stage = newStage(hubspot, hubspot.body)
    setStages(hubspot, pipeline, [...listOf(pipeline.stages), stage])
    return { ...USUAL, ...stage }
  },
  'GET /crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}': (hubspot) => namedStage(hubspot).stage,
  'PATCH /crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}': changeStage,
  'PUT /crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}': changeStage,
  'DELETE /crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}': (hubspot) => {
    const { kind, pipeline, stages, stage } = namedStage(hubspot)
    checkFree(hubspot, kind, pipeline, [stage])
    setStages(
      hubspot,
      pipeline,
      stages.filter((one) => one !== stage),
    )
  },
}
