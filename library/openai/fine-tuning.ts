import { parseJson } from '../../src/protocol/json.ts'
import { after, toUnix } from '../shared/times.ts'

import { type Fields, fieldsOf, type Kept, listOf, withoutKept } from '../shared/values.ts'
import { type Context, type Due, find } from './context.ts'
import { createFile, textOfFile } from './files.ts'
import { plainOperations, toPage } from './lists.ts'
import { checkModel, isAzure, isModel } from './models.ts'

/** Seconds of each state. */
const VALIDATING_S = 60
const QUEUED_S = 60
const RUNNING_S = 1_800
const USUAL_EPOCHS = 3

const findJob = (context: Context): Kept => find(context, 'fine_tuning_jobs', 'fine_tuning_job_id')

/** The events of a job with a further one. */
function withEvent(
  { id, now }: Pick<Context, 'id' | 'now'>,
  { kept_events }: Fields,
  message: string,
  data?: Fields,
): Fields[] {
  const event = { object: 'fine_tuning.job.event', id: id('ftevent-'), created_at: toUnix(now), level: 'info', message }
  return [...listOf(kept_events), { ...event, data: data ?? {}, type: data === undefined ? 'message' : 'metrics' }]
}

/** Fewest examples of a training file. */
const LEAST_EXAMPLES = 10

/** Why the lines of a training file are refused: each is an example of a chat. */
function faultOf(text: string | undefined): [code: string, message: string] | undefined {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '')
  const wrong = lines.findIndex((line) => {
    const { messages, input, prompt } = fieldsOf(parseJson(line))
    return messages === undefined && input === undefined && prompt === undefined
  })
  if (wrong !== -1)
    return ['invalid_training_file', `Invalid file format. Line ${wrong + 1} is no example: it needs 'messages'.`]
  const count = `Training file has ${lines.length} example(s), but must have at least ${LEAST_EXAMPLES} examples`
  return lines.length < LEAST_EXAMPLES ? ['invalid_n_examples', count] : undefined
}

/** A change of a job that may still go on. */
function change(context: Context, from: readonly string[], to: Fields, message: string): Fields {
  const job = findJob(context)
  if (!from.includes(String(job.status)))
    context.refuse(400, { message: `Job ${job.id} has the status '${job.status}', which allows no such change.` })
  const kept_events = withEvent(context, job, message)
  return withoutKept(context.records.fine_tuning_jobs.update(job.id, { ...to, kept_events }))
}

export const fineTuning = {
  ...plainOperations('fine_tuning_jobs', { path: '/fine_tuning/jobs', name: 'fine_tuning_job_id' }),
  'POST /fine_tuning/jobs': (context: Context) => {
    const { body, records, now, refuse } = context
    if (typeof body.model === 'string' && !isModel(body.model) && !isAzure(context))
      refuse(400, {
        code: 'model_not_available',
        message: `Model ${body.model} is not available for fine-tuning or does not exist.`,
      })
    const model = checkModel(context, body.model, 'sample from')
    for (const field of ['training_file', 'validation_file']) {
      const id = body[field]
      if (id == null) continue
      const { purpose } = records.files.get(String(id)) ?? refuse(400, { message: `invalid ${field}: ${id}`, field })
      if (purpose !== 'fine-tune')
        refuse(400, { message: `The purpose of ${id} is '${purpose}': expected 'fine-tune'.`, field })
    }
    const { training_file, validation_file = null, method = { type: 'supervised' }, seed = 42, suffix = null } = body
    const { integrations = [], metadata = null } = body
    const given = fieldsOf(
      body.hyperparameters ?? fieldsOf(fieldsOf(method)[String(fieldsOf(method).type)]).hyperparameters,
    )
    const id = context.id('ftjob-')
    const kept_events = withEvent(context, {}, `Created fine-tuning job: ${id}`)
    const hyperparameters = { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto', ...given }
    return withoutKept(
      records.fine_tuning_jobs.create({
        ...{ id, object: 'fine_tuning.job', model, created_at: toUnix(now), finished_at: null, fine_tuned_model: null },
        ...{ organization_id: 'org-backlot', result_files: [], status: 'validating_files', training_file },
        ...{ validation_file, hyperparameters, method, seed, suffix, trained_tokens: null, error: {} },
        ...{ integrations, metadata, estimated_finish: null },
        kept_events: withEvent(context, { kept_events }, `Validating training file: ${training_file}`),
        advances_at: after(now, VALIDATING_S),
      }),
    )
  },
  'POST /fine_tuning/jobs/{fine_tuning_job_id}/cancel': (context: Context) =>
    change(
      context,
      ['validating_files', 'queued', 'running', 'paused'],
      { status: 'cancelled', finished_at: toUnix(context.now), advances_at: null },
      'Fine-tuning job cancelled',
    ),
  'POST /fine_tuning/jobs/{fine_tuning_job_id}/pause': (context: Context) =>
    change(context, ['running'], { status: 'paused', advances_at: null }, 'Fine-tuning job paused'),
  'POST /fine_tuning/jobs/{fine_tuning_job_id}/resume': (context: Context) =>
    change(
      context,
      ['paused'],
      { status: 'queued', advances_at: after(context.now, QUEUED_S) },
      'Fine-tuning job resumed',
    ),
  'GET /fine_tuning/jobs/{fine_tuning_job_id}/events': (context: Context) =>
    toPage(context, listOf(findJob(context).kept_events)),
  'GET /fine_tuning/jobs/{fine_tuning_job_id}/checkpoints': (context: Context) => {
    const { id, status, fine_tuned_model, finished_at = null, hyperparameters } = findJob(context)
    const epochs = status === 'succeeded' ? epochsOf(hyperparameters) : 0
    const checkpoints = lossesOf(epochs).map((metrics, at) => ({
      object: 'fine_tuning.job.checkpoint',
      id: `ftckpt_${id}_${at}`,
      created_at: finished_at,
      fine_tuned_model_checkpoint: `${fine_tuned_model}${at === epochs - 1 ? '' : `:ckpt-step-${metrics.step}`}`,
      fine_tuning_job_id: id,
      metrics,
      step_number: metrics.step,
    }))
    return toPage(context, checkpoints)
  },
  /** A job goes on: its files are validated, it waits, runs, and has a model. */
  advanceFineTuning: (context: Due) => {
    const { record, now, update, id, tokens } = context
    const next = (to: Fields, message: string): Fields =>
      update({ ...to, kept_events: withEvent(context, record, message) })
    const text = textOfFile(context, record.training_file)
    switch (record.status) {
      case 'validating_files': {
        const fault = faultOf(text)
        if (fault === undefined)
          return next(
            { status: 'queued', advances_at: after(now, QUEUED_S) },
            'Files validated, moving job to queued state',
          )
        const [code, message] = fault
        const error = { code, message, param: 'training_file' }
        return next({ status: 'failed', error, finished_at: toUnix(now), advances_at: null }, message)
      }
      case 'queued':
        return next({ status: 'running', advances_at: after(now, RUNNING_S) }, 'Fine-tuning job started')
      default: {
        const name = `ft:${record.model}:backlot:${record.suffix ?? ''}:${id().slice(0, 8)}`
        const trained_tokens = tokens(text ?? '') * epochsOf(record.hyperparameters)
        const losses = lossesOf(epochsOf(record.hyperparameters))
        const rows = losses.map((loss) => `${Object.values(loss).join(',')},,\n`)
        const header = 'step,train_loss,train_accuracy,valid_loss,valid_mean_token_accuracy\n'
        const content = Buffer.from(header + rows.join('')).toString('base64')
        const file = createFile(context, { filename: 'step_metrics.csv', purpose: 'fine-tune-results', content })
        const done = {
          ...{ result_files: [file.id], fine_tuned_model: name, finished_at: toUnix(now), trained_tokens },
          advances_at: null,
        }
        const total_steps = losses.at(-1)?.step ?? 0
        let kept_events = listOf(record.kept_events)
        for (const loss of losses) {
          const text = `Step ${loss.step}/${total_steps}: training loss=${loss.train_loss.toFixed(2)}`
          kept_events = withEvent(context, { kept_events }, text, { ...loss, total_steps })
        }
        kept_events = withEvent(context, { kept_events }, `New fine-tuned model created: ${name}`)
        const message = 'The job has successfully completed'
        return update({ status: 'succeeded', ...done, kept_events: withEvent(context, { kept_events }, message) })
      }
    }
  },
}

/** What each epoch has measured. */
const lossesOf = (epochs: number) =>
  Array.from({ length: epochs }, (_, at) => {
    const train_loss = 1 / (at + 1)
    return { step: (at + 1) * 10, train_loss, train_mean_token_accuracy: 1 - train_loss / 2 }
  })

function epochsOf(hyperparameters: unknown): number {
  const { n_epochs } = fieldsOf(hyperparameters)
  return typeof n_epochs === 'number' ? n_epochs : USUAL_EPOCHS
}
