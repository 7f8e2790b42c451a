import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PNG } from 'pngjs'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compareDrawnSignatures,
  compareHalves,
  findChromium,
  SCREENSHOT_SIZE,
  comparisonPage,
} from '../../src/cli/drawnPictures.ts'
import { programArguments } from '../../src/programs/programArguments.ts'
import { adoptedAndRendered } from '../support/adopting.ts'
import { realSignatures } from '../support/realSignatures.ts'
import { useBrowser } from './pane.ts'

// An adopted signature, rendered for its person, is compared with the original in pixels.

/** More is below few signatures, and takes longer. */
const SHOWN = { x: 0, y: 0, width: SCREENSHOT_SIZE.width, height: 700 }

const { tab } = useBrowser()
let folder: string
let program: string
beforeAll(async () => {
  program = (await findChromium(process.env)) ?? chromium.executablePath()
  folder = await mkdtemp(join(tmpdir(), 'signet-adopted-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('looks as before, of at least 95 % of the signatures that people have [ADOPT-6]', async () => {
  const page = await tab({ viewport: SCREENSHOT_SIZE })
  // Of those of the demonstration a third, which takes less time; npm run bench -- adopt draws all.
  const signatures = (await realSignatures()).filter(
    ({ kind }, index) => !kind.startsWith('demonstration') || index % 3 === 0,
  )
  const different: string[] = []
  for (const signature of signatures) {
    const { original, template } = await adoptedAndRendered(signature)
    await page.setContent(comparisonPage(original, template))
    const { differing, pixels } = compareHalves(await page.screenshot({ clip: SHOWN }))
    expect(pixels, signature.kind).toBeGreaterThan(0)
    if (differing > 0) different.push(`${signature.kind}: ${String(differing)}`)
  }
  expect(signatures.length).toBeGreaterThan(40)
  expect(different.length, different.join('\n')).toBeLessThanOrEqual(signatures.length * 0.05)
})

describe('a Chromium of the machine', () => {
  it('draws both side by side, and a difference is told in pixels [ADOPT-6]', async () => {
    const square = (colour: string) => `<div style="width:10px;height:10px;background:${colour}"></div>`
    const { png, pixels, differing } = await compareDrawnSignatures(program, square('red'), square('blue'))
    expect(differing).toBe(100)
    const { width, height, data } = PNG.sync.read(png)
    expect({ width, pixels }).toEqual({
      width: SCREENSHOT_SIZE.width,
      pixels: (SCREENSHOT_SIZE.width / 2) * height,
    })
    const colourAt = (x: number, y: number) => [
      ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
    ]
    expect([colourAt(10, 10), colourAt(SCREENSHOT_SIZE.width / 2 + 10, 10)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
  })

  it('runs nothing of the signature, and asks no server [ADOPT-2]', async () => {
    const quiet = '<p>Maria</p>'
    const loud = `${quiet}<script>document.body.style.background='red'</script><img src=x onerror="document.body.style.background='red'" hidden><meta http-equiv="refresh" content="0;url=data:text/html,x"><style>@import "https://a.invalid/x.css"</style>`
    expect((await compareDrawnSignatures(program, loud, quiet)).differing).toBe(0)
  })

  it('compares for signet adopt, which leaves a picture that is there [ADOPT-6] [ADOPT-7]', async () => {
    await writeFile(join(folder, 'maria.html'), '<p style="color:#336699">Maria</p>')
    await writeFile(join(folder, 'people.csv'), 'email,givenName\nmaria@northwind.example,Maria\n')
    const adopt = (...more: readonly string[]) =>
      promisify(execFile)(
        process.execPath,
        programArguments(
          'src/cli/main.ts',
          ...['adopt', 'maria.html', '--person', 'maria@northwind.example', '--people', 'people.csv'],
          ...['--into', 'signatures', ...more],
        ),
        { cwd: folder, env: { ...process.env, CHROMIUM_PATH: program } },
      )
    expect((await adopt()).stdout).toMatch(
      /\nThe template looks as the original, of [\d,]+ pixels: signatures\/signature\.adopted\.png shows both, the original on the left\.\n/,
    )
    expect(PNG.sync.read(await readFile(join(folder, 'signatures', 'signature.adopted.png'))).width).toBe(
      SCREENSHOT_SIZE.width,
    )
    await writeFile(join(folder, 'signatures', 'signature.adopted.png'), 'mine')
    for (const path of ['signet.yaml', 'templates'])
      await rm(join(folder, 'signatures', path), { recursive: true })
    expect((await adopt()).stdout).toContain(
      '; signatures/signature.adopted.png is there already, and was not replaced.\n',
    )
    expect(await readFile(join(folder, 'signatures', 'signature.adopted.png'), 'utf8')).toBe('mine')
  })
})
