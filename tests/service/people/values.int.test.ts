import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { renderSignature } from '../../../streams/organisation/rendering/render.ts'
import { draftPreviewOf } from '../../../streams/administration/plan/preview.ts'
import { VALUE_TOOLS } from '../../../src/administration/valuesChunk.ts'
import type { RunningServer } from '../../../src/server/webServer.ts'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { createSealedFormats } from '../../../src/service/people/values.ts'
import { qrPicture, qrTextAt } from '../../../src/values/qrCode.ts'
import { publishDocument } from '../../support/demonstration.ts'
import { overPostgres } from '../../support/databases.ts'
import { variableOf } from '../../support/variables.ts'
import { askAdministration } from '../http/administrator.ts'
import {
  ALEX,
  askAsAddin,
  type Instance,
  mailClientToken,
  signInTo,
  startInstance,
  startProvider,
} from '../running.ts'

// Numbers, addresses and QR codes as the add-in, readers of mails and administrators get them.

const PUBLIC = 'https://signet.northwind.example'
const SECRET = randomBytes(32)
const TEMPLATE =
  '<p>{{display_name}}<br>{{phone phone}}<br>{{address}}<br>{{manager.display_name}}</p><img src="{{qr vcard}}" alt="Card"><img src="{{qr https://www.northwind.example/}}" alt="Site">'

overPostgres('values that are written', (open) => {
  let provider: RunningServer
  let instance: Instance
  let document: ReleaseDocument

  beforeAll(async () => {
    provider = await startProvider({ now: Date.now })
    const store = await open()
    instance = await startInstance({ store, provider, secret: SECRET, publicUrl: () => PUBLIC })
    const { service } = instance
    const demonstration = await readDemonstration()
    const [standard] = demonstration.document.signatures
    if (standard === undefined) throw new Error('no signature')
    const { meeting: ___, ...plain } = standard
    const all = { ...plain, id: 'all', template: 'templates/all.html', reply: null, during: null }

    const { blocks: _, guard: __, ...described } = demonstration.document
    document = {
      ...described,
      signatures: [{ ...all, selection: { for: 'everyone', not: [] } }],
      variables: [
        ...demonstration.document.variables.filter(({ path }) => path !== 'phone'),
        variableOf('phone', { from: 'telephoneNumber' }),
      ],
      templates: { 'templates/all.html': TEMPLATE },
    }
    const more = {
      telephoneNumber: '020 7946 0142',
      country: 'United Kingdom',
      'manager.displayName': 'Mia Boss',
      streetAddress: '1 Pier',
      city: 'London',
      postalCode: 'SW1A 1AA',
    }
    const people = demonstration.people.map((row) =>
      row.record.addresses.includes(ALEX)
        ? { ...row, record: { ...row.record, fields: { ...row.record.fields, ...more } } }
        : row,
    )
    await service.context.people.importRows(people, 'test', false)
    for (const [hash, picture] of demonstration.pictures) await store.keepPicture(hash, picture)
    await publishDocument(service.context, document)
  })
  afterAll(async () => {
    await instance.service.close()
    await provider.close()
  })

  async function answered() {
    const token = await signInTo(instance.url, provider, ALEX)
    const path = '/signatures-cache/api/v1/signatures?page=1&build_base64=true'
    const list = await askAsAddin(instance.url, 'GET', path, token)
    return list.body.objects[0] as {
      signature: string
      base64_embedded_images: readonly { url: string; content: string; status: number; name: string }[]
    }
  }
  const codesIn = (html: string) => Array.from(html.matchAll(/src="([^"]*)"/g), ([, address = '']) => address)
  const get = (address: string) => fetch(address.replace(PUBLIC, instance.url))

  it('[ADOPT-9] stand in the answer to the add-in as people read them', async () => {
    const { signature } = await answered()
    expect(signature.slice(0, signature.indexOf('<img'))).toBe(
      '<p>Alex Kim<br>+44 20 7946 0142<br>1 Pier<br>London<br>SW1A 1AA<br>United Kingdom<br>Mia Boss</p>',
    )
  })

  describe('[ADOPT-10] a QR code', () => {
    it('is a picture of the service, which needs no database, and comes with the signature', async () => {
      const { signature, base64_embedded_images: embedded } = await answered()
      const [card = '', site = ''] = codesIn(signature)
      expect(card.startsWith(`${PUBLIC}/images/qr.`)).toBe(true)
      const text = qrTextAt(card.slice(`${PUBLIC}/images/`.length), () => true)
      expect(text).toBe(
        'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Alex Kim\r\nN:Kim;Alex;;;\r\nTEL;TYPE=WORK:+44 20 7946 0142\r\nADR;TYPE=WORK:;;1 Pier;London;;SW1A 1AA;United Kingdom\r\nEND:VCARD\r\n',
      )
      for (const [address, of] of [
        [card, text ?? ''],
        [site, 'https://www.northwind.example/'],
      ] as const) {
        const answer = await get(address)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
        expect(answer.headers.get('cache-control')).toContain('immutable')
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(bytes.equals(Buffer.from(qrPicture(of)))).toBe(true)
        expect(embedded).toContainEqual(
          expect.objectContaining({
            url: address,
            name: 'qr.png',
            status: 200,
            content: bytes.toString('base64'),
          }),
        )
      }
    })

    it('is drawn only of what the service has written: no other text, no other seal, no other secret', async () => {
      const [card = ''] = codesIn((await answered()).signature)
      const path = card.slice(`${PUBLIC}/images/`.length)
      const [, packed = '', seal = ''] = path.split(/[./]/)
      const other = createSealedFormats(randomBytes(32), () => PUBLIC).formats.qr('https://evil.example/')
      const own = createSealedFormats(SECRET, () => PUBLIC).formats.qr('https://evil.example/')
      for (const wrong of [
        ...[other, own.replace(/\.[\w-]{22}\//, '/'), own.replace(/\.[\w-]{22}\//, `.${seal}/`)],
        ...[
          `qr.${packed}.${seal}/other.png`,
          `qr.${packed}A.${seal}/qr.png`,
          `qr.${packed}.${seal.slice(1)}A/qr.png`,
          `${path}x`,
          `qr.${packed}/qr.png`,
        ],
      ])
        expect([wrong, (await get(`${PUBLIC}/images/${wrong}`)).status]).toEqual([wrong, 404])
      expect((await get(`${PUBLIC}/images/${own}`)).status).toBe(200)
    })

    it('is the same for another instance with the secret, and after a restart', () => {
      const text = 'https://www.northwind.example/'
      expect(createSealedFormats(SECRET, () => PUBLIC).formats.qr(text)).toBe(
        createSealedFormats(SECRET, () => PUBLIC).formats.qr(text),
      )
      expect(
        createSealedFormats(SECRET, () => PUBLIC).codeAt(
          createSealedFormats(SECRET, () => PUBLIC).formats.qr(text),
        ),
      ).not.toBeNull()
    })

    it('is in a plan before it is published, as it will be', async () => {
      const administrator = await mailClientToken(provider, ALEX)
      const templates = {
        ...document.templates,
        'templates/all.html': TEMPLATE.replace('https://www', 'https://shop'),
      }
      const made = await askAdministration<Plan>(
        ...([instance.url, administrator, 'POST', '/plans'] as const),
        { document: { ...document, templates } },
      )
      expect([made.status, made.body.message]).toEqual([201, undefined])
      const [group] = made.body.summary.signatures
      const [, site = ''] = codesIn(group?.after?.signature ?? '')
      expect((await get(site)).status).toBe(200)
      expect(group?.people).toBeGreaterThan(0)
    })
  })

  it('[ADOPT-9] are the same in the page’s preview, but for the seal of a code', async () => {
    const person = await instance.service.context.store.personByAddress(ALEX)
    const release = instance.service.context.releases.current()
    if (!person || !release) throw new Error('nothing published')
    const [signature] = release.document.signatures
    const addresses = { pictures: `${PUBLIC}/images`, pictureUrl: '' }
    const unsealed = (html: string | null | undefined) => html?.replace(/(qr\.[\w-]+)\.[\w-]{22}\//g, '$1/')
    const wanted = { path: null, person, at: Date.now(), use: 'signature' } as const
    const preview = draftPreviewOf(document, wanted, `${PUBLIC}/images`, VALUE_TOOLS.formats).html ?? ''
    expect(preview).toBe(
      unsealed(signature && renderSignature(release, signature, 'signature', person, addresses, Date.now())),
    )
    const images = VALUE_TOOLS.codesIn(preview)
    expect(images.map(({ url }) => url)).toEqual(codesIn(preview))
    expect(
      Buffer.from(images[1]?.content ?? '', 'base64').equals(
        Buffer.from(qrPicture('https://www.northwind.example/')),
      ),
    ).toBe(true)
  })
})
