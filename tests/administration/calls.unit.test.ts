import { firstValueFrom, type Observable, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AdministrationApi } from '../../effects/administration/ports.ts'
import { createAdministrationApi } from '../../src/administration/api.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { chosenFiles } from '../../src/administration/chosenFiles.ts'
import type { ServiceRequest } from '../../src/engine/adapters/http.ts'
import { TEXT_IMPORTS } from '../../src/administration/locales.ts'
import { adopted } from '../support/administration/adoptions.ts'
import { ADMINISTRATION_PATH } from '../../streams/wire/administration/calls.ts'
import { createHandle } from '../../streams/kernel/handle.ts'
import { releaseDocument, planOf } from '../support/administration/plans.ts'

const ANSWERED = { status: 200, date: null }

/** The API over a function that answers without a server. */
async function asked(answer: unknown, call: (api: AdministrationApi) => Observable<unknown>) {
  const requests: ServiceRequest[] = []
  const api = createAdministrationApi((request, read) => {
    requests.push(request)
    return of(read(answer, ANSWERED))
  })
  const value = await firstValueFrom(call(api))
  return { request: requests[0], value }
}

const picture = { mediaType: 'image/png', base64: 'AA==' }
const hash = 'c'.repeat(32)
const release = 'd'.repeat(32)
const imported = { added: 1, changed: 2, unchanged: 3, refused: [], problems: [] }
const run = {
  id: 'r-1',
  source: 'graph',
  at: 1,
  until: null,
  isTrial: true,
  by: 'a',
  outcome: 'running',
  read: 0,
  added: 0,
  changed: 0,
  retired: 0,
  returned: 0,
  refused: 0,
  failure: null,
  samples: [],
}

describe('the API of the administration', () => {
  const found = { people: [], next: 'n' }
  const answered = { release, at: 7, signatures: [] }
  const sent = { ...releaseDocument, pictures: {} }
  const exported = { release, document: sent, pictures: {} }
  const folder = { document: null, pictures: { [hash]: picture }, yaml: 'version: 1', findings: [] }

  it.each<
    readonly [
      name: string,
      call: (api: AdministrationApi) => Observable<unknown>,
      answer: unknown,
      request: ServiceRequest,
      value: unknown,
    ]
  >([
    [
      'exported',
      (api) => api.exported(null),
      exported,
      { method: 'GET', path: '/export', query: { release: undefined } },
      exported,
    ],
    [
      'exported of a release',
      (api) => api.exported(release),
      exported,
      { method: 'GET', path: '/export', query: { release } },
      exported,
    ],
    [
      'readFolder',
      (api) => api.readFolder({ 'a.html': 'AA==' }, 'ab01'),
      folder,
      { method: 'POST', path: '/folders', query: { work: 'ab01' }, body: { files: { 'a.html': 'AA==' } } },
      folder,
    ],
    [
      'writtenFolder',
      (api) => api.writtenFolder(sent, { [hash]: 'AA==' }, null),
      { files: { 'signet.yaml': 'AA==' } },
      { method: 'POST', path: '/folders/written', body: { document: sent, pictures: { [hash]: 'AA==' } } },
      { 'signet.yaml': 'AA==' },
    ],
    [
      'writtenFolder of a signet.yaml',
      (api) => api.writtenFolder(sent, {}, 'version: 1'),
      { files: {} },
      {
        method: 'POST',
        path: '/folders/written',
        body: { document: sent, pictures: {}, yaml: 'version: 1' },
      },
      {},
    ],
    [
      'writtenYaml',
      (api) => api.writtenYaml(sent, null),
      { yaml: 'version: 1' },
      { method: 'POST', path: '/folders/yaml', body: { document: sent, yaml: null } },
      'version: 1',
    ],
    [
      'readYaml',
      (api) => api.readYaml('version: 1', 'version: 1 # old', sent),
      { document: null, findings: [] },
      {
        method: 'POST',
        path: '/folders/yaml/read',
        body: { yaml: 'version: 1', former: 'version: 1 # old', document: sent },
      },
      { document: null, findings: [] },
    ],
    [
      'adopt',
      (api) => api.adopt({ samples: [], from: null, variables: [] }),
      adopted(),
      { method: 'POST', path: '/adopt', body: { samples: [], from: null, variables: [] } },
      adopted(),
    ],
    [
      'missingPictures',
      (api) => api.missingPictures([hash]),
      { missing: [hash] },
      { method: 'POST', path: '/pictures/missing', body: { pictures: [hash] } },
      [hash],
    ],
    [
      'sendPictures',
      (api) => api.sendPictures({ [hash]: 'AA==' }),
      {},
      { method: 'POST', path: '/pictures', body: { pictures: { [hash]: 'AA==' } } },
      undefined,
    ],
    [
      'plan',
      (api) => api.plan(sent, null, 'ab01'),
      planOf(),
      { method: 'POST', path: '/plans', query: { work: 'ab01' }, body: { document: sent } },
      planOf(),
    ],
    [
      'plan of a day',
      (api) => api.plan(sent, 7, 'ab02'),
      planOf(),
      { method: 'POST', path: '/plans', query: { work: 'ab02' }, body: { document: sent, at: 7 } },
      planOf(),
    ],
    [
      'planPeople',
      (api) => api.planPeople('a b', 'c'),
      { people: [], next: null },
      { method: 'GET', path: '/plans/a%20b/people', query: { after: 'c' } },
      { people: [], next: null },
    ],
    [
      'publish',
      (api) => api.publish('p', { note: 'why', all: true }, 'ab01'),
      { release, history: [] },
      {
        method: 'POST',
        path: '/releases',
        query: { work: 'ab01' },
        body: { plan: 'p', note: 'why', all: true },
      },
      { release, history: [] },
    ],
    [
      'findPeople',
      (api) => api.findPeople('mar', null),
      found,
      { method: 'GET', path: '/people', query: { search: 'mar', after: undefined } },
      found,
    ],
    [
      'matchingPerson',
      (api) => api.matchingPerson({ for: 'everyone', not: [] }),
      { person: null },
      { method: 'POST', path: '/people/matching', body: { selection: { for: 'everyone', not: [] } } },
      null,
    ],
    [
      'countPeople',
      (api) => api.countPeople(sent.chooseDefault),
      { people: 12, of: 240 },
      { method: 'POST', path: '/people/count', body: { selection: sent.chooseDefault } },
      { people: 12, of: 240 },
    ],
    [
      'fieldValues',
      (api) => api.fieldValues('manager.department', 'sal'),
      { values: [{ value: 'Sales', people: null }] },
      {
        method: 'GET',
        path: '/directory/values',
        query: { field: 'manager.department', search: 'sal' },
      },
      { values: [{ value: 'Sales', people: null }] },
    ],
    [
      'signaturesOf',
      (api) => api.signaturesOf('p/1', { release: null, at: null, kind: 'new', recipients: null }),
      answered,
      {
        method: 'GET',
        path: '/people/p%2F1/signatures',
        query: { release: undefined, at: undefined, reply: 'false', recipients: undefined },
      },
      answered,
    ],
    [
      'signaturesOf a release at a moment',
      (api) => api.signaturesOf('p', { release, at: 7, kind: 'reply', recipients: 'external' }),
      answered,
      {
        method: 'GET',
        path: '/people/p/signatures',
        query: { release, at: '7', reply: 'true', recipients: 'external' },
      },
      answered,
    ],
    [
      'signaturesOf a mailbox as a person writes',
      (api) =>
        api.signaturesOf('desk', {
          ...{ release: null, at: null, kind: 'new', recipients: null, writer: 'p' },
        }),
      answered,
      {
        method: 'GET',
        path: '/people/desk/signatures',
        query: { release: undefined, at: undefined, reply: 'false', recipients: undefined, writer: 'p' },
      },
      answered,
    ],
    [
      'importPeople',
      (api) => api.importPeople('email\n', false, 'ab01'),
      imported,
      {
        method: 'POST',
        path: '/people/import',
        query: { try: 'false', work: 'ab01' },
        body: 'email\n',
        headers: { 'content-type': 'text/csv' },
      },
      imported,
    ],
    [
      'directory',
      (api) => api.directory(),
      { kind: 'none', sources: [], isRunning: false, runs: [], groups: [] },
      { method: 'GET', path: '/directory' },
      { kind: 'none', sources: [], isRunning: false, runs: [], groups: [] },
    ],
    [
      'sync',
      (api) => api.sync({ try: true, retire: false }),
      run,
      { method: 'POST', path: '/directory/sync', body: { try: true, retire: false } },
      run,
    ],
    [
      'work',
      (api) => api.work('ab01'),
      { done: 1, of: 2 },
      { method: 'GET', path: '/work/ab01' },
      { done: 1, of: 2 },
    ],
    ['stopSync', (api) => api.stopSync(), {}, { method: 'DELETE', path: '/directory/sync' }, undefined],
    ['stopWork', (api) => api.stopWork('ab01'), {}, { method: 'DELETE', path: '/work/ab01' }, undefined],
  ])('%s sends one request, and gives what is asked for', async (_, call, answer, request, value) => {
    const sent = { ...request, path: ADMINISTRATION_PATH + request.path, limitMs: expect.any(Number) }
    expect(await asked(answer, call)).toEqual({ request: sent, value })
  })

  it.each<readonly [path: string, query: unknown, call: (api: AdministrationApi) => Observable<unknown>]>([
    ['/people/p%2F1', { at: undefined }, (api) => api.person('p/1', null)],
    ['/people/p', { at: '7' }, (api) => api.person('p', 7)],
    ['/people/a%40b.example/data', undefined, (api) => api.personalData('a@b.example')],
  ])('asks %s of a person, and reads no answer of another shape', async (path, query, call) => {
    const requests: ServiceRequest[] = []
    const api = createAdministrationApi((request, read) => {
      requests.push(request)
      return of(read({}, ANSWERED))
    })
    expect(() => call(api)).toThrow('malformed')
    expect(requests).toMatchObject([{ method: 'GET', path: ADMINISTRATION_PATH + path }])
    expect(requests[0]?.query).toEqual(query)
  })
})

describe('a chosen file', () => {
  it('is read when it is needed', async () => {
    const file = new Blob(['email\n'])
    expect(await firstValueFrom(chosenFiles.text(createHandle(file)))).toBe('email\n')
  })

  it('is a picture by its name in one Unicode form, its content and its hash, unless it is too large', async () => {
    const content = Buffer.from('a picture')
    const picture = createHandle(new File([content], 'Möwe.png'.normalize('NFD')))
    expect(await firstValueFrom(chosenFiles.picture(picture, content.length))).toEqual({
      name: 'Möwe.png',
      base64: content.toString('base64'),
      hash: pictureHash(content),
    })
    expect(await firstValueFrom(chosenFiles.picture(picture, content.length - 1))).toBeNull()
    await expect(firstValueFrom(chosenFiles.picture(createHandle('x'), 1))).rejects.toMatchObject({
      failure: { kind: 'storage', action: 'read' },
    })
  })

  it.each([
    ['has no file behind it', createHandle('a text'), 'the handle has no file'],
    ['is one of a log', { handle: '<handle>' } as const, 'the handle has no file'],
    [
      'cannot be read any more',
      createHandle(
        Object.assign(new Blob(['x']), { arrayBuffer: () => Promise.reject(new Error('it was moved')) }),
      ),
      'it was moved',
    ],
  ])('fails as storage when its handle %s', async (_, handle, message) => {
    await expect(firstValueFrom(chosenFiles.text(handle))).rejects.toMatchObject({
      failure: { kind: 'storage', action: 'read' },
      cause: { message },
    })
  })
})

it.each(['de', 'es', 'fr', 'it', 'nl', 'pt', 'pt-BR'] as const)(
  'the texts of %s are those of its file',
  async (language) => {
    const loaded = (await TEXT_IMPORTS[language]()) as Readonly<{ default: unknown }>
    const file = (await import(`../../views/administration/text/${language}.json`)) as typeof loaded
    expect(loaded.default).toEqual(file.default)
    expect(Object.keys(loaded.default as object).length).toBeGreaterThan(10)
  },
)
