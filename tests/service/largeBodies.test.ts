import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../src/calls/administration.ts'
import { MAX_FILES } from '../../src/calls/paths.ts'
import { addresses, largeDocument } from '../growth/largeDocument.ts'
import { png } from './pictures.ts'
import { ALEX, PAGE_ORIGIN, type Running, start, type WireRequest } from './running.ts'

// A call that works for long must not keep others from being answered. Another call is asked all the time; it tells what
// has arrived of the large one, so that only those count which were answered while the service worked on the whole body.

let running: Running
let token: string
beforeAll(async () => {
  running = await start()
  token = await running.mailClientToken(ALEX)
})
afterAll(() => running.stop())

const pictures = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => {
    const bytes = png(1, 1, 150_000 + index)
    return [createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes.toString('base64')]
  }),
)
const document = largeDocument({ mailboxes: 500, signatures: 40, templates: 40 })
const csv = `email,givenName\n${addresses(1_500).join(',Given\n')},Given`
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A large body for each call that takes one. */
const bodies: Readonly<Record<string, unknown>> = {
  missingPictures: { pictures: Array.from({ length: MAX_FILES }, () => 'a'.repeat(32)) },
  sendPictures: { pictures },
  makePlan: { document },
  readFolder: {
    files: {
      'people.csv': base64(csv),
      'signet.yaml': base64('version: 1\norganisation: X\n'),
      ...Object.fromEntries(
        Object.entries(document.templates).map(([path, text]) => [path, base64(text)] as const),
      ),
    },
  },
  writeFolder: { document },
  importPeople: csv,
}

/** What ends within a turn is sent so often that others must come in between. */
const TIMES: Readonly<Record<string, number>> = { missingPictures: 20 }

const large = Object.entries<Call>(CALLS).filter(([, { isLarge }]) => isLarge === true)

it('there is a large body for each call that takes one', () => {
  expect(Object.keys(bodies).sort()).toEqual(large.map(([name]) => name).sort())
})

it.each(large)(
  '%s lets others be answered while it works',
  async (name, { method, path, body: schema, status }) => {
    const given = bodies[name]
    const body = typeof given === 'string' ? given : JSON.stringify(given)
    const size = Buffer.byteLength(body)
    await running.control('DELETE', 'requests')
    let isDone = false
    const isWorking = () => !isDone
    const send = () =>
      fetch(`${running.url}${ADMINISTRATION_PATH}${path}${schema && given === csv ? '?try=true' : ''}`, {
        method,
        headers: {
          Origin: PAGE_ORIGIN,
          Authorization: `Bearer ${token}`,
          'Content-Type': typeof given === 'string' ? 'text/csv' : 'application/json',
        },
        body,
      })
    const working = Promise.all(Array.from({ length: TIMES[name] ?? 1 }, send)).finally(() => (isDone = true))
    let answered = 0
    while (isWorking()) {
      const { text } = await running.control('GET', 'requests')
      const journal = JSON.parse(text) as readonly WireRequest[]
      if (isWorking() && journal.some(({ bodySize }) => bodySize === size)) answered += 1
    }
    for (const answer of await working) expect(answer.status).toBe(status)
    expect(answered).toBeGreaterThan(0)
  },
)
