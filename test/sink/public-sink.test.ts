import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, type Server, setDefaultCACertificates } from 'node:tls'
import getPort from 'get-port'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { createCertificate } from '../../src/server/certificate.ts'
import { type Service, startService } from '../../src/service/start.ts'

const trusted = getCACertificates('default')
let service: Service
let tunnel: Server
let listen: string
let publicUrl: string

/** A service that is spoken to over HTTP, and a tunnel that speaks TLS before the sink, as a hosted service would see them. */
beforeAll(async () => {
  const { ca, cert, key } = await createCertificate()
  setDefaultCACertificates([...trusted, ca])
  const port = await getPort({ host: '127.0.0.1' })
  listen = `127.0.0.1:${port}`
  tunnel = createServer({ cert, key }, (socket) => {
    const inner = connect(port, '127.0.0.1')
    for (const end of [socket, inner]) end.on('error', () => (end === socket ? inner : socket).destroy())
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve))
  publicUrl = `https://127.0.0.1:${(tunnel.address() as AddressInfo).port}`
  service = await startService()
  service.exemptSink({ ip: '127.0.0.1', port: (tunnel.address() as AddressInfo).port, ca })
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await service.close()
  tunnel.close()
})

it('receives real deliveries from a service elsewhere through the sink’s public address', async () => {
  await using tracker = await createSimulation('task-tracker', {
    service: { baseUrl: service.url, accountKey: service.accountKey },
    sink: { listen, publicUrl, tls: 'terminated-upstream' },
  })
  const [label] = await tracker.records<{ id: string }>('labels')

  await tracker.fetch(`/labels/${label?.id}`, { method: 'DELETE' })

  const webhook = await tracker.expectWebhook('label.deleted', { recordId: label?.id ?? '' })
  expect(webhook).toMatchObject({ source: 'webhook', verified: true, attempt: 1 })
  await tracker.webhooks.settled()
  expect(await tracker.webhooks.deliveries()).toMatchObject([{ state: 'delivered' }])
})

it('says before anything is registered that the public address leads elsewhere, and leaves nothing behind', async () => {
  const creating = createSimulation('task-tracker', {
    service: { baseUrl: service.url, accountKey: service.accountKey },
    sink: { listen, publicUrl: service.url, tls: 'terminated-upstream' },
  })

  await expect(creating).rejects.toThrow(
    /Failed to reach the sink at its public address .* something else answers there/,
  )
  const headers = { authorization: `Bearer ${service.accountKey}` }
  const list = await service.fetch(new Request(`${service.url}/v1/simulations`, { headers }))
  expect(await list.json()).toEqual({ data: [] })
})
