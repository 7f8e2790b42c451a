import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { PNG } from '../support/state.ts'
import { digits, kilobytes, quantile, table, times } from './figures.ts'
import { withSanitisingPage } from './sanitising.ts'
import type { Attacked, Way } from './sanitisingPage.ts'

/** Makes HTML of about this many characters. */
type Make = (characters: number) => string

const LOGO = 'https://images.northwind.example/logo.png'
const plain: Make = (characters) => '<p style="color:#0a5">Alex Kim</p>'.repeat(characters / 34)

const ATTACKS: readonly Readonly<{ title: string; way: Way; make: Make; pictureBytes?: number }>[] = [
  {
    title: 'formatting that a parser reopens in each paragraph',
    way: 'insert',
    make: (characters) => `<p><b title="${'y'.repeat(characters / 2)}"></p>${'<p>x'.repeat(characters / 8)}`,
  },
  {
    title: 'nested tables',
    way: 'insert',
    make: (characters) => '<table><td>'.repeat(characters / 11),
  },
  {
    title: 'a style sheet full of selectors',
    way: 'insert',
    make: (characters) => `<style>${'a,'.repeat(characters / 2)}a{color:red}</style>`,
  },
  {
    title: 'a 1 MB picture in every place of a preview',
    way: 'document',
    make: (characters) => `<img src="${LOGO}" alt="">`.repeat(characters / 65),
    pictureBytes: 1_000_000,
  },
]

const SIZES = [6_500, 13_000, 26_000]
const RUNS = 15

/** Measures how time and result grow with hostile input, in turns with plain markup of the same length. */
export function measureAttacks(browser: Browser, folder: string): Promise<string> {
  return withSanitisingPage(browser, join(folder, 'sanitising'), async (page) => {
    const rows: string[][] = []
    for (const { title, way, make, pictureBytes = 0 } of ATTACKS) {
      let before: number | null = null
      for (const size of SIZES) {
        const bytes = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(pictureBytes)])
        const images = [{ url: LOGO, name: 'logo.png', content: bytes.toString('base64'), status: 200 }]
        const htmls = [make(size), plain(size)]
        const measured: readonly Attacked[] = await page.evaluate(
          ([given, known, as, runs]) => window.measureAttacks(given, known, as, runs),
          [htmls, images, way, RUNS] as const,
        )
        const [attack, ordinary] = measured
        if (!attack || !ordinary) throw new Error('Nothing was measured')
        const [took, other] = [quantile(attack.ms, 0.5), quantile(ordinary.ms, 0.5)]
        rows.push([
          size === SIZES[0] ? title : '',
          size.toLocaleString('en-US'),
          digits(took),
          before === null ? '' : times(took / before),
          times(took / other),
          kilobytes(attack.characters),
        ])
        before = took
      }
    }
    return table(
      `Hostile input for the sanitiser (${String(RUNS)} calls each, in turns with plain markup of the same length)`,
      ['', 'characters', 'p50, ms', 'growth', 'vs. plain markup', 'result'],
      rows,
    )
  })
}
