import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasDescriptions } from '../descriptions.ts'
import { type RunningSimulation, startSimulation } from './start-simulation.ts'

describe.skipIf(!hasDescriptions)('resend', () => {
  let simulation: RunningSimulation
  let resend: Resend
  beforeAll(async () => {
    simulation = await startSimulation('resend.yaml')
    resend = new Resend(simulation.key, { baseUrl: simulation.url })
  })
  afterAll(() => simulation.close())

  it('sends an email, reads it and cancels it', async () => {
    const sent = await resend.emails.send({
      from: 'Acme <hello@acme.test>',
      to: ['ada@example.com'],
      subject: 'Hello',
      html: '<p>Hi</p>',
    })
    expect(sent).toMatchObject({ error: null, data: { id: expect.any(String) } })
    const id = sent.data?.id as string

    const read = await resend.emails.get(id)
    expect(read.data).toMatchObject({ id, from: 'Acme <hello@acme.test>', to: ['ada@example.com'], subject: 'Hello' })
    expect((await resend.emails.list()).data?.data.map((email) => email.id)).toContain(id)
    expect((await resend.emails.cancel(id)).data).toMatchObject({ id })
  })

  it('creates, reads, changes, lists and deletes a domain', async () => {
    const created = await resend.domains.create({ name: 'mail.acme.test', region: 'eu-west-1' })
    expect(created.data).toMatchObject({ id: expect.any(String), name: 'mail.acme.test', region: 'eu-west-1' })
    const id = created.data?.id as string

    expect((await resend.domains.get(id)).data).toMatchObject({ id, name: 'mail.acme.test' })
    expect((await resend.domains.update({ id, openTracking: true })).data).toMatchObject({ id })
    expect((await resend.domains.get(id)).data).toMatchObject({ open_tracking: true })
    expect((await resend.domains.list()).data?.data.map((domain) => domain.id)).toContain(id)
    expect((await resend.domains.remove(id)).data).toMatchObject({ id, deleted: true })
    expect((await resend.domains.get(id)).error).toMatchObject({ error: { code: 'not_found' } })
  })

  it('creates, reads, changes and deletes a contact', async () => {
    const created = await resend.contacts.create({ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' })
    const id = created.data?.id as string

    expect((await resend.contacts.get({ id })).data).toMatchObject({ id, email: 'ada@example.com', first_name: 'Ada' })
    await resend.contacts.update({ id, firstName: 'Augusta' })
    expect((await resend.contacts.get({ id })).data).toMatchObject({ first_name: 'Augusta', last_name: 'Lovelace' })
    expect((await resend.contacts.remove({ id })).error).toBeNull()
    expect((await resend.contacts.get({ id })).data).toBeNull()
  })

  it('refuses what the description does not allow', async () => {
    const refused = await resend.domains.create({} as { name: string })

    expect(refused.data).toBeNull()
    expect(refused.error).toMatchObject({ error: { message: 'Expected `name` to be present, got nothing.' } })
  })
})
