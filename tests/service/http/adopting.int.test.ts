import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AdoptedTemplate } from '../../../streams/organisation/adopt/adopted.ts'
import { DEMONSTRATION_SECRET } from '../../../src/service/demonstration/demonstration.ts'
import type { AdoptRequest } from '../../../streams/wire/administration/adopting.ts'
import { adoptingCalls } from '../../../src/service/http/administration/adopting.ts'
import type { ServiceContext } from '../../../src/service/context/serviceContext.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { png } from '../../folder/pictures.ts'
import { ALEX, JONAS, MARIA, start, startInstance, type Running } from '../running.ts'

// The page sends a signature, and the service answers a template. Nothing is stored.

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64')
const LOGO = png(4, 2)
const SIGNATURE =
  '<p onclick="x()" style="mso-no-proof:yes">Maria João Silva<br>Cais da Ribeira, Porto</p><img src="maria_files/logo.png" width="40"><img src="http://cdn.example/a.png">'

const wanted = (
  files: AdoptRequest['samples'][number]['files'],
  more: Partial<AdoptRequest> = {},
): AdoptRequest => ({
  samples: [{ files, person: MARIA }],
  from: null,
  variables: [],
  ...more,
})
const FILES = [
  { path: 'Maria.htm', base64: base64(SIGNATURE) },
  { path: 'maria_files/logo.png', base64: base64(LOGO) },
]

/** The mark of a compound file, and nothing behind it. */
const BROKEN = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0])

it('what a library says of a broken file goes to the log, and not to a person', async () => {
  const calls = adoptingCalls({ store: {} } as unknown as ServiceContext)
  const refused = await calls
    .adopt({
      body: wanted([{ path: 'a.msg', base64: base64(BROKEN) }]),
      client: new AbortController().signal,
      params: undefined,
      query: undefined,
      actor: 'x',
      roles: [],
    })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({
    status: 422,
    code: 'sample_unreadable',
    cause: expect.any(Error) as Error,
    message: 'The file cannot be read: it is damaged, or not what its name says.',
  })
})

overPostgres('adopting over the wire', (open) => {
  let running: Running
  let administrator: string
  beforeAll(async () => {
    running = await start({ open })
    administrator = await running.mailClientToken(ALEX)
  })
  afterAll(() => running.stop())

  const ask = <Body = AdoptedTemplate>(body: unknown, token: string | null = administrator) =>
    askAdministration<Body>(running.url, token, 'POST', '/adopt', body)

  it('answers the template, its pictures, what was taken out and who it is [ADOPT-1] [ADOPT-2]', async () => {
    const { status, body } = await ask(wanted(FILES))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Maria',
      people: [MARIA],
      linked: ['https://cdn.example/a.png'],
      pictures: [
        { path: expect.stringMatching(/^adopted\/[\da-f]{32}\.png$/) as string, base64: base64(LOGO) },
      ],
    })
    expect(body.original).toBe(
      `<p>Maria João Silva<br>Cais da Ribeira, Porto</p><img src="{{picture ${body.pictures[0]?.path ?? ''}}}" width="40" alt=""><img src="https://cdn.example/a.png" alt="">`,
    )
    expect(body.takenOut.map(({ name, reason }) => `${reason} ${name}`)).toEqual([
      ...['active onclick', 'notMail http:', 'noise mso-no-proof'],
    ])
  })

  it('names each placeholder with the value of the directory that it stands for [ADOPT-3]', async () => {
    const { body } = await ask(wanted(FILES))
    expect(body.placeholders).toContainEqual(
      expect.objectContaining({
        replaced: 'Cais da Ribeira, Porto',
        value: 'Cais da Ribeira, Porto',
        because: 'same',
      }),
    )
    expect(body.template).not.toContain('Porto')
    expect(body.variables).toContainEqual(expect.objectContaining({ from: 'officeLocation' }))
  })

  it('asks about values of other people of the directory, wherever they stand', async () => {
    const files = [
      { path: 'Maria.htm', base64: base64('<p>Maria João Silva</p><p>or +1, ask Jonas Weber first</p>') },
    ]
    const { body } = await ask(wanted(files))
    expect(body.questions).toEqual([{ kind: 'personal', texts: ['Jonas Weber'] }])
    expect(body).not.toHaveProperty('stayed')
  })

  it('writes no text of a signature, no value and no address of a person into the log or the audit', async () => {
    const log: string[] = []
    const { context, provider } = running
    const instance = await startInstance({
      store: context.store,
      provider,
      secret: DEMONSTRATION_SECRET,
      publicUrl: () => running.url,
      log: (line) => void log.push(line),
    })
    try {
      const before = await context.store.audit(null, 10)
      const personal = '<p>Maria João Silva</p><p>or +1, ask Jonas Weber first</p><p>canary@x.example</p>'
      const files = [{ path: 'canary-file.htm', base64: base64(personal) }]
      const post = (body: unknown) =>
        askAdministration<AdoptedTemplate>(instance.url, administrator, 'POST', '/adopt', body)
      const { status, body } = await post(wanted(files))
      expect([status, body.questions]).toEqual([
        200,
        [{ kind: 'personal', texts: ['canary@x.example', 'Jonas Weber'] }],
      ])
      const stranger = { samples: [{ files, person: 'canary@y.example' }] }
      expect((await post(wanted(files, stranger))).body.message).toContain('canary@y.example')
      expect((await post({ samples: 'canary' })).status).toBe(400)
      const lines = log.filter((line) => line.includes('/adopt'))
      expect(lines).toHaveLength(3)
      for (const text of ['canary', 'Maria', 'Silva', 'Jonas', 'Weber', MARIA])
        expect(log.join('\n'), text).not.toContain(text)
      expect(await context.store.audit(null, 10)).toEqual(before)
    } finally {
      await instance.service.close()
    }
  })

  it('finds the person of a mail by its sender', async () => {
    const mail = `From: Jonas <Jonas.Weber@northwind.example>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hallo</p><div id="Signature"><b>Jonas Weber</b></div>`
    const files = [{ path: 'mail.eml', base64: base64(mail) }]
    const { body } = await ask(wanted(files, { samples: [{ files, person: null }] }))
    expect(body).toMatchObject({ people: [JONAS], original: '<b>Jonas Weber</b>' })
    const stranger = [{ path: 'mail.eml', base64: base64(mail.replace('Jonas.Weber', 'unknown')) }]
    expect(
      (await ask(wanted(stranger, { samples: [{ files: stranger, person: null }] }))).body.people,
    ).toEqual([null])
  })

  it('finds the person of a paste by the address in its text', async () => {
    const files = [{ path: 'paste.html', base64: base64(`<b>Jonas</b><p>unknown@x.example, ${JONAS}</p>`) }]
    const { body } = await ask(wanted(files, { samples: [{ files, person: null }] }))
    expect(body.people).toEqual([JONAS])
  })

  it('compares several samples, and names the one that cannot be read', async () => {
    const samples = [
      { files: FILES, person: MARIA },
      { files: [{ path: 'other.docx', base64: base64('PK') }], person: JONAS },
    ]
    const { status, body } = await ask(wanted(FILES, { samples }))
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'sample_unreadable',
      message: 'other.docx: Signatures are read from .htm and .html, .eml, .msg and .oft.',
      sample: 1,
    })
  })

  it.each([
    [
      'of a person who is not there',
      wanted(FILES, { samples: [{ files: FILES, person: 'no@x.example' }] }),
      422,
      'person_unknown',
    ],
    ['of nothing', wanted([{ path: 'a.html', base64: '' }]), 422, 'signature_empty'],
    ['of what is no mail', wanted([{ path: 'a.msg', base64: base64('x') }]), 422, 'sample_unreadable'],
    [
      'with a text that is not there',
      wanted([{ path: 'a.eml', base64: base64('Content-Type: text/html\r\n\r\n<p>x</p>') }], {
        from: 'Best',
      }),
      422,
      'from_not_found',
    ],
    [
      'that is too long',
      wanted([{ path: 'a.html', base64: base64('x'.repeat(3_000_001)) }]),
      413,
      'sample_too_large',
    ],
    ['without a file', wanted([]), 400, 'invalid_body'],
  ])('refuses a sample %s [ADOPT-1]', async (_, body, status, code) => {
    const answer = await ask(body)
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code })
  })
})
