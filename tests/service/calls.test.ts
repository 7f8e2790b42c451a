import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Organisation } from '../../src/service/repository.ts'
import {
  alex,
  claimsOf,
  jonas,
  maria,
  sales,
  start,
  tess,
  type Answered,
  type Running,
  type WireDefinition,
} from './running.ts'

let running: Running
let token: string
beforeEach(async () => {
  running = await start()
  token = await running.signIn(alex)
})
afterEach(() => running.stop())

const get = (path: string, bearer = token) => running.call('GET', path, bearer)
const put = (path: string, body: unknown, bearer = token) => running.call('PUT', path, bearer, body)
const cachePath = '/signatures-cache/api/v1/signature/addin'
const listPath = '/signatures-cache/api/v1/signatures'
const batchPath = '/signatures-cache/api/v1/signatures/get/batch'
const defaultPath = '/signatures-cache/api/v2/signature/default'
const savePath = '/api/addin/user/variables_with_options'
const photoPath = '/api/addin/user/photo'

const names = ({ body }: Answered) => body.objects.map(({ name }) => name)
const definitionsIn = ({ text }: Answered) => (JSON.parse(text) as { objects: WireDefinition[] }).objects
const stored = async () =>
  JSON.parse(await readFile(join(running.dataFolder, 'organisation.json'), 'utf8')) as Organisation
const pngOf = (size: number) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(size - 8)]).toString('base64')

describe('sign-in', () => {
  it('answers a bearer whose claims name the person and expire after an hour', () => {
    const claims = claimsOf(token)
    expect(claims).toMatchObject({ sub: 'u-1', email: alex })
    expect(claims.exp - claims.iat).toBe(3600)
  })

  it('answers a fresh bearer that is good for calls', async () => {
    const { status, body } = await get('/authentication/access-token')
    expect(status).toBe(200)
    expect(body.data['access_token']).not.toBe(token)
    expect((await get('/api/addin/user', body.data['access_token'])).body.id).toBe('u-1')
  })
})

describe('the person', () => {
  it('answers the profile with what differs from the directory', async () => {
    expect((await get('/api/addin/user')).body).toEqual({
      id: 'u-1',
      email: alex,
      is_admin: true,
      picture_url: `${running.url}/images/people/alex-kim.png`,
      auth_type: 'azure',
      language: 'en',
      client_name: 'Northwind Trading',
      computed_variables: { display_name: 'Alex Kim' },
      delegations: ['u-2', 'u-3'],
      metadata: { defaultSignature: { master: '12-0', reply: '12-0' } },
      changed_fields: ['jobTitle'],
      original_data: { jobTitle: 'Voyage Planning Manager' },
    })
  })

  it('takes what the add-in tells about itself and keeps the last of it', async () => {
    const info = {
      package: '0.1.0',
      context: [{ platform: 'web' }],
      settings: {},
      beta: false,
      navigator: {},
    }
    expect((await put('/api/addin/user/addin-info', info)).status).toBe(204)
    expect((await stored()).people[0]?.addinInfo?.info).toEqual(info)
  })

  it('answers the plan, also one that the add-in does not know', async () => {
    expect((await get('/api/addin/subscription')).body).toEqual({ plan_id: 'full' })
    const other = await running.signIn(jonas)
    expect((await get('/api/addin/subscription', other)).body).toEqual({ plan_id: 'harbour-edition' })
  })

  it('answers whether the person may choose a default', async () => {
    expect((await get('/api/addin/configs')).body).toEqual({
      config: { addin: { signature_by_default: true } },
    })
    const other = await running.signIn(jonas)
    expect((await get('/api/addin/configs', other)).body.config.addin.signature_by_default).toBe(false)
  })

  it('answers no maintenance at first', async () => {
    expect((await get('/api/addin/maintenance')).body).toEqual({ data: { status: null } })
  })
})

describe('the picture', () => {
  it('is served under a new address after a change, and the former one is gone after the next', async () => {
    const before = (await get(photoPath)).body.data['url']
    const first = await put(photoPath, { photo: pngOf(64) })
    expect(first.status).toBe(200)
    const url = String(first.body.data['url'])
    expect(url).not.toBe(before)
    const served = await fetch(url)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(pngOf(64))
    expect((await get('/api/addin/user')).body.picture_url).toBe(url)

    await put(photoPath, { photo: pngOf(65) })
    expect((await fetch(url)).status).toBe(404)
  })

  it('is in the signature that shows it, and leaves it when it is deleted', async () => {
    const url = String((await put(photoPath, { photo: pngOf(64) })).body.data['url'])
    expect((await get(`${cachePath}?combined_ids=12-0`)).body.signature).toContain(url)
    expect((await running.call('DELETE', photoPath, token)).status).toBe(204)
    expect((await get(photoPath)).body).toEqual({ data: { url: null } })
    expect((await get(`${cachePath}?combined_ids=12-0`)).body.signature).not.toContain('width="96"')
  })

  it.each([
    ['nothing', ''],
    ['what is not base64', 'data:image/png;base64,AAAA'],
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['more than 1 MB', pngOf(1024 * 1024 + 1)],
  ])('is refused when it is %s', async (_, photo) => {
    const { status, body } = await put(photoPath, { photo })
    expect([status, body.code]).toEqual([422, 'photo_invalid'])
  })

  it.each([
    ['ffd8ffe000104a464946', 'image/jpeg'],
    ['474946383961', 'image/gif'],
    ['524946460000000057454250', 'image/webp'],
  ])('is taken when it begins with %s', async (hex, mediaType) => {
    const { body } = await put(photoPath, { photo: Buffer.from(hex, 'hex').toString('base64') })
    expect((await fetch(String(body.data['url']))).headers.get('content-type')).toBe(mediaType)
  })
})

describe('the signature cache', () => {
  it('answers the default with its reply version and the pictures of both', async () => {
    const { body } = await get(`${cachePath}?build_base64=true`)
    expect(body).toMatchObject({ name: 'With portrait', user_id: 'u-1', combined_ids: '12-0' })
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

  it('answers a named signature, null for a reply version that it does not have, and no pictures unasked', async () => {
    const { body } = await get(`${cachePath}?combined_ids=15-0`)
    expect(body).toMatchObject({ name: 'We are hiring', reply: null, base64_embedded_images: [] })
  })

  it('answers an empty signature to somebody without a default', async () => {
    const { status, body } = await get(`${cachePath}?build_base64=true`, await running.signIn(jonas))
    expect(status).toBe(200)
    expect(body).toMatchObject({ user_id: 'u-4', signature: '', reply: null, base64_embedded_images: [] })
  })

  it("answers the admin's choice to somebody who made none", async () => {
    expect((await get(cachePath, await running.signIn(maria))).body.combined_ids).toBe('28-0')
  })

  it('answers a delegated signature with its owner, and 404 for that of a stranger', async () => {
    expect((await get(`${cachePath}?combined_ids=28-0`)).body.user_id).toBe('u-3')
    const { status, body } = await get(`${cachePath}?combined_ids=34-0`)
    expect([status, body.code]).toEqual([404, 'not_found'])
    expect((await get(`${cachePath}?combined_ids=999-0`)).status).toBe(404)
  })

  it('says 404 and no content of a picture that is not there', async () => {
    const { body } = await get(`${cachePath}?build_base64=true&combined_ids=39-0`, await running.signIn(tess))
    expect(body.base64_embedded_images).toMatchObject([{ name: 'spring.png', status: 404, content: '' }])
  })

  it('tells two pictures with the same last segment apart', async () => {
    const { body } = await get(`${cachePath}?build_base64=true&combined_ids=38-0`, await running.signIn(tess))
    const [one, other] = body.base64_embedded_images
    expect([one?.name, other?.name]).toEqual(['badge.png', 'badge.png'])
    expect(one?.url).not.toBe(other?.url)
    expect(one?.content).not.toBe(other?.content)
  })
})

describe('the lists', () => {
  it('are paged: fourteen signatures over three pages, each once', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get(`${listPath}?page=${page}&per_page=5`)))
    expect(pages.map(({ body }) => [body.objects.length, body.total, body.page])).toEqual([
      [5, 14, 1],
      [5, 14, 2],
      [4, 14, 3],
      [0, 14, 4],
    ])
    expect(new Set(pages.flatMap(names)).size).toBe(14)
  })

  it('hold variants, audiences, order and collection, and no e-mail of the person asking', async () => {
    const { body } = await get(`${listPath}?per_page=50`)
    const [first] = body.objects
    expect(first).toMatchObject({ name: 'Northwind standard', combined_ids: '11-0', order: 0, audiences: [] })
    expect(first?.variants).toMatchObject([{ code: 'reply' }])
    expect(first).not.toHaveProperty('email')
    expect(body.objects.filter((object) => object.audiences.length > 0)).toHaveLength(2)
    expect(new Set(body.objects.map((object) => object.collection)).size).toBeGreaterThan(3)
  })

  it('carry pictures only when they are asked for', async () => {
    const [without, withPictures] = await Promise.all([
      get(`${listPath}?build_base64=false`),
      get(`${listPath}?build_base64=true`),
    ])
    expect(without.body.objects[0]?.base64_embedded_images).toEqual([])
    expect(withPictures.body.objects[0]?.base64_embedded_images[0]).toMatchObject({
      name: 'logo.png',
      status: 200,
    })
    expect(withPictures.body.objects[0]?.base64_embedded_images[0]?.url).toMatch(/logo\.png\?v=2$/)
  })

  it('can be asked for one signature', async () => {
    expect(names(await get(`${listPath}?combined_ids=13-0`))).toEqual(['Short'])
    expect((await get(`${listPath}?combined_ids=28-0`)).body).toEqual({ objects: [], total: 0, page: 1 })
  })

  it('answer what delegating people own, with their e-mail addresses, in pages', async () => {
    const batch = (page: number) =>
      running.call('POST', `${batchPath}?page=${page}&per_page=5`, token, { user_ids: ['u-2', 'u-3'] })
    const [first, second] = await Promise.all([batch(1), batch(2)])
    expect([first.body.total, first.body.objects.length, second.body.objects.length]).toEqual([9, 5, 4])
    expect(first.body.objects.map(({ email }) => email)).toEqual([
      ...Array.from({ length: 3 }, () => sales),
      ...Array.from({ length: 2 }, () => maria),
    ])
    expect(second.body.objects[0]?.signature).toContain('Maria Silva')
  })

  it('refuse people who did not delegate', async () => {
    const { status, body } = await running.call('POST', batchPath, token, { user_ids: ['u-2', 'u-5'] })
    expect([status, body.code]).toEqual([403, 'not_delegated'])
  })

  it('hold the hard cases of Tess Edge', async () => {
    const { body } = await get(`${listPath}?per_page=50&build_base64=true`, await running.signIn(tess))
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
  it('is what the person sets', async () => {
    expect((await put(defaultPath, { combined_ids: '14-0' })).status).toBe(204)
    expect((await get(cachePath)).body.combined_ids).toBe('14-0')
    expect((await get('/api/addin/user')).body.metadata.defaultSignature).toEqual({ master: '14-0' })
  })

  it('keeps the reply version that was chosen with it', async () => {
    const metadata = { defaultSignature: { master: '14-0', reply: '13-0' } }
    await put(savePath, { data: { metadata }, reset_fields: [] })
    await put(defaultPath, { combined_ids: '14-0' })
    const { body } = await get(cachePath)
    expect((await get('/api/addin/user')).body.metadata).toEqual(metadata)
    expect(body.reply).toBe((await get(`${cachePath}?combined_ids=13-0`)).body.signature)
  })

  it('cannot be one that the person does not see', async () => {
    const { status, body } = await put(defaultPath, { combined_ids: '34-0' })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  it('cannot be set where the organisation does not let people choose, through either call', async () => {
    const bearer = await running.signIn(jonas)
    const before = await stored()
    const people = before.people.map((person) =>
      person.email === jonas ? { ...person, delegations: ['u-2'] } : person,
    )
    await writeFile(join(running.dataFolder, 'organisation.json'), JSON.stringify({ ...before, people }))
    await running.restart()
    const direct = await put(defaultPath, { combined_ids: '25-0' }, bearer)
    const aside = { data: { metadata: { defaultSignature: { master: '25-0' } } }, reset_fields: [] }
    const indirect = await put(savePath, aside, bearer)
    expect([direct.status, direct.body.code]).toEqual([409, 'default_not_allowed'])
    expect([indirect.status, indirect.body.code]).toEqual([409, 'default_not_allowed'])
  })
})

describe('variables', () => {
  it('are defined in every group, hidden, locked and resettable', async () => {
    const definitions = definitionsIn(await get('/api/addin/variables'))
    const types = new Set(definitions.map(({ metas }) => metas.custom_type))
    expect(types).toEqual(new Set([null, 'mapped', 'rest', 'personal', 'campaign']))
    for (const flag of ['hidden', 'non_editable', 'resettable'] as const) {
      expect(new Set(definitions.map(({ metas }) => metas[flag]))).toEqual(new Set([true, false]))
    }
    expect(definitions.find(({ path }) => path === 'job_title')?.lookups).toEqual({ azure: 'jobTitle' })
  })

  it('have a value each, with the picture, the e-mail address and an empty one', async () => {
    const [definitions, { body }] = await Promise.all([
      get('/api/addin/variables'),
      get('/api/addin/user/variables'),
    ])
    const paths = definitionsIn(definitions).map(({ path }) => path)
    expect(Object.keys(body.values).sort()).toEqual(paths.sort())
    expect(body.values).toMatchObject({
      email: alex,
      picture_url: `${running.url}/images/people/alex-kim.png`,
      mobile_phone: '',
    })
  })

  it('change the rendered signature, escaped', async () => {
    const data = { job_title: 'Chief <b>"Navigator"</b> & Co', mobile_phone: '+44 (0)7700 900 123' }
    const saved = await put(savePath, { data, reset_fields: [] })
    expect(saved.status).toBe(200)
    expect(saved.body.data).toMatchObject(data)
    expect(saved.body.changed_fields).toEqual(['jobTitle', 'mobile'])
    const { signature } = (await get(`${cachePath}?combined_ids=11-0`)).body
    expect(signature).toContain('Chief &lt;b&gt;&quot;Navigator&quot;&lt;/b&gt; &amp; Co')
    expect(signature).toContain('href="tel:+4407700900123"')
  })

  it('never become a script address', async () => {
    await put(savePath, { data: { website: 'javascript:alert(1)' }, reset_fields: [] })
    expect((await get(`${cachePath}?combined_ids=11-0`)).body.signature).not.toContain('href="javascript:')
  })

  it('come back from the directory when they are reset, whatever value came along', async () => {
    const { body } = await put(savePath, { data: { job_title: 'Something' }, reset_fields: ['job_title'] })
    expect(body.data['job_title']).toBe('Voyage Planning Manager')
    expect(body.changed_fields).toEqual([])
    expect((await get('/api/addin/user')).body.original_data).toEqual({})
  })

  it('may all be sent along unchanged, also the locked ones', async () => {
    const { values } = (await get('/api/addin/user/variables')).body
    const { status, body } = await put(savePath, { data: values, reset_fields: [] })
    expect(status).toBe(200)
    expect(body.data).toEqual(values)
  })

  it('are refused when locked, and nothing of the save is done', async () => {
    const { status, body } = await put(savePath, {
      data: { department: 'Deck', company: 'Mine' },
      reset_fields: [],
    })
    expect([status, body.code]).toEqual([409, 'variable_is_locked'])
    expect((await get('/api/addin/user/variables')).body.values['department']).toBe('Operations')
  })

  it.each(['department', 'office', 'company', 'website'])(
    'are refused when %s is to be synchronised but cannot be',
    async (path) => {
      const bearer = path === 'company' ? await running.signIn(maria) : token
      const { status, body } = await put(savePath, { data: {}, reset_fields: [path] }, bearer)
      expect([status, body.code]).toEqual([409, 'variable_resync_failed'])
    },
  )

  it('are refused when there is no such variable', async () => {
    const { status, body } = await put(savePath, { data: { shoe_size: '44' }, reset_fields: [] })
    expect([status, body.code]).toEqual([400, 'unknown_variable'])
  })

  it('refuse a default signature that does not exist, and keep the values', async () => {
    const data = { department: 'Deck', metadata: { defaultSignature: { master: '999-0' } } }
    expect((await put(savePath, { data, reset_fields: [] })).status).toBe(404)
    expect((await get('/api/addin/user/variables')).body.values['department']).toBe('Operations')
  })

  it('keep what two saves at the same time changed', async () => {
    await Promise.all([
      put(savePath, { data: { department: 'Deck' }, reset_fields: [] }),
      put(savePath, { data: { office: 'Bridge' }, reset_fields: [] }),
    ])
    expect((await get('/api/addin/user/variables')).body.values).toMatchObject({
      department: 'Deck',
      office: 'Bridge',
    })
  })
})
