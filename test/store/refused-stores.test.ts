import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkStore } from '../../src/service/store/open-store.ts'

it('asks for the password that a database wants, and leaves no connection to it', async () => {
  const server = createServer((socket) => {
    const [wantsPassword, goesOn] = [saslMessage(10, 'SCRAM-SHA-256\0\0'), 'r=nonce,s=c2FsdA==,i=4096']
    socket.once('data', () => {
      socket.write(wantsPassword)
      socket.once('data', (asked) => {
        const nonce = /r=([^,]+)/.exec(asked.toString('latin1'))?.[1]
        socket.write(saslMessage(11, goesOn.replace('nonce', `${nonce}more`)))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  const [[socket], refusal] = await Promise.all([
    once(server, 'connection') as Promise<[Socket]>,
    once(server, 'listening')
      .then(() => checkStore(`postgres://team@127.0.0.1:${(server.address() as AddressInfo).port}/backlot`, 1))
      .catch((error: Error) => error.message),
  ])

  expect(refusal).toBe(
    'Failed to open the store: the database asks for a password. Give it by PGPASSWORD or a password file.',
  )
  if (!socket.closed) await once(socket, 'close')
  server.close()
})

it('says what a pooler needs that refuses the time limits of a connection', async () => {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '']
  const refusing = createServer((socket) => socket.once('data', () => socket.end(message('E', fields.join('\0')))))
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')

  const { port } = refusing.address() as AddressInfo
  const refusal = await checkStore(`postgres://team@127.0.0.1:${port}/backlot`, 1).catch(
    (error: Error) => error.message,
  )

  expect(refusal).toContain('unsupported startup parameter: statement_timeout. Let the pooler pass it over')
  expect(refusal).toContain('`ignore_startup_parameters = statement_timeout,lock_timeout`')
  refusing.close()
})

it.each(['', 'postgre://team:hidden@db/backlot', 'postgres:/team:hidden@db/backlot', 'mysql://team:hidden@db/backlot'])(
  'names what a store may be, where it is %j',
  async (name) => {
    const refusal = await checkStore(name, 1).catch((error: Error) => error.message)

    expect(refusal).toMatch(/^Expected the store to be a file such as "backlot.db", or "postgres:\/\/host\/database"/)
    expect(refusal).not.toContain('hidden')
  },
)

it('says what to do where a file cannot be opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-refused-'))
  const other = join(folder, 'other.db')
  writeFileSync(other, 'a text that is long enough to be no database at all'.repeat(4))
  const refused = (file: string) => checkStore(file, 1).catch((error: Error) => error.message)

  expect(await refused(folder)).toContain(`it is a folder. Name a file in it, such as "${folder}/backlot.db".`)
  expect(await refused(other)).toContain('Choose another file, or put a backup in its place.')
  expect(await refused(join(folder, 'none', 'a.db'))).toContain('Does its folder exist, and may this user write there?')
  rmSync(folder, { recursive: true })
})

it.each([
  ['postgres://team@127.0.0.1:1/backlot', 'connect ECONNREFUSED 127.0.0.1:1. Start the database there'],
  ['postgres://team@localhost:1/backlot', 'Start the database there, or correct the host and the port'],
  ['postgres://team@no-such-host.invalid/backlot', 'orrect the host in the address'],
])('says what to do where %s gives no answer', async (store, next) => {
  const refusal = await checkStore(store, 1).catch((error: Error) => error.message)

  expect(refusal).toContain(next)
})

function saslMessage(kind: number, text: string): Buffer {
  const number = Buffer.alloc(4)
  number.writeInt32BE(kind)
  return message('R', Buffer.concat([number, Buffer.from(text)]))
}

/** A message of PostgreSQL's protocol: its kind, its length, its content, and a zero after texts. */
function message(kind: string, content: Buffer | string): Buffer {
  const body = typeof content === 'string' ? Buffer.from(`${content}\0`) : content
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
