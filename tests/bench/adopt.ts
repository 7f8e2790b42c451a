// Measures how many real signatures look the same after adopting, and the cost of reading large and hostile files.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compareDrawnSignatures, findChromium } from '../../src/cli/drawnPictures.ts'
import { programArguments } from '../../src/programs/programArguments.ts'
import { adoptedAndRendered } from '../support/adopting.ts'
import { circle, outlookItem } from '../support/outlookItems.ts'
import { realSignatures } from '../support/realSignatures.ts'
import { wordFile } from '../support/wordFile.ts'
import { digits, table } from './figures.ts'

const RUNS = 3

async function measureLooks(note: (line: string) => void): Promise<string> {
  const chromium = await findChromium(process.env)
  if (chromium === null)
    return 'The look of adopted signatures was not measured, because there is no Chromium.\n'
  const groups = new Map<string, { all: number; same: number; pixels: number }>()
  for (const signature of await realSignatures()) {
    const [group = ''] = signature.kind.split(':')
    const counted = groups.get(group) ?? { all: 0, same: 0, pixels: 0 }
    groups.set(group, counted)
    const { original, template } = await adoptedAndRendered(signature)
    const { differing } = await compareDrawnSignatures(chromium, original, template)
    counted.all++
    if (differing === 0) counted.same++
    else note(`${signature.kind}: ${String(differing)} visibly different pixels`)
    counted.pixels += differing
  }
  const total = [...groups.values()].reduce((sum, { all, same, pixels }) => ({
    all: sum.all + all,
    same: sum.same + same,
    pixels: sum.pixels + pixels,
  }))
  return table(
    'Adopted signatures, rendered for their person and compared with the original in Chromium',
    ['', 'signatures', 'look the same', 'visibly different pixels'],
    [...groups, ['all', total] as const].map(([group, { all, same, pixels }]) => [
      ...[group, String(all), `${String(same)} (${((100 * same) / all).toFixed(0)} %)`, digits(pixels)],
    ]),
  )
}

type Cost = Readonly<{ end: string; cpu: number; memory: number }>

async function costOf(folder: string, name: string, bytes: Uint8Array): Promise<Cost> {
  const file = join(folder, name)
  await writeFile(file, bytes)
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, programArguments('tests/bench/adoptOnce.ts', file))
  return JSON.parse(stdout) as Cost
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const mail = (html: string) =>
  utf8(`From: a@b.example\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`)

export async function measureAdopt(note: (line: string) => void): Promise<string> {
  note('Comparing adopted signatures …')
  const looks = await measureLooks(note)
  note('Reading files …')
  const { html } = wordFile(620)
  const thread = `<p>Hello</p><div id="Signature"><b>Maria</b></div><div id="appendonsend"></div>${'<p>An older mail.</p>'.repeat(50_000)}`
  const files: readonly (readonly [what: string, name: string, bytes: Uint8Array])[] = [
    ['a one-line signature', 'a.html', utf8('<p>Maria</p>')],
    ['a Word file', 'word.htm', utf8(html)],
    ['the same file, ten times as long', 'words.htm', utf8(html.repeat(10).slice(0, 2_900_000))],
    ['a mail with a long thread', 'mail.eml', mail(thread)],
    ['the same mail as an Outlook item', 'mail.msg', outlookItem({ html: utf8(thread), codePage: 65001 })],
    ['an endless Outlook item', 'circle.msg', circle()],
    ['a million tags', 'tags.html', utf8('<b>'.repeat(990_000))],
    [
      'one attachment of 20 MB',
      'large.eml',
      utf8(`Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${'A'.repeat(19_900_000)}`),
    ],
  ]
  const folder = await mkdtemp(join(tmpdir(), 'signet-adopt-bench-'))
  try {
    const rows: string[][] = []
    for (const [what, name, bytes] of files) {
      const costs: Cost[] = []
      for (let run = 0; run < RUNS; run++) costs.push(await costOf(folder, name, bytes))
      const end = costs[0]?.end ?? ''
      rows.push([
        ...[what, `${digits(bytes.length / 1000)} kB`, end],
        `${digits(Math.min(...costs.map(({ cpu }) => cpu)) / 1000)} s`,
        `${digits(Math.max(...costs.map(({ memory }) => memory)) / 1_000_000)} MB`,
      ])
    }
    return `${looks}\n${table(
      `Reading a sample in its thread, in a separate process (${String(RUNS)} runs each)`,
      ['', 'size', 'result', 'minimum processor time', 'maximum memory'],
      rows,
    )}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
