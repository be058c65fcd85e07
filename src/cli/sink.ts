import type { Command } from 'commander'
import { toTable } from '../fixture/table.ts'
import { getPreset, type PresetName } from '../protocol/webhook-scheme/presets.ts'
import { readTextFile } from '../runtime/read-text-file.ts'
import { systemRuntime } from '../runtime/runtime.ts'
import type { ReceivedWebhook } from '../sink/received-webhook.ts'
import type { RejectedRequest } from '../sink/rejection.ts'
import type { SinkPath } from '../sink/sink-path.ts'
import { startSink, type WebhookSink, type WebhookSinkOptions } from '../sink/webhook-sink.ts'
import { untilStopped } from './serve-thread.ts'
import { type SinkApi, startSinkApi, toReceivedJson } from './sink-api.ts'
import { colors, printJson, printLines, writeAuthority } from './terminal.ts'

interface SinkFlags {
  listen: string
  publicUrl?: string
  tls: boolean
  tlsCert?: string
  tlsKey?: string
  token?: string
  secret?: string[]
  scheme?: string
  forwardTo?: string[]
  api: string
  apiToken?: string
  caFile?: string
  json?: boolean
}

/** Adds `backlot sink` to the program. */
export function addSinkCommand(program: Command): void {
  program
    .command('sink')
    .description('receive and verify webhooks until SIGTERM or Ctrl-C, for people and for tests in other languages')
    .option('--listen <host:port>', 'where to receive webhooks', '127.0.0.1:0')
    .option('--public-url <url>', 'the address under which the service reaches it (checked at start)')
    .option('--tls-cert <file>', 'a certificate of your own, PEM (with --tls-key)')
    .option('--tls-key <file>', 'its key, PEM')
    .option('--no-tls', 'plain http, behind a proxy or tunnel that speaks TLS')
    .option('--token <hex>', 'the secret part of the path, 32 hexadecimal digits, to keep the address over restarts')
    .option('--secret <whsec...>', 'secrets to verify with; more can be given later: POST /secrets')
    .option(
      '--scheme <name>',
      'how deliveries are signed: stripe, github, slack, twilio, standard-webhooks, ... (default: our own)',
    )
    .option('--forward-to <url...>', 'pass everything on, unchanged; the answer there becomes the answer here')
    .option('--api <host:port>', 'where to read what was received, over http', '127.0.0.1:0')
    .option('--api-token <text>', 'the token in its address, 16 or more letters and digits, instead of a new one')
    .option('--ca-file <path>', "write the certificate's authority there, as PEM")
    .option('--json', 'print one line of JSON when ready and one for each webhook')
    .action(receive)
}

async function receive(flags: SinkFlags, command: Command): Promise<void> {
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    command.error('error: --tls-cert and --tls-key belong together.')
  }
  if (flags.apiToken !== undefined && !/^[\w-]{16,200}$/.test(flags.apiToken)) {
    command.error('error: --api-token has 16 to 200 letters, digits, _ and -.')
  }
  const scheme = readScheme(flags, command)
  const print = flags.json
    ? {
        received: (webhook: ReceivedWebhook) => printJson({ kind: 'received', ...toReceivedJson(webhook) }),
        rejected: (request: RejectedRequest) => printJson({ kind: 'rejected', ...request }),
      }
    : {
        received: (webhook: ReceivedWebhook) => printLines([formatReceived(webhook)]),
        rejected: (request: RejectedRequest) => printLines([formatRejected(request)]),
      }
  const sink = await startSink({ ...(await toSinkOptions(flags)), onRejected: print.rejected }).catch(fail)
  let api: SinkApi | undefined
  try {
    if (flags.publicUrl !== undefined) await sink.checkPublicUrl()
    const path = openPath(sink, flags, scheme)
    path.inbox.observe(print)
    const ca = await sink.ca()
    api = await startSinkApi({
      sink,
      path,
      scheme,
      listen: flags.api,
      token: flags.apiToken ?? systemRuntime.secret(16),
    }).catch(fail)
    if (flags.caFile !== undefined && ca !== undefined) await writeAuthority(flags.caFile, ca)
    if (flags.json) printJson({ url: path.url, api: api.url, ca })
    else printLines(describeSink(path, api, flags))
    await untilStopped()
  } finally {
    await api?.close()
    await sink.close()
  }
}

const MAX_KEPT = 10_000

async function toSinkOptions({ listen, publicUrl, tls, tlsCert, tlsKey }: SinkFlags): Promise<WebhookSinkOptions> {
  const own = tlsCert !== undefined &&
    tlsKey !== undefined && { cert: await readTextFile(tlsCert), key: await readTextFile(tlsKey) }
  return { listen, publicUrl, capacity: MAX_KEPT, tls: own || (tls ? undefined : 'terminated-upstream') }
}

/** The scheme in `--scheme`. Ends the command for an unknown one. */
function readScheme({ scheme = 'svc' }: SinkFlags, command: Command): PresetName {
  try {
    getPreset(scheme)
    return scheme as PresetName
  } catch (error) {
    return command.error(`error: --scheme: ${(error as Error).message}`)
  }
}

function openPath(sink: WebhookSink, { token, secret = [], forwardTo = [] }: SinkFlags, scheme: PresetName): SinkPath {
  const path = sink.open(token === undefined ? {} : { token })
  for (const [index, text] of secret.entries()) path.trust({ webhookId: `secret-${index + 1}`, secret: text, scheme })
  for (const url of forwardTo) path.forwardTo(url)
  return path
}

function describeSink(path: SinkPath, api: SinkApi, { secret = [], caFile }: SinkFlags): string[] {
  return [
    `Register     ${colors.cyan(path.url)}`,
    `Read         ${colors.cyan(`${api.url}/received?type=*&wait=5s`)}`,
    ...(caFile === undefined ? [] : [`Authority    ${caFile}`]),
    ...(secret.length > 0
      ? []
      : [`Secret       none yet: POST { "secret": "whsec_..." } to ${api.url}/secrets, or start with --secret`]),
    '',
    colors.dim(SINK_TITLES),
  ]
}

function fail(cause: NodeJS.ErrnoException): never {
  const isTaken = cause.code === 'EADDRINUSE'
  const fact = isTaken ? 'the port is taken. Choose another, or 0 for any' : cause.message.replace(/\.$/, '')
  throw new Error(`Failed to start the sink: ${fact}.`, { cause })
}

const WIDTHS = [12, 28, 40, 7, 6] as const

/** The titles of the columns that {@link formatReceived} and {@link formatRejected} fill. */
const SINK_TITLES = toLine(['TIME', 'KIND', 'RECORD', 'ATTEMPT', 'ANSWER', 'VERDICT'])

/** One line for a webhook. */
function formatReceived(webhook: ReceivedWebhook): string {
  const { data, attempt, attempts, duplicates, answered, receivedAt, type } = webhook
  const times = duplicates > 0 ? `${attempts}, ${duplicates}dup` : String(attempt)
  const record = `${data.collection}/${data.id}`
  return toLine([toTime(receivedAt), type, record, times, String(answered ?? '-'), colors.green('verified')])
}

/** One line for a refused request, with the reason. */
function formatRejected(request: RejectedRequest): string {
  const kind = request.headers['svc-event'] ?? request.headers['backlot-event'] ?? '-'
  const verdict = `${colors.red(request.reason)} ${request.detail}`
  return toLine([toTime(request.at), kind, '-', '-', String(request.status ?? '-'), verdict])
}

function toTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23)
}

/** Lines are printed as webhooks arrive, so that the widths are fixed. */
function toLine(cells: readonly string[]): string {
  return toTable([cells.map((cell) => cell.replaceAll('\n', '\\n'))], { minWidths: WIDTHS }).join('')
}
