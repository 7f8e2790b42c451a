import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withResource } from '../../src/cli/databaseCommands.ts'
import { PlainError } from '../../src/server/reasons.ts'
import { CommandStop, CommandUsageError } from '../../src/cli/terminal.ts'
import { runSignet } from './runningCommand.ts'
import { StoreUnavailable } from '../../src/service/sql/problems.ts'

const ofDatabase = Object.assign(new Error('null value in column "id"'), { code: '23502', severity: 'ERROR' })

it.each([
  [
    'the database',
    ofDatabase,
    'The database refused a statement (SQLSTATE 23502). The log of the database says which, and why.',
  ],
  [
    'the engine',
    new RangeError('Invalid array length'),
    'The command failed (RangeError). This is a fault of Signet: please report it, with what the command prints after NODE_DEBUG=signet is set.',
  ],
  [
    'a library',
    new Error('PGlite is closed'),
    'The command failed (Error). This is a fault of Signet: please report it, with what the command prints after NODE_DEBUG=signet is set.',
  ],
  [
    'the database about its user',
    Object.assign(new Error('password authentication failed'), { code: '28P01', severity: 'FATAL' }),
    'The database refused the command: it refuses the password (28P01). Check the user and the name in DATABASE_URL.',
  ],
  [
    'the file system',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', path: '/b/backup' }),
    '/b/backup cannot be used: the disk is full (ENOSPC).',
  ],
  [
    'the network',
    new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) }),
    'The command failed: its name is unknown (ENOTFOUND).',
  ],
  ['Signet', new PlainError('The file is no backup.'), 'The file is no backup.'],
  [
    'Signet about the database',
    new StoreUnavailable('The database does not answer: it does not answer in time'),
    'The database does not answer: it does not answer in time. Check DATABASE_URL, the password, and that the network lets this machine reach the database.',
  ],
  [
    'Signet about a full disk of the database',
    new StoreUnavailable('The database has no room on its disk', { problem: 'full' }),
    'The database has no room on its disk.',
  ],
])('a command of the database ends with words of Signet for an error of %s', async (_, error, message) => {
  let isClosed = false
  const ended = withResource(Promise.resolve({ close: async () => void (isClosed = true) }), () =>
    Promise.reject(error),
  )
  await expect(ended).rejects.toMatchObject({ message, cause: error })
  await expect(ended).rejects.toBeInstanceOf(CommandStop)
  expect(isClosed).toBe(true)
})

it('a wrong use stays one', async () => {
  const wrong = new CommandUsageError('--to is missing.')
  await expect(withResource(Promise.reject(wrong), async () => 0)).rejects.toBe(wrong)
})

const UNEXPECTED = new TypeError("Cannot read properties of undefined (reading 'x')")

it('an unexpected error of any command is told in words, and its original is traced', async () => {
  const traced: unknown[] = []
  const broken = await runSignet(['releases', '--service', 'https://signet.example.com'], {
    environment: { SIGNET_TOKEN: 'a' },
    fetch: () => {
      throw UNEXPECTED
    },
    trace: (original) => void traced.push(original),
  })
  expect(broken).toMatchObject({
    code: 1,
    out: '',
    complaints:
      'The command failed (TypeError). This is a fault of Signet: please report it, with what the command prints after NODE_DEBUG=signet is set.\n',
  })
  expect(traced).toEqual([UNEXPECTED])
})

it('a service that cannot be reached is told in words, and the original of the network is traced', async () => {
  const original = new TypeError('fetch failed')
  const traced: unknown[] = []
  const { code, complaints } = await runSignet(['releases', '--service', 'https://signet.example.com'], {
    environment: { SIGNET_TOKEN: 'a' },
    fetch: () => Promise.reject(original),
    trace: (each) => void traced.push(each),
  })
  expect([code, complaints.includes('fetch failed')]).toEqual([1, false])
  expect(traced).toEqual([original])
})

it('a mail that a library cannot read is told in words, and the original of the library is traced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signet-errors-'))
  try {
    const mail = join(folder, 'mail.msg')
    // The mark of a compound file, and nothing behind it.
    await writeFile(mail, Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0]))
    const traced: unknown[] = []
    const { complaints } = await runSignet(['adopt', mail, '--into', join(folder, 'into')], {
      trace: (original) => void traced.push(original),
    })
    expect(complaints).toMatch(/The file cannot be read: it is damaged, or not what its name says\./)
    expect(traced).toEqual([expect.any(Error)])
    expect(complaints).not.toContain((traced[0] as Error).message)
  } finally {
    await rm(folder, { recursive: true })
  }
})
