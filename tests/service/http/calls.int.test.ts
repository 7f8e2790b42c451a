import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asPhoto, GIF, JPEG, png, WEBP } from '../../folder/pictures.ts'
import {
  ALEX,
  claimsOf,
  JONAS,
  MARIA,
  SALES,
  start,
  TESS,
  type Running,
  type WireDefinition,
  type WireResponse,
} from '../running.ts'
import { overPostgres } from '../../support/databases.ts'

overPostgres('[SRV-10] the calls', (open) => {
  let running: Running
  let token: string
  beforeAll(async () => {
    running = await start({ open })
    token = await running.signIn(ALEX)
  })
  beforeEach(() => running.reset())
  afterAll(() => running.stop())

  const get = (path: string, bearer = token) => running.call('GET', path, bearer)
  const put = (path: string, body: unknown, bearer = token) => running.call('PUT', path, bearer, body)
  const PORTRAIT_URL = /^http:\/\/localhost:\d+\/images\/[0-9a-f]{32}\/portrait\.png$/
  const CACHE_PATH = '/signatures-cache/api/v1/signature/addin'
  const LIST_PATH = '/signatures-cache/api/v1/signatures'
  const BATCH_PATH = '/signatures-cache/api/v1/signatures/get/batch'
  const DEFAULT_PATH = '/signatures-cache/api/v2/signature/default'
  const SAVE_PATH = '/api/addin/user/variables_with_options'
  const PHOTO_PATH = '/api/addin/user/photo'

  const names = ({ body }: WireResponse) => body.objects.map(({ name }) => name)
  const definitionsIn = ({ text }: WireResponse) =>
    (JSON.parse(text) as { objects: WireDefinition[] }).objects
  const pngOf = (padding: number) => asPhoto(png(1, 1, padding))
  /** A picture of another size, which it says at these places. */
  const sized = (picture: Buffer, size: number, ...places: readonly number[]) => {
    const changed = Buffer.from(picture)
    for (const place of places) changed.writeUInt16LE(size, place)
    return changed
  }

  describe('sign-in', () => {
    it('issues a bearer that names the user and expires after an hour', () => {
      const claims = claimsOf(token)
      expect(claims).toMatchObject({ sub: 'u-1', email: ALEX })
      expect(claims.exp - claims.iat).toBe(3600)
    })

    /** What the sign-in answers with the bearer. */
    const sentAlong = async (email: string): Promise<unknown> => {
      const accessToken = await running.mailClientToken(email)
      const { text } = await running.call('POST', '/authentication/addin/azure', null, { accessToken, email })
      const { access_token, ...others } = (JSON.parse(text) as WireResponse['body']).data
      expect(claimsOf(access_token ?? '').sub).toBeTypeOf('string')
      return others
    }

    it.each([ALEX, JONAS])(
      'sends what the call for the default of %s answers, with pictures',
      async (email) => {
        const { text } = await get(`${CACHE_PATH}?build_base64=true`, await running.signIn(email))
        expect(await sentAlong(email)).toEqual({ signature: JSON.parse(text) as unknown })
      },
    )

    it('sends the default that was chosen last', async () => {
      await put(DEFAULT_PATH, { combined_ids: 'harbour_days-u-1' })
      expect(await sentAlong(ALEX)).toMatchObject({ signature: { combined_ids: 'harbour_days-u-1' } })
    })

    it('sends no default while the call for it has a fault', async () => {
      await running.control('PUT', 'faults', { call: `GET ${CACHE_PATH}`, fault: { kind: 'cut' } })
      expect(await sentAlong(ALEX)).toEqual({})
      await running.control('DELETE', 'faults')
      expect(await sentAlong(ALEX)).toHaveProperty('signature')
    })

    it("sends the organisation's default when the user's own is gone", async () => {
      const metadata = { defaultSignature: { master: 'deleted-u-1' } }
      const save = { type: 'saveValues', values: {}, resetFields: [], metadata } as const
      await running.context.people.write('u-1', save, 'test')
      expect((await get(CACHE_PATH)).body.combined_ids).toBe('standard-u-1')
      expect(await sentAlong(ALEX)).toMatchObject({ signature: { combined_ids: 'standard-u-1' } })
    })

    it('issues another valid bearer', async () => {
      const { status, body } = await get('/authentication/access-token')
      expect(status).toBe(200)
      expect(body.data['access_token']).not.toBe(token)
      expect((await get('/api/addin/user', body.data['access_token'])).body.id).toBe('u-1')
    })
  })

  describe('the record of a user', () => {
    it('has the information that the add-in sent last', async () => {
      const info = {
        package: '0.1.0',
        context: [{ platform: 'web' }],
        settings: {},
        beta: false,
        navigator: {},
      }
      expect((await put('/api/addin/user/addin-info', info)).status).toBe(204)
      expect((await running.context.store.reported('u-1'))?.reported).toEqual(info)
    })
  })

  describe('the picture', () => {
    it('has a new address after a change, and is gone from the previous one', async () => {
      const before = (await get(PHOTO_PATH)).body.data['url']
      const first = await put(PHOTO_PATH, { photo: pngOf(64) })
      expect(first.status).toBe(200)
      const url = String(first.body.data['url'])
      expect(url).not.toBe(before)
      const served = await fetch(url)
      expect(served.headers.get('content-type')).toBe('image/png')
      expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(pngOf(64))
      expect((await get('/api/addin/user')).body.picture_url).toBe(url)

      await put(PHOTO_PATH, { photo: pngOf(65) })
      expect((await fetch(url)).status).toBe(404)
    })

    it('is in a signature until it is deleted', async () => {
      const url = String((await put(PHOTO_PATH, { photo: pngOf(64) })).body.data['url'])
      expect((await get(`${CACHE_PATH}?combined_ids=portrait-u-1`)).body.signature).toContain(url)
      expect((await running.call('DELETE', PHOTO_PATH, token)).status).toBe(204)
      expect((await get(PHOTO_PATH)).body).toEqual({ data: { url: null } })
      expect((await get(`${CACHE_PATH}?combined_ids=portrait-u-1`)).body.signature).not.toContain(
        'width="96"',
      )
    })

    it.each([
      ['empty', ''],
      ['not base64', 'data:image/png;base64,AAAA'],
      ['another type', asPhoto(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
      ['larger than 1 MB', pngOf(1024 * 1024)],
      ['only the beginning of a PNG', asPhoto(png().subarray(0, 16))],
      ['without width', asPhoto(png(0, 1))],
      ['a PNG of 65,535 × 65,535', asPhoto(png(65_535, 65_535))],
      ['a PNG of 4,097 × 1', asPhoto(png(4_097, 1))],
      [
        'a JPEG of 65,535 × 65,535',
        asPhoto(sized(JPEG, 65_535, JPEG.indexOf('ffc0', 'hex') + 5, JPEG.indexOf('ffc0', 'hex') + 7)),
      ],
      ['a GIF of 65,535 × 65,535', asPhoto(sized(GIF, 65_535, 6, 8))],
      ['a GIF with an image of 65,535 × 65,535', asPhoto(sized(GIF, 65_535, GIF.indexOf(0x2c) + 5))],
      ['a WebP of 16,383 × 16,383', asPhoto(sized(WEBP, 16_383, WEBP.indexOf('9d012a', 'hex') + 3))],
    ])('is refused when it is %s', async (_, photo) => {
      const { status, body } = await put(PHOTO_PATH, { photo })
      expect([status, body.code]).toEqual([422, 'photo_invalid'])
    })

    const formats = [
      ['PNG', png(), 'image/png'],
      ['PNG of 4,096 × 4,096', png(4_096, 4_096), 'image/png'],
      ['JPEG', JPEG, 'image/jpeg'],
      ['GIF', GIF, 'image/gif'],
      ['WebP', WEBP, 'image/webp'],
    ] as const
    it.each(formats)('is accepted when it is a %s', async (_, picture, mediaType) => {
      const { body } = await put(PHOTO_PATH, { photo: asPhoto(picture) })
      const served = await fetch(String(body.data['url']))
      expect(served.headers.get('content-type')).toBe(mediaType)
      expect(Buffer.from(await served.arrayBuffer())).toEqual(picture)
    })

    it.each(formats)(
      'is refused when it is a %s that ends early or has something behind it',
      async (_, picture) => {
        const script = Buffer.from('<script>alert(1)</script>')
        for (const other of [
          picture.subarray(0, -1),
          picture.subarray(0, picture.length / 2),
          Buffer.concat([picture, script]),
          Buffer.concat([picture, Buffer.alloc(1)]),
          Buffer.concat([picture, GIF]),
        ]) {
          const { status, body } = await put(PHOTO_PATH, { photo: asPhoto(other) })
          expect([status, body.code]).toEqual([422, 'photo_invalid'])
        }
      },
    )
  })

  describe('the signature cache', () => {
    it('gives the default with its reply version and the pictures of both', async () => {
      const { body } = await get(`${CACHE_PATH}?build_base64=true`)
      expect(body).toMatchObject({ name: 'With portrait', user_id: 'u-1', combined_ids: 'portrait-u-1' })
      expect(body.signature).toContain('Alex Kim')
      expect(body.reply).toContain('Alex Kim')
      expect(body.reply).not.toContain('<img')
      expect(body.base64_embedded_images).toHaveLength(4)
      for (const image of body.base64_embedded_images) {
        expect(body.signature).toContain(image.url)
        expect(image.status).toBe(200)
        const served = Buffer.from(await (await fetch(image.url)).arrayBuffer())
        expect(served.toString('base64')).toBe(image.content)
        expect(served.subarray(1, 4).toString()).toBe('PNG')
      }
    })

    it('gives a named signature, null for a missing reply version, and no pictures unless asked for', async () => {
      const { body } = await get(`${CACHE_PATH}?combined_ids=hiring-u-1`)
      expect(body).toMatchObject({ name: 'We are hiring', reply: null, base64_embedded_images: [] })
    })

    it('gives a named signature with its attached pictures, and serves the linked one', async () => {
      const { body } = await get(`${CACHE_PATH}?combined_ids=hiring-u-1&build_base64=true`)
      const [linked = ''] = /[^"]*\/images\/linked\/[^"]*/.exec(body.signature) ?? []
      expect(body.base64_embedded_images.map(({ name }) => name)).toContain('globe.png')
      expect(body.base64_embedded_images.map(({ name }) => name)).not.toContain('careers.png')
      const served = await fetch(linked)
      expect([served.status, served.headers.get('content-type'), served.headers.get('set-cookie')]).toEqual([
        ...[200, 'image/png', null],
      ])
    })

    it('gives an empty signature to a user without a default', async () => {
      const { status, body } = await get(`${CACHE_PATH}?build_base64=true`, await running.signIn(JONAS))
      expect(status).toBe(200)
      expect(body).toMatchObject({ user_id: 'u-4', signature: '', reply: null, base64_embedded_images: [] })
    })

    it("gives the admin's default to a user without an own choice", async () => {
      expect((await get(CACHE_PATH, await running.signIn(MARIA))).body.combined_ids).toBe('padrao-u-3')
    })

    it('gives a delegated signature with its owner, and 404 for any other', async () => {
      expect((await get(`${CACHE_PATH}?combined_ids=padrao-u-3`)).body.user_id).toBe('u-3')
      const { status, body } = await get(`${CACHE_PATH}?combined_ids=ordinary-u-5`)
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect((await get(`${CACHE_PATH}?combined_ids=999-0`)).status).toBe(404)
    })

    it('gives status 404 and no content for a missing picture', async () => {
      const { body } = await get(
        `${CACHE_PATH}?build_base64=true&combined_ids=missing_picture-u-5`,
        await running.signIn(TESS),
      )
      expect(body.base64_embedded_images).toMatchObject([{ name: 'spring.png', status: 404, content: '' }])
    })

    it('distinguishes two pictures of the same file name', async () => {
      const { body } = await get(
        `${CACHE_PATH}?build_base64=true&combined_ids=two_badges-u-5`,
        await running.signIn(TESS),
      )
      const [one, other] = body.base64_embedded_images
      expect([one?.name, other?.name]).toEqual(['badge.png', 'badge.png'])
      expect(one?.url).not.toBe(other?.url)
      expect(one?.content).not.toBe(other?.content)
    })
  })

  describe('the lists', () => {
    it('have pages, with each signature once', async () => {
      const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`${LIST_PATH}?page=${page}&per_page=5`)))
      expect(pages.map(({ body }) => [body.objects.length, body.total, body.page])).toEqual([
        [5, 14, 1],
        [5, 14, 2],
        [4, 14, 3],
        [0, 14, 4],
      ])
      expect(new Set(pages.flatMap(names)).size).toBe(14)
    })

    it('hold variants, audiences, order and collection, and no e-mail address for own signatures', async () => {
      const { body } = await get(`${LIST_PATH}?per_page=50`)
      const [first] = body.objects
      expect(first).toMatchObject({
        name: 'Northwind standard',
        combined_ids: 'standard-u-1',
        order: 0,
        audiences: [],
      })
      expect(first?.variants).toMatchObject([{ code: 'reply' }, { code: 'meeting' }])
      expect(first).not.toHaveProperty('email')
      expect(body.objects.filter((object) => object.audiences.length > 0)).toHaveLength(2)
      expect(new Set(body.objects.map((object) => object.collection)).size).toBeGreaterThan(3)
    })

    it('hold pictures only when asked for', async () => {
      const [without, withPictures] = await Promise.all([
        get(`${LIST_PATH}?build_base64=false`),
        get(`${LIST_PATH}?build_base64=true`),
      ])
      expect(without.body.objects[0]?.base64_embedded_images).toEqual([])
      expect(withPictures.body.objects[0]?.base64_embedded_images[0]).toMatchObject({
        name: 'logo.png',
        status: 200,
      })
      expect(withPictures.body.objects[0]?.base64_embedded_images[0]?.url).toMatch(
        /\/images\/[0-9a-f]{32}\/logo\.png$/,
      )
    })

    it('can be limited to one signature', async () => {
      expect(names(await get(`${LIST_PATH}?combined_ids=short-u-1`))).toEqual(['Short'])
      expect((await get(`${LIST_PATH}?combined_ids=padrao-u-3`)).body).toEqual({
        objects: [],
        total: 0,
        page: 1,
      })
    })

    it('hold the signatures of delegating users with their e-mail addresses, in pages', async () => {
      const batch = (page: number) =>
        running.call('POST', `${BATCH_PATH}?page=${page}&per_page=5`, token, { user_ids: ['u-2', 'u-3'] })
      const [first, second] = await Promise.all([batch(1), batch(2)])
      expect([first.body.total, first.body.objects.length, second.body.objects.length]).toEqual([9, 5, 4])
      expect(first.body.objects.map(({ email }) => email)).toEqual([
        ...Array.from({ length: 3 }, () => SALES),
        ...Array.from({ length: 2 }, () => MARIA),
      ])
      expect(second.body.objects[0]?.signature).toContain('Maria Silva')
    })

    it('are refused for users who did not delegate', async () => {
      const { status, body } = await running.call('POST', BATCH_PATH, token, { user_ids: ['u-2', 'u-5'] })
      expect([status, body.code]).toEqual([403, 'not_delegated'])
    })

    it('hold the edge cases of Tess Edge', async () => {
      const { body } = await get(`${LIST_PATH}?per_page=50&build_base64=true`, await running.signIn(TESS))
      const html = new Map(body.objects.map(({ name, signature }) => [name, signature]))
      expect(html.get('All the terms')).toHaveLength(40_000)
      expect(html.get('Empty')).toBe('')
      expect(html.get('Only text')).not.toContain('<')
      expect(html.get('Only a picture')?.replace(/<img[^>]*>/, '')).toBe('')
      for (const danger of [
        '<script',
        'onerror',
        'javascript:',
        '<form',
        '<iframe',
        '<base',
        'refresh',
        'position:fixed',
      ]) {
        expect(html.get('From a stranger')).toContain(danger)
      }
      const catalogue = body.objects.find(({ name }) => name === 'Catalogue')
      expect(catalogue?.base64_embedded_images).toHaveLength(20)
    })
  })

  describe('the default', () => {
    it('is the signature that the user sets; that for replies and those for senders stay', async () => {
      const chosen = { reply: 'portrait-u-1', bySender: { 'sales@northwind.example': 'short-u-1' } }
      const metadata = { defaultSignature: { master: 'portrait-u-1', ...chosen } }
      expect((await put(SAVE_PATH, { data: { metadata }, reset_fields: [] })).status).toBe(200)
      expect((await put(DEFAULT_PATH, { combined_ids: 'harbour_days-u-1' })).status).toBe(204)
      expect((await get(CACHE_PATH)).body.combined_ids).toBe('harbour_days-u-1')
      expect((await get('/api/addin/user')).body.metadata.defaultSignature).toEqual({
        master: 'harbour_days-u-1',
        ...chosen,
      })
    })

    it('is the organisation’s beside choices for senders, with a master of null or none', async () => {
      const bySender = { 'sales@northwind.example': 'harbour_days-u-1' }
      for (const master of [{ master: null }, {}]) {
        const metadata = { defaultSignature: { ...master, bySender } }
        expect((await put(SAVE_PATH, { data: { metadata }, reset_fields: [] })).status).toBe(200)
        expect((await get('/api/addin/user')).body.metadata).toEqual({ defaultSignature: { bySender } })
        const { body } = await get(CACHE_PATH)
        expect(body).toMatchObject({ combined_ids: 'standard-u-1', reply_combined_ids: 'standard-u-1' })
      }
    })

    it('needs a master beside a choice for replies, and one of both', async () => {
      for (const defaultSignature of [{}, { reply: 'short-u-1' }, { reply: 'short-u-1', bySender: {} }]) {
        const { status, body } = await put(SAVE_PATH, {
          data: { metadata: { defaultSignature } },
          reset_fields: [],
        })
        expect([status, body.code]).toEqual([400, 'invalid_body'])
      }
    })

    it('keeps the reply version that was chosen with it', async () => {
      const metadata = { defaultSignature: { master: 'harbour_days-u-1', reply: 'short-u-1' } }
      await put(SAVE_PATH, { data: { metadata }, reset_fields: [] })
      await put(DEFAULT_PATH, { combined_ids: 'harbour_days-u-1' })
      const { body } = await get(CACHE_PATH)
      expect((await get('/api/addin/user')).body.metadata).toEqual(metadata)
      const chosen = (await get(`${CACHE_PATH}?combined_ids=short-u-1`)).body
      expect(body.reply).toBe(chosen.signature)
      expect(body).toMatchObject({ reply_name: chosen.name, reply_combined_ids: 'short-u-1' })
    })

    it('cannot be a signature that is invisible to the user, nor can the one for replies or for a sender', async () => {
      const invisible = 'ordinary-u-5'
      const master = 'portrait-u-1'
      const saving = (defaultSignature: object) =>
        put(SAVE_PATH, { data: { metadata: { defaultSignature } }, reset_fields: [] })
      const answers = [
        await put(DEFAULT_PATH, { combined_ids: invisible }),
        await saving({ master: invisible }),
        await saving({ master, reply: invisible }),
        await saving({ bySender: { 'sales@northwind.example': invisible } }),
      ]
      for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'not_found'])
    })

    it.each([
      { master: 'standard-u-1', reply: 'ordinary-u-5' },
      { master: 'ordinary-u-5', reply: 'standard-u-1' },
    ])('cannot be saved with one that is invisible to the user: %j', async (defaultSignature) => {
      const before = (await get('/api/addin/user')).body.metadata
      const metadata = { ...before, defaultSignature }
      const { status, body } = await put(SAVE_PATH, { data: { metadata }, reset_fields: [] })
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect((await get('/api/addin/user')).body.metadata).toEqual(before)
    })

    it('cannot be set through either call where the organisation forbids it', async () => {
      const bearer = await running.signIn(JONAS)
      const direct = await put(DEFAULT_PATH, { combined_ids: 'sales_desk-u-2' }, bearer)
      const input = {
        data: { metadata: { defaultSignature: { master: 'sales_desk-u-2' } } },
        reset_fields: [],
      }
      const indirect = await put(SAVE_PATH, input, bearer)
      expect([direct.status, direct.body.code]).toEqual([409, 'default_not_allowed'])
      expect([indirect.status, indirect.body.code]).toEqual([409, 'default_not_allowed'])
    })
  })

  describe('variables', () => {
    it('have definitions in every group, hidden, locked and resettable', async () => {
      const definitions = definitionsIn(await get('/api/addin/variables'))
      const types = new Set(definitions.map(({ metas }) => metas.custom_type))
      expect(types).toEqual(new Set([null, 'mapped', 'rest', 'personal', 'campaign']))
      for (const flag of ['hidden', 'non_editable', 'resettable'] as const) {
        expect(new Set(definitions.map(({ metas }) => metas[flag]))).toEqual(new Set([true, false]))
      }
      expect(definitions.find(({ path }) => path === 'job_title')?.lookups).toEqual({ azure: 'jobTitle' })
    })

    it('have a value for each definition', async () => {
      const [definitions, { body }] = await Promise.all([
        get('/api/addin/variables'),
        get('/api/addin/user/variables'),
      ])
      const paths = definitionsIn(definitions).map(({ path }) => path)
      expect(Object.keys(body.values).sort()).toEqual(paths.sort())
      expect(body.values).toMatchObject({
        email: ALEX,
        picture_url: expect.stringMatching(PORTRAIT_URL),
        mobile_phone: '',
      })
    })

    it('appear in the signature, escaped', async () => {
      const data = { job_title: 'Chief <b>"Navigator"</b> & Co', mobile_phone: '+44 (0)7700 900 123' }
      const saved = await put(SAVE_PATH, { data, reset_fields: [] })
      expect(saved.status).toBe(200)
      expect(saved.body.data).toMatchObject(data)
      expect(saved.body.changed_fields).toEqual(['jobTitle'])
      const { signature } = (await get(`${CACHE_PATH}?combined_ids=standard-u-1`)).body
      expect(signature).toContain('Chief &lt;b&gt;&quot;Navigator&quot;&lt;/b&gt; &amp; Co')
      expect(signature).toContain('href="tel:+447700900123"')
    })

    it('never become a script address in a signature', async () => {
      await put(SAVE_PATH, { data: { website: 'javascript:alert(1)' }, reset_fields: [] })
      expect((await get(`${CACHE_PATH}?combined_ids=standard-u-1`)).body.signature).not.toContain(
        'href="javascript:',
      )
    })

    it('get the value of the directory when they are reset, even if a value is sent', async () => {
      const { body } = await put(SAVE_PATH, { data: { job_title: 'Something' }, reset_fields: ['job_title'] })
      expect(body.data['job_title']).toBe('Voyage Planning Manager')
      expect(body.changed_fields).toEqual([])
      expect((await get('/api/addin/user')).body.original_data).toEqual({})
    })

    it('may all be sent unchanged, including the locked ones', async () => {
      const { values } = (await get('/api/addin/user/variables')).body
      const { status, body } = await put(SAVE_PATH, { data: values, reset_fields: [] })
      expect(status).toBe(200)
      expect(body.data).toEqual(values)
    })

    it('are refused when one is locked, and none is saved', async () => {
      const { status, body } = await put(SAVE_PATH, {
        data: { department: 'Deck', company: 'Mine' },
        reset_fields: [],
      })
      expect([status, body.code]).toEqual([409, 'variable_is_locked'])
      expect((await get('/api/addin/user/variables')).body.values['department']).toBe('Operations')
    })

    it.each(['department', 'office', 'company', 'website'])(
      'are refused when %s cannot be reset',
      async (path) => {
        const bearer = path === 'company' ? await running.signIn(MARIA) : token
        const { status, body } = await put(SAVE_PATH, { data: {}, reset_fields: [path] }, bearer)
        expect([status, body.code]).toEqual([409, 'variable_resync_failed'])
      },
    )

    it('are refused when one is unknown', async () => {
      const { status, body } = await put(SAVE_PATH, { data: { shoe_size: '44' }, reset_fields: [] })
      expect([status, body.code]).toEqual([400, 'unknown_variable'])
    })

    it('are not saved with a default signature that does not exist', async () => {
      const data = { department: 'Deck', metadata: { defaultSignature: { master: '999-0' } } }
      expect((await put(SAVE_PATH, { data, reset_fields: [] })).status).toBe(404)
      expect((await get('/api/addin/user/variables')).body.values['department']).toBe('Operations')
    })

    it('keep the changes of many concurrent saves', async () => {
      const turns = Array.from({ length: 12 }, (_, turn) => turn)
      const saves = turns.map((turn) => ({
        [turn % 2 === 0 ? 'department' : 'office']: `Deck ${String(turn)}`,
      }))
      const answers = await Promise.all(saves.map((data) => put(SAVE_PATH, { data, reset_fields: [] })))
      expect(answers.map(({ status }) => status)).toEqual(turns.map(() => 200))
      const facts = await running.context.store.personFacts('u-1', 0)
      expect(facts.filter(({ meta }) => meta.source === 'u-1').slice(-12)).toHaveLength(12)
    })

    it('keep the changes of two concurrent saves', async () => {
      await Promise.all([
        put(SAVE_PATH, { data: { department: 'Deck' }, reset_fields: [] }),
        put(SAVE_PATH, { data: { office: 'Bridge' }, reset_fields: [] }),
      ])
      expect((await get('/api/addin/user/variables')).body.values).toMatchObject({
        department: 'Deck',
        office: 'Bridge',
      })
    })
  })

  describe('a user who names another', () => {
    const OF_ALEX = ['u-1', 'alex.kim', 'Kim', 'Voyage Planning', '+44 20 5550 0142', 'NW-1042']

    it.each([
      ['GET', '/api/addin/user?id=u-1&email=alex.kim@northwind.example', undefined],
      ['GET', '/api/addin/user/photo?user_id=u-1', undefined],
      ['GET', '/api/addin/user/variables?user_id=u-1', undefined],
      ['GET', '/api/addin/subscription?user_id=u-1', undefined],
      ['GET', '/api/addin/configs?user_id=u-1', undefined],
      ['GET', '/authentication/access-token?user_id=u-1', undefined],
      ['GET', `${CACHE_PATH}?combined_ids=standard-u-1&build_base64=true`, undefined],
      ['GET', `${CACHE_PATH}?user_id=u-1`, undefined],
      ['GET', `${LIST_PATH}?combined_ids=standard-u-1`, undefined],
      ['POST', BATCH_PATH, { user_ids: ['u-1'] }],
      ['POST', BATCH_PATH, { user_ids: ['alex.kim@northwind.example'] }],
      ['PUT', DEFAULT_PATH, { combined_ids: 'standard-u-1' }],
      [
        'PUT',
        SAVE_PATH,
        { data: { metadata: { defaultSignature: { master: 'standard-u-1' } } }, reset_fields: [] },
      ],
      ['PUT', SAVE_PATH, { data: { user_id: 'u-1' }, reset_fields: [] }],
    ] as const)('is told nothing of that other: %s %s %j', async (method, path, body) => {
      for (const email of [JONAS, MARIA, TESS]) {
        const { text } = await running.call(method, path, await running.signIn(email), body)
        const told = text.replaceAll('standard-u-1', '').replace(/"access_token":"[^"]*"/, '')
        expect(OF_ALEX.filter((secret) => told.includes(secret))).toEqual([])
      }
    })

    it('changes nothing of that other', async () => {
      const before = await running.context.store.person('u-1')
      const tess = await running.signIn(TESS)
      await put(`${SAVE_PATH}?user_id=u-1`, { data: { first_name: 'Tessa' }, reset_fields: [] }, tess)
      await put(`${PHOTO_PATH}?user_id=u-1`, { photo: pngOf(64) }, tess)
      await running.call('DELETE', `${PHOTO_PATH}?user_id=u-1`, tess)
      await put(`${DEFAULT_PATH}?user_id=u-1`, { combined_ids: 'two_badges-u-5' }, tess)
      expect(await running.context.store.person('u-1')).toEqual(before)
      expect((await running.context.store.person('u-5'))?.values['first_name']).toBe('Tessa')
    })
  })
})
