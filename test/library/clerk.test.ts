import { createClerkClient } from '@clerk/backend'
import { expect, it } from 'vitest'
import { startForTest } from '../management/start-for-test.ts'

const PASSWORD = 'correct horse battery'

async function open() {
  const { simulate } = await startForTest({ workerSinks: true })
  const simulation = await simulate('clerk')
  const clerk = createClerkClient({ secretKey: `sk_test_${simulation.key}`, apiUrl: simulation.url })
  return { simulation, clerk }
}

it('tells errors as the SDK reads them', async () => {
  const { simulation, clerk } = await open()
  const stranger = createClerkClient({ secretKey: 'sk_test_wrong', apiUrl: simulation.url })

  await expect(stranger.users.getUserList()).rejects.toMatchObject({
    status: 401,
    errors: [{ code: 'clerk_key_invalid' }],
  })
  await expect(clerk.users.createUser({ emailAddress: ['nope'], password: PASSWORD })).rejects.toMatchObject({
    status: 422,
    clerkTraceId: expect.any(String),
    errors: [{ code: 'form_param_format_invalid', meta: { paramName: 'email_address' } }],
  })
})

it('ends the sessions of a user who is banned', async () => {
  const { clerk } = await open()
  const user = await clerk.users.createUser({ emailAddress: ['ada@example.com'], password: PASSWORD })
  const session = await clerk.sessions.createSession({ userId: user.id })

  await clerk.users.banUser(user.id)

  expect(await clerk.sessions.getSession(session.id)).toMatchObject({ status: 'revoked' })
})
