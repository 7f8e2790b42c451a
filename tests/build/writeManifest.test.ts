import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { restoreWellKnown, USAGE, writeManifest } from '../../src/build/writeManifest.ts'

const ORIGIN = 'https://signet.example.com'
const CLIENT_ID = '00000000-1111-2222-3333-444444444444'
const WELL_KNOWN = 'www/.well-known/microsoft-officeaddins-allowed.json'
let folder: string
let out: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-manifest-'))
  out = join(folder, 'manifest.xml')
})
afterEach(() => rm(folder, { recursive: true }))

const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  writeManifest([...args, '--out', out], environment)
const manifest = () => readFile(out, 'utf8')

describe('npm run manifest', () => {
  test('answers with its usage only when it is asked for it, or given nothing', async () => {
    expect(await writeManifest([], {})).toBe(USAGE)
    expect(await run(['--help'])).toBe(USAGE)
    expect(await readdir(folder)).toEqual([])
  })

  test('names the well-known file of a manifest, and writes it beside this into the served files', async () => {
    const text = await run(['--origin', ORIGIN])
    expect(await readdir(folder)).toEqual(['manifest.xml', 'www'])
    expect(JSON.parse(await readFile(join(folder, WELL_KNOWN), 'utf8'))).toEqual({
      allowed: [`${ORIGIN}/launch.js`],
    })
    expect(text).toContain(WELL_KNOWN)
  })

  test.each([
    ['--client-id', CLIENT_ID, `<Id>${CLIENT_ID}</Id>`],
    ['--support', 'https://help.example/?a&b', '<SupportUrl DefaultValue="https://help.example/?a&amp;b" />'],
    ['--version', '1.2.3.4', '<Version>1.2.3.4</Version>'],
    ['--id', CLIENT_ID, `<Id>${CLIENT_ID}</Id>`],
    ['--name', 'Signet <pilot>', '<DisplayName DefaultValue="Signet &lt;pilot&gt;" />'],
  ])('puts %s into the manifest', async (argument, value, written) => {
    await run(['--origin', ORIGIN])
    expect(await manifest()).not.toContain(written)
    await run(['--origin', ORIGIN, argument, value])
    expect(await manifest()).toContain(written)
  })

  test('[MEET-7] writes an event of sending only with --guard', async () => {
    await run(['--origin', ORIGIN])
    expect(await manifest()).not.toContain('OnMessageSend')
    await run(['--origin', ORIGIN, '--guard'])
    expect(await manifest()).toContain(
      'Type="OnMessageSend" FunctionName="onMessageSend" SendMode="PromptUser"',
    )
  })

  test('takes the help page from SIGNET_SUPPORT_URL, unless --support names another', async () => {
    const environment = { SIGNET_SUPPORT_URL: 'https://help.example.com/signet' }
    await run(['--origin', ORIGIN], environment)
    expect(await manifest()).toContain('<SupportUrl DefaultValue="https://help.example.com/signet" />')
    await run(['--origin', ORIGIN, '--support', 'https://other.example.com/'], environment)
    expect(await manifest()).toContain('<SupportUrl DefaultValue="https://other.example.com/" />')
    await run(['--origin', ORIGIN], { SIGNET_SUPPORT_URL: '' })
    expect(await manifest()).toContain(`<SupportUrl DefaultValue="${ORIGIN}/index.html#/help" />`)
  })

  test('takes the app registration from SIGNET_CLIENT_ID, unless --client-id names another', async () => {
    const environment = { SIGNET_CLIENT_ID: CLIENT_ID }
    expect(await run(['--origin', ORIGIN], environment)).not.toContain('playground')
    expect(await manifest()).toContain(`/${CLIENT_ID}</Resource>`)
    const other = CLIENT_ID.replaceAll('0', '9')
    await run(['--origin', ORIGIN, '--client-id', other], environment)
    expect(await manifest()).toContain(`/${other}</Resource>`)
    expect(await run(['--origin', ORIGIN], { SIGNET_CLIENT_ID: '' })).toContain(
      "the playground's app registration",
    )
  })

  test.each([
    ['--origin is missing', ['--id', CLIENT_ID]],
    ['--origin: "http://a.example" does not begin with https://', ['--origin', 'http://a.example']],
    ['--version: "1" is not a version', ['--origin', ORIGIN, '--version', '1']],
    ["Unknown option '--sideload'", ['--origin', ORIGIN, '--sideload']],
    ["Unexpected argument 'signet.example.com'", ['signet.example.com']],
    ["'--name <value>' argument missing", ['--origin', ORIGIN, '--name']],
  ])('says %s, and writes nothing', async (message, args) => {
    const failure = await writeManifest(['--out', out, ...args], {}).catch((error: unknown) => error)
    expect(String(failure)).toContain(message)
    expect(String(failure)).not.toContain(USAGE.split('\n')[1])
    expect(await readdir(folder)).toEqual([])
  })

  test('names an --out that cannot be written, and leaves the served files alone', async () => {
    await writeFile(join(folder, 'file'), '')
    out = join(folder, 'file', 'manifest.xml')
    await expect(run(['--origin', ORIGIN])).rejects.toThrow(`--out: ${JSON.stringify(out)} cannot be written`)
    expect(await readdir(folder)).toEqual(['file'])
  })
})

describe('the well-known file after a build, which empties the served files', () => {
  test('[AUTO-20] is that of the manifest again', async () => {
    await run(['--origin', ORIGIN])
    const before = await readFile(join(folder, WELL_KNOWN), 'utf8')
    await rm(join(folder, 'www'), { recursive: true })
    await restoreWellKnown(folder)
    expect(await readFile(join(folder, WELL_KNOWN), 'utf8')).toBe(before)
  })

  test('is missing before the first manifest, and beside one from before launch events', async () => {
    await restoreWellKnown(folder)
    expect(await readdir(folder)).toEqual([])
    await writeFile(out, '<OfficeApp />')
    await restoreWellKnown(folder)
    expect(await readdir(folder)).toEqual(['manifest.xml'])
  })
})
