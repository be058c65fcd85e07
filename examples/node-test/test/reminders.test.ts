import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSimulation } from 'backlot'

interface Invoice {
  id: string
  number: string
  status: string
}

/** What we write to customers: one line for each invoice that is late. */
async function remindersOf(api: { fetch(path: string): Promise<Response> }): Promise<string[]> {
  const response = await api.fetch('/invoices?status=overdue&limit=100')
  const { data } = (await response.json()) as { data: Invoice[] }
  return data.map(({ number }) => `Invoice ${number} is overdue.`)
}

test('reminds of an invoice that became overdue, and not of one that was paid', async () => {
  await using payments = await createSimulation('payments')
  await payments.fastForward({ days: 10 })
  const late = await payments.expectWebhook<Invoice>('invoice.updated', { data: { object: { status: 'overdue' } } })
  const reminder = `Invoice ${late.data.object?.number} is overdue.`

  await payments.fetch(`/invoices/${late.data.id}/pay`, { method: 'POST' })

  assert.ok(!(await remindersOf(payments)).includes(reminder))
})

test('reminds of every late invoice', async () => {
  await using payments = await createSimulation('payments', { behaviour: [] })
  const invoices = await payments.records<Invoice>('invoices', { limit: 500 })

  const reminders = await remindersOf(payments)

  const late = invoices
    .filter(({ status }) => status === 'overdue')
    .map(({ number }) => `Invoice ${number} is overdue.`)
  assert.deepEqual(reminders.toSorted(), late.toSorted())
})
