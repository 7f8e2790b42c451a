import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useFolders } from '../folder/folders.ts'
import { runSignet } from './runningCommand.ts'

// `signet adopt` draws original and template as others read them, and as classic Outlook does, before it says that they
// look alike. A program in the place of Chromium keeps the pages that it is to draw.

const make = useFolders()

/** Draws a square for each frame: black, or red in the second frame of a page that shows `wrong`. */
const chromium = (kept: string, wrong: string) => `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs')
const { fileURLToPath } = require('node:url')
const { PNG } = require(${JSON.stringify(createRequire(import.meta.url).resolve('pngjs'))})
const words = process.argv.slice(2)
const of = (name) => words.find((word) => word.startsWith(name)).slice(name.length)
const [width, height] = of('--window-size=').split(',').map(Number)
const page = readFileSync(fileURLToPath(words.at(-1)), 'utf8').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
const shown = page.replace(/<!--.*?-->/gs, '')
appendFileSync(${JSON.stringify(kept)}, JSON.stringify(shown) + '\\n')
const png = new PNG({ width, height })
png.data.fill(255)
for (const left of [0, width / 2])
  for (let y = 0; y < 10; y++)
    for (let x = left; x < left + 10; x++) {
      const red = left > 0 && shown.includes(${JSON.stringify(wrong)}) ? 255 : 0
      png.data.set([red, 0, 0, 255], (y * width + x) * 4)
    }
writeFileSync(of('--screenshot='), PNG.sync.write(png))
`

/** What the command says of a signature, the pages that it drew, and the pictures that it wrote. */
async function adopted(html: string, wrong: string) {
  const from = await make({
    'Look.htm': html,
    'people.csv': 'email,givenName\nmaria@northwind.example,Maria\n',
  })
  const [program, kept] = [join(from, 'chromium'), join(from, 'pages')]
  await writeFile(program, chromium(kept, wrong))
  await chmod(program, 0o755)
  const into = join(from, 'signatures')
  const { out } = await runSignet(
    ['adopt', join(from, 'Look.htm'), '--people', join(from, 'people.csv'), '--into', into].concat([
      ...['--person', 'maria@northwind.example'],
    ]),
    { environment: { CHROMIUM_PATH: program } },
  )
  const lines = (await readFile(kept, 'utf8')).trim().split('\n')
  return {
    pages: lines.map((line) => JSON.parse(line) as string),
    pictures: (await readdir(into)).filter((name) => name.endsWith('.png')).sort(),
    said: out.split('\n').filter((line) => line.includes('original')),
  }
}

const FOR_WORD = '<p>Maria</p><!--[if mso]><b>for Word</b><![endif]-->'

it('says that both look alike only after both are drawn for classic Outlook, too [ADOPT-6]', async () => {
  const { pages, pictures, said } = await adopted(FOR_WORD, 'nothing')
  expect(said).toEqual([expect.stringMatching(/^The template looks as the original, of /)])
  expect(pictures).toEqual(['look.adopted-word.png', 'look.adopted.png'])
  expect(pages.map((page) => page.split('<b>for Word</b>').length - 1)).toEqual([0, 2])
})

it('does not say that both look alike when they differ in classic Outlook alone [ADOPT-6]', async () => {
  const { said } = await adopted(FOR_WORD, 'for Word')
  expect(said).toEqual([
    expect.stringMatching(
      /^In classic Outlook: The template differs from the original in 100 pixels, of .*look\.adopted-word\.png shows both, the original on the left\.$/,
    ),
  ])
})

it('draws no part for classic Outlook that the signature hides from it [ADOPT-6]', async () => {
  const { pages, said } = await adopted('<p>Maria</p><p style="mso-hide:all">for others</p>', 'for others')
  expect(pages.map((page) => page.split('for others').length - 1)).toEqual([2, 0])
  expect(said).toEqual([expect.stringMatching(/^The template differs from the original in 100 pixels, /)])
})

it('draws a signature once that classic Outlook reads as others do [ADOPT-6]', async () => {
  const { pages, pictures, said } = await adopted('<p>Maria</p>', 'nothing')
  expect(pages).toHaveLength(1)
  expect(pictures).toEqual(['look.adopted.png'])
  expect(said).toEqual([expect.stringMatching(/^The template looks as the original, of /)])
})
