import { expect, it } from 'vitest'
import { using } from '../../src/cli/databaseCommands.ts'
import { Stop, WrongUse } from '../../src/cli/terminal.ts'
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
    'The command failed (RangeError). This is a fault of Signet.',
  ],
  ['Signet', new Error('The file is no backup.'), 'The file is no backup.'],
  ['Signet about the database', new StoreUnavailable('It does not answer.'), 'It does not answer.'],
])('a command of the database ends with words of Signet for an error of %s', async (_, error, message) => {
  let isClosed = false
  const ended = using(Promise.resolve({ close: async () => void (isClosed = true) }), () =>
    Promise.reject(error),
  )
  await expect(ended).rejects.toEqual(new Stop(message))
  expect(isClosed).toBe(true)
})

it('a wrong use stays one', async () => {
  const wrong = new WrongUse('--to is missing.')
  await expect(using(Promise.reject(wrong), async () => 0)).rejects.toBe(wrong)
})
