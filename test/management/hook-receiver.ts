import { onTestFinished } from 'vitest'
import { startAnswering } from '../support/answering.ts'

/** An endpoint on loopback that answers as its options state; it is closed when the test is over. */
export async function listenForHooks() {
  const hook = { answer: { status: 204, body: '' } }
  const server = await startAnswering((_request, _at, response) => {
    response.writeHead(hook.answer.status).end(hook.answer.body)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return Object.assign(hook, { url: `${server.url}/hooks`, received: server.seen })
}
