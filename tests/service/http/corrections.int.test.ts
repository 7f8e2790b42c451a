import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endCorrections } from '../../../src/service/people/endCorrections.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { ExplainedPerson } from '../../../streams/organisation/rules/why.ts'
import type { ImportResult } from '../../../streams/wire/administration/people.ts'
import { ALEX, start, TESS, type Running } from '../running.ts'
import { askAdministration } from './administrator.ts'

// What an administrator sets for one person by hand, over the demonstration.

let running: Running
let administrator: string
beforeAll(async () => {
  running = await start()
  administrator = await running.mailClientToken(ALEX)
})
afterAll(() => running.stop())

const ask = <Body>(method: string, path: string, body?: unknown) =>
  askAdministration<Body>(running.url, administrator, method, path, body)
const explained = async () => (await ask<ExplainedPerson>('GET', `/people/${TESS}`)).body
const revision = async () => (await explained()).person.revision
const correct = async (corrections: object) =>
  ask<Readonly<{ person: PersonState; code: string }>>('PUT', `/people/${TESS}/corrections`, {
    revision: await revision(),
    fields: {},
    ...corrections,
  })
const detail = async (path: string) => (await explained()).details.find((each) => each.path === path)
/** Imports Tess as the directory says, with another job title and office. */
async function importTess(fields: Readonly<Record<string, string>>) {
  const [tess] = await running.context.store.personsByAddress([TESS])
  if (tess === undefined) throw new Error('Tess is gone')
  const { addresses, account, language, groups, directoryPicture: picture } = tess
  const record = { addresses, account, language, groups, picture, fields }
  return running.context.people.importRows([{ id: tess.id, record }], 'directory', false)
}

describe('a correction', () => {
  it('[PERSON-1] survives an import, says who set it and what the directory says, and ends with the change', async () => {
    await importTess({ companyName: 'QA', officeLocation: 'Leith' })
    const { status, body } = await correct({
      fields: {
        companyName: { value: 'Head of QA', until: 'changed' },
        officeLocation: { value: 'Hull', until: 'removed' },
      },
    })
    expect(status).toBe(200)
    expect(body.person.corrections).toMatchObject({
      fields: { companyName: { by: ALEX, value: 'Head of QA' } },
      under: { companyName: 'QA', officeLocation: 'Leith' },
    })
    expect(await importTess({ companyName: 'QA', officeLocation: 'Leith' })).toMatchObject({ unchanged: 1 })
    expect(await detail('company')).toMatchObject({
      value: 'Head of QA',
      field: 'companyName',
      source: 'administrator',
    })
    await importTess({ companyName: 'CTO', officeLocation: 'Rye' })
    expect(await detail('company')).toMatchObject({ value: 'CTO', source: 'directory' })
    expect(await detail('office')).toMatchObject({ value: 'Hull', source: 'administrator' })
    const audit = await ask<object>('GET', '/audit')
    expect(JSON.stringify(audit.body)).toContain('person/corrected')
    expect(JSON.stringify(audit.body)).not.toContain('Head of QA')
    await correct({})
    expect(await detail('office')).toMatchObject({ value: 'Rye', source: 'directory' })
  })

  it('is refused over another revision, for a day that is over, and for a field that cannot be', async () => {
    const body = { revision: (await revision()) - 1, fields: {} }
    expect(await ask('PUT', `/people/${TESS}/corrections`, body)).toMatchObject({
      status: 409,
      body: { code: 'person_changed' },
    })
    expect(await correct({ excluded: { until: '2020-01-01' } })).toMatchObject({
      status: 422,
      body: { code: 'day_is_over' },
    })
    expect(await correct({ pinned: { signature: 'not_there', until: 'removed' } })).toMatchObject({
      status: 422,
      body: { code: 'unknown_signature' },
    })
    for (const fields of [
      { ' jobTitle': { value: 'x', until: 'removed' } },
      { jobTitle: { value: 'x', until: 'soon' } },
      { jobTitle: { value: 'x\u0000', until: 'removed' } },
    ])
      expect((await correct({ fields })).status).toBe(400)
    expect((await ask('PUT', '/people/nobody@x.example/corrections', body)).status).toBe(404)
  })

  it('keeps a person without a signature until its day is over, as the audit shows', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await correct({ excluded: { until: tomorrow } })
    expect(await explained()).toMatchObject({ none: { kind: 'excluded' }, default: null })
    const { store, people } = running.context
    await endCorrections(store, people, Date.now() + 86_400_000)
    expect((await explained()).none).toEqual({ kind: 'excluded' })
    await endCorrections(store, people, Date.now() + 2 * 86_400_000)
    expect((await explained()).none).not.toEqual({ kind: 'excluded' })
    const facts = await store.personFacts((await explained()).person.id, 0)
    expect(facts.at(-1)).toMatchObject({ type: 'person/exclusionEnded', meta: { source: 'calendar' } })
  })

  it('of a field that nothing uses is kept, and said to be unused', async () => {
    await correct({ fields: { nobodyAsks: { value: 'x', until: 'removed' } } })
    expect((await explained()).unused).toEqual(['nobodyAsks'])
    await correct({ fields: { jobTitle: { value: 'x', until: 'removed' } } })
    expect((await explained()).unused).toEqual([])
    await correct({})
  })
})

describe('a supplement', () => {
  const importOnly = async (csv: string, query: string) => {
    const answer = await fetch(`${running.url}/api/administration/v1/people/import?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${administrator}`, 'Content-Type': 'text/csv' },
      body: csv,
    })
    return { status: answer.status, body: (await answer.json()) as ImportResult & Readonly<{ code: string }> }
  }

  it('changes the named columns of people who are there, and names the others', async () => {
    const csv = `email,officeLocation,jobTitle\n${TESS},Dover,Other\nnobody@northwind.example,x,y\n`
    const told = {
      added: 0,
      changed: 1,
      unchanged: 0,
      unknown: { people: 1, first: ['nobody@northwind.example'] },
    }
    const before = await detail('job_title')
    expect((await importOnly(csv, 'only=officeLocation&file=extra.csv&try=true')).body).toMatchObject(told)
    expect((await detail('office'))?.value).not.toBe('Dover')
    expect((await importOnly(csv, 'only=officeLocation&file=extra.csv')).body).toMatchObject(told)
    expect(await detail('office')).toMatchObject({ value: 'Dover', source: 'file' })
    expect(await detail('job_title')).toEqual(before)
    expect((await ask('GET', '/people/nobody@northwind.example')).status).toBe(404)
    const again = await importOnly(csv, 'only=officeLocation')
    expect(again.body).toMatchObject({ changed: 0, unchanged: 1 })
    const empty = await importOnly(`email,officeLocation\n${TESS},\n`, 'only=officeLocation')
    expect(empty.body).toMatchObject({ changed: 1 })
    expect(await detail('office')).toMatchObject({ source: 'directory' })
  })

  it('with a column that the file lacks changes nothing, and names the column', async () => {
    const { status, body } = await importOnly(
      `email,officeLocation\n${TESS},Dover\n`,
      'only=officeLocation,email',
    )
    expect([status, body.code]).toEqual([422, 'unknown_columns'])
    expect((await detail('office'))?.value).not.toBe('Dover')
  })
})
