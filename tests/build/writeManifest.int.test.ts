import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readDeployed } from '../../src/build/deployedManifest.ts'
import { programArguments } from '../../src/programs/programArguments.ts'
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
      allowed: [`${ORIGIN}/launch.js`, `${ORIGIN}/launch-guard.js`],
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

const POLICIES = ['--privacy', 'https://www.example.com/privacy', '--terms', 'https://www.example.com/terms']
const unified = (args: readonly string[] = POLICIES, environment: Readonly<Record<string, string>> = {}) => {
  out = join(folder, 'manifest.zip')
  return run(['--origin', ORIGIN, '--unified', ...args], environment)
}

describe('npm run manifest -- --unified', () => {
  test('[MEET-8] writes a package with its pictures, and the same well-known file beside it', async () => {
    await run(['--origin', ORIGIN, '--guard'])
    const ofXml = await readFile(join(folder, WELL_KNOWN), 'utf8')
    await rm(folder, { recursive: true })
    const text = await unified([...POLICIES, '--guard', '--id', CLIENT_ID, '--version', '1.2.0.0'])
    expect(await readdir(folder)).toEqual(['manifest.zip', 'www'])
    expect(await readFile(join(folder, WELL_KNOWN), 'utf8')).toBe(ofXml)
    expect(text).toContain('manifest.zip')
    const bytes = await readFile(out)
    expect(readDeployed(bytes)).toMatchObject({
      format: 'unified',
      id: CLIENT_ID,
      version: '1.2.0',
      privacy: 'https://www.example.com/privacy',
      terms: 'https://www.example.com/terms',
    })
    expect(readDeployed(bytes).events.map(({ type }) => type)).toContain('OnMessageSend')
    const unpacked = unzipSync(bytes)
    for (const picture of ['color.png', 'outline.png']) {
      const file = join(import.meta.dirname, '../../src/build/packageIcons', picture)
      expect(Buffer.from(unpacked[picture] ?? []).equals(await readFile(file))).toBe(true)
    }
  })

  test('needs both addresses, names each that is missing, and takes them from the environment', async () => {
    await expect(unified([])).rejects.toThrow(
      /^--privacy \(SIGNET_PRIVACY_URL\) is missing: .*\n--terms \(SIGNET_TERMS_URL\) is missing: .*\nMicrosoft requires both/,
    )
    await expect(unified(POLICIES.slice(0, 2))).rejects.toThrow(/^--terms/)
    await expect(unified(POLICIES.slice(2))).rejects.toThrow(/^--privacy.*\nMicrosoft/)
    expect(await readdir(folder)).toEqual([])
    const environment = {
      SIGNET_PRIVACY_URL: 'https://a.example/privacy',
      SIGNET_TERMS_URL: 'https://a.example/terms',
    }
    await unified([], environment)
    expect(readDeployed(await readFile(out))).toMatchObject({
      privacy: 'https://a.example/privacy',
      terms: 'https://a.example/terms',
    })
    await unified(POLICIES, environment)
    expect(readDeployed(await readFile(out))).toMatchObject({
      privacy: 'https://www.example.com/privacy',
      terms: 'https://www.example.com/terms',
    })
  })

  test.each([
    ['--name: "SSS', ['--name', 'S'.repeat(31)]],
    ['--version: "1.2.3.4" does not end with .0', ['--version', '1.2.3.4']],
    [
      '--privacy (SIGNET_PRIVACY_URL): "http://a.example" does not begin with',
      ['--privacy', 'http://a.example'],
    ],
    ['--terms (SIGNET_TERMS_URL): "a" is not an address', ['--terms', 'a']],
    // This is a name for XML, and the schema for languages does not allow it.
    ["Microsoft's schema does not allow the unified manifest:\nde-at.json/name.short", ['--name', 'null']],
    [
      "Microsoft's schema does not allow the unified manifest:\nmanifest.json/developer",
      ['--terms', `https://a.example/${'t'.repeat(2_048)}`],
    ],
  ])('says %s, and writes nothing', async (message, args) => {
    await expect(unified([...POLICIES, ...args])).rejects.toThrow(message)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('npm run manifest -- --compare', () => {
  const compare = (args: readonly string[], file = 'deployed.xml') =>
    writeManifest(['--origin', ORIGIN, '--compare', join(folder, file), ...args], {})
  beforeEach(async () => {
    out = join(folder, 'deployed.xml')
    await run(['--origin', ORIGIN, '--version', '1.1.0.0'])
    await rm(join(folder, 'www'), { recursive: true })
  })
  afterEach(async () => {
    // It writes nothing.
    expect((await readdir(folder)).filter((name) => !name.startsWith('deployed.'))).toEqual([])
  })

  test('[MEET-9] says who has to consent again, and what differs', async () => {
    const text = await compare(['--version', '1.2.0.0', '--guard'])
    expect(text).toContain('The event OnMessageSend on computers is new')
    expect(text).toContain('An administrator has to consent again')
    expect(await compare(['--version', '1.2.0.0'])).toContain('no administrator has to consent again')
    expect(await compare(['--version', '1.1.0.0'])).toContain('Nothing differs.')
  })

  test('[MEET-9] compares the unified manifest with a package', async () => {
    out = join(folder, 'deployed.zip')
    await run(['--origin', ORIGIN, '--unified', ...POLICIES, '--version', '1.1.0.0'])
    await rm(join(folder, 'www'), { recursive: true })
    const ofPackage = (args: readonly string[]) =>
      compare(['--unified', ...POLICIES, ...args], 'deployed.zip')
    expect(await ofPackage(['--version', '1.1.0.0'])).toContain('Nothing differs.')
    expect(await ofPackage(['--version', '1.2.0.0', '--terms', 'https://a.example/'])).toContain(
      'The address of the terms of use changes',
    )
    await expect(ofPackage(['--version', '1.1.0.0', '--guard'])).rejects.toThrow('The version is not higher')
  })

  test('[MEET-9] refuses a version that is not higher, with the code 2, and says what differs all the same', async () => {
    const command = programArguments(
      'src/build/manifestCommand.ts',
      ...['--origin', ORIGIN, '--version', '1.1.0.0', '--guard', '--compare', join(folder, 'deployed.xml')],
    )
    const failure = await promisify(execFile)(process.execPath, command).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /OnMessageSend on computers is new[^]*The version is not higher.*: use --version 1\.1\.1\.0/,
      ) as string,
    })
  })

  test.each([
    ['is missing', null, 'cannot be read (ENOENT'],
    ['is broken', '<OfficeApp>', 'is not well-formed XML.'],
  ])('names a file that %s', async (_, content, reason) => {
    const file = join(folder, 'deployed.other')
    if (content !== null) await writeFile(file, content)
    await expect(compare([], 'deployed.other')).rejects.toThrow(
      `--compare: ${JSON.stringify(file)} ${reason}`,
    )
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

  test('[AUTO-20] is that of the package, where there is no XML manifest', async () => {
    await unified()
    const before = await readFile(join(folder, WELL_KNOWN), 'utf8')
    await rm(join(folder, 'www'), { recursive: true })
    await restoreWellKnown(folder)
    expect(await readFile(join(folder, WELL_KNOWN), 'utf8')).toBe(before)
    out = join(folder, 'manifest.xml')
    await run(['--origin', 'https://other.example.com'])
    await restoreWellKnown(folder)
    expect(await readFile(join(folder, WELL_KNOWN), 'utf8')).toContain('https://other.example.com/launch.js')
  })

  test('names a package that is broken', async () => {
    await writeFile(join(folder, 'manifest.zip'), 'PK')
    await expect(restoreWellKnown(folder)).rejects.toThrow('manifest.zip is a package (ZIP) that cannot')
  })

  test('is missing before the first manifest, and beside one from before launch events', async () => {
    await restoreWellKnown(folder)
    expect(await readdir(folder)).toEqual([])
    await writeFile(out, '<OfficeApp />')
    await restoreWellKnown(folder)
    expect(await readdir(folder)).toEqual(['manifest.xml'])
  })
})
