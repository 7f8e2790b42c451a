import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFolder } from '../../../src/folder/readFolder.ts'
import type { PublishLimits, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { Plan, ReleaseHistory } from '../../../streams/wire/administration/publishing.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { ALEX, type Running, start } from '../running.ts'

// `limits` of signet.yaml: what a service refuses to publish without being told that it may.

overPostgres('[ADOPT-13] a limit of people', (open) => {
  let running: Running
  let administrator: string
  /** The folder of the demonstration, and the same with another template for all people. */
  let first: ReleaseDocument
  let other: ReleaseDocument

  beforeAll(async () => {
    const folder = join(import.meta.dirname, '../../../src/service/demonstration/signatures')
    first = (await readFolder(folder)).document
    const templates = Object.entries(first.templates).map(
      ([path, text]) => [path, path.endsWith('.part.html') ? text : `<p>Other</p>${text}`] as const,
    )
    other = { ...first, templates: Object.fromEntries(templates) }
    running = await start({ open })
    administrator = await running.mailClientToken(ALEX)
  })
  afterAll(() => running.stop())

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    askAdministration<Body>(running.url, administrator, method, path, body)
  const plan = async (document: ReleaseDocument, at?: number) =>
    (await ask<Plan>('POST', '/plans', { document, ...(at === undefined ? {} : { at }) })).body
  const publish = (planned: Plan, all?: boolean) =>
    ask<ReleaseHistory>('POST', '/releases', { plan: planned.id, ...(all === undefined ? {} : { all }) })
  const current = () => running.context.releases.current()?.id
  const limited = (
    document: ReleaseDocument,
    most: number,
    of: PublishLimits['people']['of'],
  ): ReleaseDocument => ({
    ...document,
    limits: { people: { most, of } },
  })

  it('lets a publish pass that changes no more people, and refuses one that changes more', async () => {
    const begun = await plan(limited(first, 0, 'people'))
    expect(begun.limit).toEqual({ most: 0, changed: begun.summary.people - begun.summary.unchanged })
    expect((await publish(begun, true)).status).toBe(201)

    const harmless = await plan(limited(first, 20, 'percent'))
    expect(harmless.limit).toEqual({ most: 0, changed: 0 })
    expect((await publish(harmless)).status).toBe(201)

    const before = current()
    const beyond = await plan(limited(other, 20, 'percent'))
    const changed = beyond.summary.people - beyond.summary.unchanged
    expect(changed).toBeGreaterThan(1)
    expect(beyond.limit).toEqual({ most: Math.floor(beyond.summary.people / 5), changed })
    for (const all of [undefined, false])
      expect(await publish(beyond, all)).toMatchObject({
        status: 409,
        body: {
          code: 'beyond_limit',
          message: `Publishing would change ${changed} people, more than the limit of ${Math.floor(beyond.summary.people / 5)}: to publish it, send "all": true.`,
        },
      })
    expect(current()).toBe(before)
  })

  it.each([
    ['takes it away', (document: ReleaseDocument) => document],
    ['raises it', (document: ReleaseDocument) => limited(document, 100, 'percent')],
  ])('counts as published, when the same publish %s', async (_, change) => {
    const before = current()
    const beyond = await plan(change(other))
    expect(await publish(beyond)).toMatchObject({ status: 409, body: { code: 'beyond_limit' } })
    expect(current()).toBe(before)
  })

  it('is not passed by a plan for a day on which fewer people would change', async () => {
    const before = current()
    const another = await plan(other, Date.parse('2001-01-01T12:00:00Z'))
    expect(another.limit?.changed).toBe(null)
    expect(await publish(another)).toMatchObject({
      status: 409,
      body: {
        code: 'beyond_limit',
        message:
          'The plan is for another moment, so it does not say how many people publishing changes now: plan once more, or send "all": true.',
      },
    })
    expect(current()).toBe(before)
  })

  const [DAY, later] = [86_400_000, '2099-12-31']
  const forDepartment = (department: string): ReleaseDocument => {
    const [signature] = first.signatures
    if (!signature) throw new Error('No signature')
    const from = new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10)
    return {
      ...limited(first, 3, 'people'),
      signatures: [
        {
          ...signature,
          id: 'later',
          name: 'Later',
          during: { from, to: later, timeZone: 'UTC' },
          selection: { for: [[{ by: 'field', field: 'department', values: [department] }]], not: [] },
        },
        ...first.signatures,
      ],
    }
  }

  it('counts the people who get something else on a later day, and no others', async () => {
    const before = current()
    const all = forDepartment('x')
    const [signature, ...others] = all.signatures
    if (!signature) throw new Error('No signature')
    const forAll = [{ ...signature, selection: { for: 'everyone', not: [] } } as const, ...others]
    const beyond = await plan({ ...all, signatures: forAll })
    expect(beyond.limit).toEqual({ most: 1, changed: beyond.summary.people })
    expect(await publish(beyond)).toMatchObject({ status: 409, body: { code: 'beyond_limit' } })
    expect(current()).toBe(before)
    expect((await plan(all)).limit).toEqual({ most: 1, changed: 0 })
  })

  it('counts again when a plan is published, because people may have come', async () => {
    const before = current()
    const planned = await plan(forDepartment('Harbour'))
    expect(planned.limit).toEqual({ most: 1, changed: 0 })
    const rows = ['one', 'two'].map((name) => `${name}@northwind.example,Harbour`)
    const imported = await fetch(`${running.url}/api/administration/v1/people/import`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'text/csv' },
      body: ['email,department', ...rows, ''].join('\n'),
    })
    expect(imported.status).toBe(200)
    expect(await publish(planned)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('would change 2 people') as string },
    })
    expect(current()).toBe(before)
    expect((await publish(planned, true)).status).toBe(201)
    expect((await ask('POST', `/releases/${before ?? ''}/rollback`, { note: '' })).status).toBe(200)
  })

  it('does not hold back who lets all people change, nor the way back', async () => {
    const before = current() ?? ''
    expect((await publish(await plan(limited(other, 20, 'percent')), true)).status).toBe(201)
    expect(current()).not.toBe(before)
    expect((await ask('POST', `/releases/${before}/rollback`, { note: '' })).status).toBe(200)
    expect(current()).toBe(before)
  })
})
