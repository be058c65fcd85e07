import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { SinkPath } from '../sink/sink-path.ts'
import type { WebhookSink, WebhookSinkOptions } from '../sink/webhook-sink.ts'
import type { SinkApi } from './sink-api.ts'
import { formatReceived, formatRejected, SINK_TITLES, toReceivedJson } from './sink-text.ts'
import { colors, printJson, printLines, untilSignal, writeAuthority } from './terminal.ts'

interface SinkFlags {
  listen: string
  publicUrl?: string
  tls: boolean
  tlsCert?: string
  tlsKey?: string
  token?: string
  secret?: string[]
  forwardTo?: string[]
  api: string
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
    .option('--forward-to <url...>', 'pass everything on, unchanged; the answer there becomes the answer here')
    .option('--api <host:port>', 'where to read what was received, over http', '127.0.0.1:0')
    .option('--ca-file <path>', "write the certificate's authority there, as PEM")
    .option('--json', 'print one line of JSON when ready and one for each webhook')
    .action(receive)
}

async function receive(flags: SinkFlags, command: Command): Promise<void> {
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    command.error('error: --tls-cert and --tls-key belong together.')
  }
  const print = flags.json ? printAsJson : printAsText
  const [{ startSink }, { startSinkApi }] = await Promise.all([
    import('../sink/webhook-sink.ts'),
    import('./sink-api.ts'),
  ])
  const sink = await startSink({ ...(await toSinkOptions(flags)), onRejected: print.rejected }).catch(fail)
  let api: SinkApi | undefined
  try {
    if (flags.publicUrl !== undefined) await sink.checkPublicUrl()
    const path = openPath(sink, flags)
    path.inbox.observe(print)
    const ca = await sink.ca()
    api = await startSinkApi({ sink, path, listen: flags.api }).catch(fail)
    if (flags.caFile !== undefined && ca !== undefined) await writeAuthority(flags.caFile, ca)
    if (flags.json) printJson({ url: path.url, api: api.url, ca })
    else printLines(describeSink(path, api, flags))
    await untilSignal()
  } finally {
    await api?.close()
    await sink.close()
  }
}

const MAX_KEPT = 10_000

async function toSinkOptions({ listen, publicUrl, tls, tlsCert, tlsKey }: SinkFlags): Promise<WebhookSinkOptions> {
  const own =
    tlsCert === undefined || tlsKey === undefined
      ? undefined
      : { cert: await readFile(tlsCert, 'utf8'), key: await readFile(tlsKey, 'utf8') }
  const terms = own ?? (tls ? undefined : ('terminated-upstream' as const))
  return {
    listen,
    capacity: MAX_KEPT,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(terms === undefined ? {} : { tls: terms }),
  }
}

function openPath(sink: WebhookSink, { token, secret = [], forwardTo = [] }: SinkFlags): SinkPath {
  const path = sink.open(token === undefined ? {} : { token })
  for (const [index, text] of secret.entries()) path.trust({ webhookId: `secret-${index + 1}`, secret: text })
  for (const url of forwardTo) path.forwardTo(url)
  return path
}

const printAsJson = {
  received: (webhook: Parameters<typeof toReceivedJson>[0]) =>
    printJson({ kind: 'received', ...toReceivedJson(webhook) }),
  rejected: (request: Parameters<typeof formatRejected>[0]) => printJson({ kind: 'rejected', ...request }),
}

const printAsText = {
  received: (webhook: Parameters<typeof formatReceived>[0]) => printLines([formatReceived(webhook)]),
  rejected: (request: Parameters<typeof formatRejected>[0]) => printLines([formatRejected(request)]),
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
