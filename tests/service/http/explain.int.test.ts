import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillSlots } from '../../../streams/html/slots.ts'
import { planInsertion } from '../../../streams/html/plan.ts'
import { sanitizeMarkup } from '../../../streams/html/sanitizeMarkup.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { releaseDocument } from '../../support/administration/plans.ts'
import { block } from '../../support/blocks.ts'
import { variableOf } from '../../support/variables.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { ALEX, MARIA, type Running, SALES, start } from '../running.ts'
import { runSignet } from '../../cli/runningCommand.ts'

// `signet explain`: from the mail back to the release. What goes into the mails is what the add-in writes.

const MINUTE_MS = 60_000

overPostgres('[ADOPT-12] the signature in a mail', (open) => {
  let running: Running
  let token: string
  let folder: string
  let clock = Date.parse('2026-03-02T09:00:00Z')
  /** When the first release was published, and by it the mail was written. */
  let sentAt = 0
  let first = ''

  const [, sales] = releaseDocument.signatures
  const document: ReleaseDocument = {
    ...releaseDocument,
    internal: ['northwind.example'],
    counting: true,
    pictures: {},
    variables: [
      variableOf('first_name', { from: 'givenName' }),
      variableOf('last_name', { from: 'surname' }),
      ...releaseDocument.variables.slice(1),
      { ...releaseDocument.variables[0]!, edit: true },
    ],
    signatures: [
      {
        ...sales!,
        id: 'corporate',
        name: 'Corporate',
        template: 'templates/a.html',
        reply: 'templates/b.html',
        selection: {
          for: [
            [{ by: 'person', values: ['x@x.example'] }],
            [{ by: 'address', values: ['*@northwind.example'] }],
          ],
          not: [],
        },
      },
    ],
    lists: { Guests: ['vip@x.example'] },
    blocks: [
      block({
        id: 'vip',
        name: 'For guests',
        slot: 'banner',
        template: 'templates/blocks/home.html',
        recipients: ['Guests'],
      }),
      block({
        id: 'fair',
        name: 'The fair',
        slot: 'banner',
        template: 'templates/blocks/fair.html',
        recipients: 'external',
      }),
      block({ id: 'home', name: 'At home', slot: 'banner', template: 'templates/blocks/home.html' }),
    ],
    templates: {
      'templates/a.html':
        '<table><tr><td><b>{{display_name}}</b><br>Tel. {{phone}}<br><a href="https://www.northwind.example/">northwind.example</a> &middot; <img src="https://pictures.example/logo.png" alt="Northwind"></td></tr></table>{{block banner}}',
      'templates/b.html': '<p>Best regards, {{display_name}}, Northwind Trading</p>',
      'templates/blocks/fair.html':
        '<p><a href="{{counted https://fair.example/}}">Meet us at the fair</a></p>',
      'templates/blocks/home.html': '<p>See you at home</p>',
    },
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signet-explain-'))
    running = await start({ open, now: () => clock })
    token = await running.mailClientToken(ALEX)
    clock += MINUTE_MS
    first = await publish(document)
    const alex = await running.context.store.personByAddress(ALEX)
    await running.context.people.write(
      alex?.id ?? '',
      { type: 'saveValues', values: { phone: '+49 30 1111' }, resetFields: [] },
      'test',
    )
    sentAt = clock
    clock += MINUTE_MS
  })
  afterAll(async () => {
    await running.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function publish(of: ReleaseDocument): Promise<string> {
    const plan = await askAdministration<Plan>(running.url, token, 'POST', '/plans', { document: of })
    expect(plan.status).toBe(201)
    const published = await askAdministration<Readonly<{ release: string }>>(
      ...([running.url, token, 'POST', '/releases'] as const),
      { plan: plan.body.id },
    )
    return published.body.release
  }

  /** What the add-in writes into a message of a person, as the service answers now. */
  async function written({
    email = ALEX,
    isReply = false,
    domains = ['x.example'] as readonly string[],
    mark = 'a-1',
  } = {}): Promise<string> {
    const bearer = await running.signIn(email)
    const { body } = await running.call('GET', '/signatures-cache/api/v1/signature/addin', bearer)
    const slots = (isReply ? [] : (body.blocks ?? [])) as never
    const { html } = fillSlots(
      { html: isReply ? (body.reply ?? '') : body.signature, slots },
      { isReply, recipients: domains },
    )
    return insertable(html, body.combined_ids, mark)
  }

  function insertable(html: string, combinedIds: string, mark = 'a-1'): string {
    const plan = planInsertion(
      ...([{ html, images: [], combinedIds }, 'html', [], sanitizeMarkup, null, mark] as const),
    )
    if (plan.kind !== 'ready') throw new Error('The signature is too large.')
    return plan.content
  }

  const eml = (html: string, { at = sentAt, headers = [] as readonly string[] } = {}): string =>
    [
      `From: Alex <${ALEX}>`,
      'To: Guest <guest@x.example>',
      `Date: ${new Date(at).toUTCString()}`,
      ...headers,
      'MIME-Version: 1.0',
      'Content-Type: multipart/alternative; boundary="b"',
      '',
      ...['--b', 'Content-Type: text/plain; charset=utf-8', '', 'Hello', '--b'],
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      ...(Buffer.from(`<html><body><p>Hello</p>${html}</body></html>`)
        .toString('base64')
        .match(/.{1,76}/g) ?? []),
      '--b--',
      '',
    ].join('\r\n')

  async function explain(content: string, words: readonly string[] = [], name = 'mail.eml') {
    const file = join(folder, name)
    await writeFile(file, content)
    const { code, all } = await runSignet(['explain', file, '--service', running.url, ...words], {
      environment: { SIGNET_TOKEN: token },
      fetch,
      now: () => clock,
    })
    return { code, out: all.replaceAll(file, 'FILE') }
  }

  it('names its release, its rule, its blocks with their lines, and that it was not changed', async () => {
    const content = await written()
    expect(content).toContain('/go/')
    const { code, out } = await explain(eml(content))
    expect(code).toBe(0)
    const lines = out.split('\n')
    expect(lines[0]).toMatch(
      /^Corporate, the version for new messages, of Alex Kim \(alex\.kim@northwind\.example\):$/,
    )
    expect(lines[1]).toMatch(
      new RegExp(
        `^  Release ${first.slice(0, 8)}, number \\d+, published 2026-03-02 09:01 UTC; this is certain: it gives exactly the html that was inserted\\.$`,
      ),
    )
    expect(lines[2]).toMatch(
      /^ {2}The rule: corporate \(signet\.yaml:\d+\); the template: templates\/a\.html\.$/,
    )
    expect(lines[3]).toMatch(/^ {2}Blocks: The fair \(signet\.yaml:\d+\)\.$/)
    expect(lines[4]).toBe('  It was not changed afterwards: its words, pictures and links are as inserted.')
    expect(lines[5]).toBe('  Today they get Corporate, the default, with The fair, the same.')
    const exported = await running.context.releases.of(first)
    expect(exported?.document).toEqual(document)
  })

  it('of a reply, and to recipients inside, has the blocks and the version of such a message', async () => {
    const inside = await explain(
      eml(await written({ domains: ['northwind.example'] })).replace('guest@x.example', MARIA),
    )
    expect(inside.out).toContain('  Blocks: At home (signet.yaml:')
    expect(inside.out).toContain('this is certain')
    const reply = await explain(eml(await written({ isReply: true }), { headers: ['In-Reply-To: <a@b>'] }))
    expect(reply.out).toMatch(/^Corporate, the version for replies, of Alex Kim/)
    expect(reply.out).toContain('  Without a block.')
  })

  it('[PERSON-6] to recipients in a list has the block for them, by their addresses', async () => {
    const content = await written({ domains: ['vip@x.example'] })
    const { out } = await explain(eml(content).replace('guest@x.example', 'VIP@x.example'))
    expect(out).toContain('  Blocks: For guests (signet.yaml:')
    expect(out).toContain('this is certain')
  })

  describe('that was changed', () => {
    const changed = async (change: (html: string) => string) =>
      (await explain(eml(change(await written())))).out.split('\n')[4]

    it.each<[string, (html: string) => string, RegExp]>([
      [
        'its words',
        (html) => html.replace('1111', '2222'),
        /^ {2}It was changed afterwards: first, the mail says “.*2222.*”, and the release “.*1111.*”\.$/,
      ],
      [
        'words after it',
        (html) => html.replace('<br>Tel.', ', PhD<br>Tel.'),
        /^ {2}It was changed afterwards: first, the mail says “.*, PhD Tel/,
      ],
      [
        'the end of it',
        (html) => html.replace('Meet us at the fair', ''),
        /^ {2}It was changed afterwards: first, the mail says nothing more, and the release “.*Meet us at the fair”/,
      ],
      [
        'a picture',
        (html) => html.replace(/<img[^>]*>/, ''),
        /^ {2}It was changed afterwards: the mail has 0 pictures, and the release 1 picture\.$/,
      ],
      [
        'another picture',
        (html) => html.replace('logo.png', 'other.png'),
        /^ {2}It was changed afterwards: the mail has the picture https:\/\/pictures\.example\/other\.png in the place of https:\/\/pictures\.example\/logo\.png\.$/,
      ],
      [
        'a picture at another host',
        (html) => html.replace('https://pictures.example/logo.png', 'https://evil.example/logo-tracker.png'),
        /^ {2}It was changed afterwards: the mail has the picture https:\/\/evil\.example\/logo-tracker\.png in the place of /,
      ],
      [
        'a link',
        (html) => html.replace('https://www.northwind.example/', 'https://evil.example/'),
        /^ {2}It was changed afterwards: a link leads to https:\/\/evil\.example\/, and by the release to https:\/\/www\.northwind\.example\/\.$/,
      ],
      [
        'a link more',
        (html) => html.replace('<b>', '<b><a href="https://x.example">x</a>').replace('>x<', '><'),
        /^ {2}It was changed afterwards: the mail has 3 links, and the release 2 links\.$/,
      ],
    ])('in %s says what differs first', async (_, change, sentence) => {
      expect(await changed(change)).toMatch(sentence)
    })

    it('only in its markup, and in a picture that is attached, as clients do, shows no change', async () => {
      const rewritten = await changed((html) =>
        html
          .replaceAll(/ data-signet-\w+="[^"]*"/g, '')
          .replace('<b>', '<span style="font-family:Calibri"><b>')
          .replace('</b>', '</b></span>')
          .replace('Tel. ', 'Tel.&nbsp;')
          .replace('https://pictures.example/logo.png', 'cid:image001.png@01DA'),
      )
      expect(rewritten).toBe(
        '  No change is seen, but not all can be compared: its words and links are as inserted. 1 picture is attached to the mail, and its content is not compared.',
      )
    })

    it('by a server that checks links shows no change, and the server is named', async () => {
      const safe = 'https://safe.example/?url=https%3A%2F%2Fwww.northwind.example%2F&amp;data=1'
      expect(await changed((html) => html.replace('https://www.northwind.example/', safe))).toBe(
        '  No change is seen, but not all can be compared: its words and pictures are as inserted. 1 link leads to safe.example first, with the own address inside. Servers that check links do that; whether this is one of yours, Signet does not know.',
      )
    })
  })

  it('is found although the clock of the mail is behind that of the service', async () => {
    const { out } = await explain(eml(await written(), { at: sentAt - 2 * MINUTE_MS }))
    expect(out).toContain(`  Release ${first.slice(0, 8)}, number `)
    expect(out).toContain('this is certain')
  })

  it('is explained however much markup a client wrote into it', async () => {
    const style = `<b style="${'mso-fareast-language:EN-GB;'.repeat(15_000)}">`
    const { out } = await explain(eml((await written()).replace('<b>', style)))
    expect(out).toContain('this is certain')
    expect(out).toContain('It was not changed afterwards')
  })

  it('is told by its words when the html is another one, and by its time when nothing fits', async () => {
    const content = await written()
    const other = content.replaceAll(/(signet[-_]hash="|_)[\da-z]{8,}("|_)/g, '$1zzzzzzzzz$2')
    expect(other).not.toBe(content)
    const words = await explain(eml(other))
    expect(words.out).toContain('this is likely: it gives the same words, but other html.')
    expect(words.out).toContain('so nothing in them speaks for a change.')
    const time = await explain(eml(other.replace('Tel.', 'Telephone')))
    expect(time.out).toContain('this is a guess by the time of the mail')
    expect(time.out).toContain(
      '  Whether it was changed afterwards cannot be told. What this release gives differs: ',
    )
  })

  it('is explained first when it is the topmost of a thread, and the others are named', async () => {
    const quoted = (await written({ email: MARIA, mark: 'b-2' }))
      .replaceAll(/ data-signet-\w+="[^"]*"/g, '')
      .replace(' id="signet_', ' id="x_signet_')
    const maria = await running.context.store.personByAddress(MARIA)
    const { out } = await explain(eml(`${await written()}<div id="divRplyFwdMsg">${quoted}</div>`))
    expect(out).toContain('of Alex Kim')
    expect(out.endsWith(`Below it: corporate-${maria?.id ?? ''}.\n`)).toBe(true)
  })

  it('is none in a mail without a mark, in a text, and in what is no mail', async () => {
    expect(await explain(eml('<p>Regards</p>'))).toEqual({
      code: 1,
      out: 'FILE has no mark of Signet: no signature was inserted by it, or a program on the way took its mark out.\n',
    })
    const text = `From: a@x.example\r\nDate: ${new Date(sentAt).toUTCString()}\r\n\r\nHello\r\n`
    expect(await explain(text)).toEqual({
      code: 1,
      out: 'FILE has a text only, and no html: there are no marks in a text, so it cannot be told whether it has a signature of Signet.\n',
    })
    expect((await explain('', [], 'mail.txt')).out).toBe(
      'FILE is neither an .eml file nor the .html of a mail.\n',
    )
    const deep = Array.from(
      { length: 60 },
      (_, index) =>
        `Content-Type: multipart/mixed; boundary="b${String(index)}"\r\n\r\n--b${String(index)}\r\n`,
    )
    expect(await explain(deep.join(''))).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^FILE cannot be read as a mail: /) as string,
    })
  })

  it('of an unknown owner, or of no release, is refused', async () => {
    const content = await written()
    const unknown = await explain(eml(content.replaceAll(/corporate-[\w-]+/g, 'corporate-unknown')))
    expect([unknown.code, unknown.out]).toEqual([1, 'not_found: There is no such person.\n'])
    const gone = await explain(eml(content.replaceAll(/corporate-/g, 'gone-')))
    expect(gone.out).toBe('not_found: No release of that time has the signature gone.\n')
  })

  it('of a person who left is explained, and they get none today', async () => {
    const content = await written({ email: MARIA })
    const maria = await running.context.store.personByAddress(MARIA)
    await running.context.people.write(maria?.id ?? '', { type: 'deactivate' }, 'test')
    const { out } = await explain(eml(content))
    expect(out).toMatch(/^Corporate, .*\(maria\.silva@northwind\.example\), who left:$/m)
    expect(out).toContain('this is certain')
    expect(out).toContain('  Today they get no signature.')
  })

  it('stays explained by its release after another one, and after the person changed', async () => {
    const content = await written()
    const alex = await running.context.store.personByAddress(ALEX)
    clock += MINUTE_MS
    await running.context.people.write(
      alex?.id ?? '',
      { type: 'saveValues', values: { phone: '+49 30 9999' }, resetFields: [] },
      'test',
    )
    clock += MINUTE_MS
    const second = await publish({
      ...document,
      templates: { ...document.templates, 'templates/a.html': '<p>{{display_name}} is new, {{phone}}</p>' },
    })
    const { out } = await explain(eml(content))
    expect(out).toContain(`  Release ${first.slice(0, 8)}, number `)
    expect(out).toContain('this is certain')
    expect(out).toContain('It was not changed afterwards')
    expect(out).toMatch(
      /^ {2}Today they get Corporate, the default, which differs: first, it says “(.* )?is new, .*9999”/m,
    )
    // Maria left before.
    clock += MINUTE_MS
    await running.context.people.write(
      alex?.id ?? '',
      { type: 'saveValues', values: { phone: `Ask ${MARIA}` }, resetFields: [] },
      'test',
    )
    expect((await explain(eml(content))).out).toContain(`  phone names ${MARIA}, who has left.\n`)
    // As html, without a date: by the day that is given, or now.
    const html = await explain(content, [], 'mail.html')
    expect(html.out).toContain(`  Release ${first.slice(0, 8)}, number `)
    const fresh = await explain(await written(), [], 'mail.html')
    expect(fresh.out).toContain(`  Release ${second.slice(0, 8)}, number `)
    expect(fresh.out).toMatch(/, the same\.$/m)
  })

  describe('[PERSON-4] of a mailbox that names its writer', () => {
    const sent = (html: string, headers: readonly string[]) =>
      eml(html, { at: clock, headers }).replace(`From: Alex <${ALEX}>`, `From: Desk <${SALES}>`)

    it('is rendered with the person who sent it on behalf of the mailbox, and names this person', async () => {
      const [corporate] = document.signatures
      clock += MINUTE_MS
      await publish({
        ...document,
        mailboxes: [{ address: SALES, selection: { for: 'everyone', not: [] }, values: {} }],
        signatures: [
          { ...corporate!, id: 'desk', selection: { for: [[{ by: 'person', values: [SALES] }]], not: [] } },
        ],
        templates: { ...document.templates, 'templates/a.html': '<p>Desk, {{writer.display_name}}</p>' },
      })
      clock += MINUTE_MS
      const bearer = await running.signIn(ALEX)
      const { body } = await running.call(
        'GET',
        '/signatures-cache/api/v1/signature/addin?combined_ids=desk-u-2',
        bearer,
      )
      const content = insertable(body.signature, body.combined_ids)
      const known = await explain(sent(content, [`Sender: Alex <${ALEX.toUpperCase()}>`]))
      expect(known.out).toContain(`\n  Written by Alex Kim (${ALEX}).\n`)
      expect(known.out).toContain('this is certain')
      expect(known.out).toMatch(/^ {2}Today they get .*, the same\.$/m)
      for (const headers of [[], [`Sender: Desk <${SALES}>`], ['Sender: Nobody <nobody@x.example>']]) {
        const { out } = await explain(sent(content, headers))
        expect(out).not.toContain('Written by')
        expect(out).toContain('this is a guess')
      }
    })
  })

  it('[PERSON-5] is known by the copy for the address that it was written from', async () => {
    clock += MINUTE_MS
    await publish({
      ...document,
      templates: { ...document.templates, 'templates/a.html': '<p>Write to {{sender}}</p>' },
    })
    const bearer = await running.signIn(ALEX)
    const alex = await running.context.store.personByAddress(ALEX)
    const { account, language, directory, groups, picture } = alex!
    const addresses = [ALEX, 'alex@brand-b.example']
    await running.context.people.importEach(
      [{ id: alex!.id, record: { addresses, account, language, fields: directory, groups, picture } }],
      'test',
      false,
    )
    clock += MINUTE_MS
    const { body } = await running.call('GET', '/signatures-cache/api/v1/signature/addin', bearer)
    const [copy] = (body as unknown as { by_sender: readonly { signature: string }[] }).by_sender
    expect(copy?.signature).toContain('alex@brand-b.example')
    const { out } = await explain(eml(insertable(copy?.signature ?? '', body.combined_ids), { at: clock }))
    expect(out).toContain('this is certain')
  })
})
