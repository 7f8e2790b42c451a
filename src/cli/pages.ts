/**
 * Writes plans and previews as html, each a single file without scripts. Signatures are in sandboxed frames, and a
 * content security policy allows only pictures and inline styles.
 */
import type { Plan } from '../../streams/wire/administration/publishing.ts'
import {
  type BlockGroup,
  isRenderedGroup,
  type Rendition,
  shownUses,
  type SignatureGroup,
} from '../../streams/organisation/plan/plan.ts'
import type { Coverage } from '../../streams/organisation/rules/coverage.ts'
import type { SlotCalendar } from '../../streams/organisation/plan/calendar.ts'
import { escapeHtml } from '../../streams/organisation/template/template.ts'
import { htmlTokens } from '../folder/htmlTokens.ts'
import {
  blockDifferenceOf,
  blockRuleText,
  calendarTitle,
  closedSignatureTexts,
  countText,
  daysText,
  differenceOf,
  approvalTexts,
  editorTexts,
  idleTexts,
  momentText,
  limitTexts,
  uncoveredPeopleTexts,
  problemRows,
  reachRows,
  releasesText,
  type PlanRow,
  changeRows,
  stretchText,
  uncoveredText,
} from './planText.ts'

/** The html of one signature, as it is and approximately as classic Outlook reads it. */
export type SignaturePreview = Readonly<{ title: string; html: string; asClassicOutlook: string }>

export type PreviewEntry = Readonly<{
  name: string
  notes: readonly string[]
  shown: readonly SignaturePreview[]
}>

/** Removes html that classic Outlook ignores. */
type ToClassicOutlook = (html: string) => string

const POLICY = "default-src 'none'; img-src data: https: http:; style-src 'unsafe-inline'; form-action 'none'"

const STYLE = `
:root { color-scheme: light dark; --line: #767676; --note: #595959 }
@media (prefers-color-scheme: dark) { :root { --note: #b3b3b3 } }
html { background: Canvas; color: CanvasText }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.5rem } h2 { font-size: 1.25rem; margin-top: 2rem } h3 { font-size: 1rem }
table { border-collapse: collapse } td, th { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top }
th { white-space: nowrap }
td:first-child { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)) }
figure { margin: 0 } figcaption, .note { color: var(--note) }
iframe { background: #fff; border: 1px solid var(--line); box-sizing: border-box; color-scheme: light; height: calc(var(--height) * var(--zoom)); width: 100%; --zoom: 1 }
.band { display: flex; margin-bottom: .5rem }
.band span { border: 1px solid var(--line); box-sizing: border-box; flex-basis: 0; min-width: 0; overflow: hidden; padding-left: .25rem; background: color-mix(in srgb, CanvasText 12%, Canvas) }
.band .gap { border-style: dashed; background: none; color: var(--note) }
@media (max-width: 36rem) { iframe { --zoom: .75 } }
@media (max-width: 27rem) { iframe { --zoom: .54 } }
`

/** Most signatures are wider than a phone, so small screens scale them down. */
const FRAME_STYLE =
  '@media (max-width: 542px) { body { zoom: .75 } } @media (max-width: 398px) { body { zoom: .54 } }'

/**
 * Constants for estimating the height of a frame, because a frame without scripts cannot report it. A block or a line
 * break ends a row. A row is as high as its text or its highest picture.
 */
const ROW_PX = 22
const ROW_CHARACTERS = 80
const BLOCK_MARGIN_PX = 32
const FRAME_MARGIN_PX = 40
const MAX_FRAME_PX = 640
const ROWS: ReadonlySet<string> = new Set(['tr', 'p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li'])
const BLOCKS_WITH_MARGIN: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol'])

/**
 * @param folder the folder as the user entered it
 * @param toClassicOutlook removes html that classic Outlook ignores
 * @param calendar the blocks that each slot of the new release may show
 */
export function planPage(
  plan: Plan,
  folder: string,
  toClassicOutlook: ToClassicOutlook,
  calendar: readonly SlotCalendar[] = [],
): string {
  const { summary } = plan
  const title = `Plan: ${releasesText(plan, folder)}`
  return page(title, [
    `<p>${escapeHtml(countText(summary.people, 'person', 'people'))}, as of ${escapeHtml(momentText(plan.at))}. Plan <code>${escapeHtml(plan.id)}</code>.</p>`,
    '<h2>What changes</h2>',
    table(changeRows(summary, ', ')),
    ...list(
      'Variables',
      plan.variables.map(({ path, kind }) => `${path}: ${kind}`),
    ),
    ...[...limitTexts(plan), ...editorTexts(plan), ...approvalTexts(plan)].map(
      (text) => `<p>${escapeHtml(text)}.</p>`,
    ),
    ...list('Not open at that time', closedSignatureTexts(plan)),
    ...(summary.missing.length === 0 ? [] : ['<h2>Problems</h2>', table(problemRows(summary))]),
    ...(summary.reach ? ['<h2>Blocks</h2>', table(reachRows(summary))] : []),
    ...calendar.flatMap(calendarSection),
    ...(summary.coverage ? coverageSection(summary.coverage) : []),
    ...summary.signatures.flatMap((group) => groupSection(group, toClassicOutlook)),
    ...(summary.blocks ?? []).flatMap((group) => blockSection(group, toClassicOutlook)),
  ])
}

const list = (title: string, texts: readonly string[]): readonly string[] =>
  texts.length === 0
    ? []
    : [`<h2>${title}</h2><ul>`, ...texts.map((text) => `<li>${escapeHtml(text)}</li>`), '</ul>']

/** @param title names the person and the day of the preview */
export function previewPage(title: string, entries: readonly PreviewEntry[]): string {
  return page(
    title,
    entries.flatMap(({ name, notes, shown }) => [
      `<h2>${escapeHtml(name)}</h2>`,
      ...notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`),
      ...shown.flatMap(({ title: use, html, asClassicOutlook }) => [
        `<h3>${escapeHtml(use)}</h3>`,
        ...pair(
          frame('As it is', `${name}, ${use}, as it is`, html),
          frame(APPROXIMATION, `${name}, ${use}, as classic Outlook shows it`, asClassicOutlook),
        ),
      ]),
    ]),
  )
}

const APPROXIMATION = 'About as classic Outlook shows it (an approximation)'

const table = (rows: readonly PlanRow[]): string =>
  [
    '<table><thead><tr><th scope="col">People</th><th scope="col">What</th></tr></thead><tbody>',
    ...rows.map(
      ([people, text]) => `<tr><td>${people.toLocaleString('en')}</td><td>${escapeHtml(text)}</td></tr>`,
    ),
    '</tbody></table>',
  ].join('\n')

const USES: Readonly<Record<keyof Rendition, string>> = {
  signature: 'New message',
  reply: 'Reply',
  mobile: 'Mobile',
  meeting: 'Meeting',
}

const UNDRAWN = '<p class="note">Not shown here: the plan has no room for more previews.</p>'

const SAMPLE_WRITER =
  '<p class="note">Values in ‹ › are those of the person who writes. Each writer sees their own.</p>'

function groupSection(group: SignatureGroup, toClassicOutlook: ToClassicOutlook): readonly string[] {
  const { before, after } = group
  return [
    `<h2>${escapeHtml(`${group.name} ${differenceOf(group)}`)}</h2>`,
    `<p>${escapeHtml(`For ${countText(group.people, 'person', 'people')}; here as ${group.sample.address} sees it.`)}</p>`,
    ...(isRenderedGroup(group) ? [] : [UNDRAWN]),
    ...(group.sampleWriter ? [SAMPLE_WRITER] : []),
    ...shownUses(group).flatMap((use) => {
      const title = USES[use]
      const [old, now] = [before?.[use] ?? null, after?.[use] ?? null]
      const name = `${group.name}, ${title}`
      const inOutlook = 'as classic Outlook shows it'
      if (old === null || now === null) {
        const only = old ?? now ?? ''
        const when = old === null ? 'after' : 'before'
        return [
          `<h3>${title}, ${old === null ? 'new' : 'which goes away'}</h3>`,
          ...pair(
            frame('As it is', `${name}, ${when}`, only),
            frame(APPROXIMATION, `${name}, ${when}, ${inOutlook}`, toClassicOutlook(only)),
          ),
        ]
      }
      return [
        `<h3>${title}</h3>`,
        ...pair(frame('Before', `${name}, before`, old), frame('After', `${name}, after`, now)),
        `<p class="note">${APPROXIMATION}:</p>`,
        ...pair(
          frame('Before', `${name}, before, ${inOutlook}`, toClassicOutlook(old)),
          frame('After', `${name}, after, ${inOutlook}`, toClassicOutlook(now)),
        ),
      ]
    }),
  ]
}

/** Lists people without a signature, with the reasons, and the rules that never apply. */
const coverageSection = (coverage: Coverage): readonly string[] => [
  '<h2>Coverage</h2>',
  ...(coverage.none.length === 0
    ? ['<p>Everyone has a signature.</p>']
    : [
        '<table><thead><tr><th scope="col">People</th><th scope="col">What</th><th scope="col">Who</th></tr></thead><tbody>',
        ...coverage.none.map(
          (group) =>
            `<tr><td>${group.people.toLocaleString('en')}</td><td>${escapeHtml(uncoveredText(group))}</td><td>${uncoveredPeopleTexts(group).map(escapeHtml).join('<br>')}</td></tr>`,
        ),
        '</tbody></table>',
      ]),
  ...list('Rules that never decide', idleTexts(coverage)),
]

/** Shows a slot's calendar as a band and as a table. The numbers in the band are the table's row numbers. */
const calendarSection = ({ slot, stretches }: SlotCalendar): readonly string[] => [
  `<h2>${escapeHtml(calendarTitle(slot))}</h2>`,
  '<div class="band" aria-hidden="true">',
  ...stretches.map(
    ({ days, blocks }, index) =>
      `<span${blocks.length === 0 ? ' class="gap"' : ''} style="flex-grow: ${String(days)}">${String(index + 1)}</span>`,
  ),
  '</div>',
  '<table><thead><tr><th scope="col">No.</th><th scope="col">Days</th><th scope="col">Blocks</th></tr></thead><tbody>',
  ...stretches.map(
    (stretch, index) =>
      `<tr><td>${String(index + 1)}</td><td>${daysText(stretch)}</td><td>${escapeHtml(stretchText(stretch))}</td></tr>`,
  ),
  '</tbody></table>',
]

/** Shows a changed block before and after, as the sample person sees it. */
function blockSection(group: BlockGroup, toClassicOutlook: ToClassicOutlook): readonly string[] {
  const { before, after, name } = group
  const shown = [
    { when: 'Before', of: before },
    { when: 'After', of: after },
  ].flatMap(({ when, of }) => (of ? [{ when, of, caption: `${when}, ${blockRuleText(of)}` }] : []))
  const head = [
    `<h2>${escapeHtml(`${name} ${blockDifferenceOf(group)}`)}</h2>`,
    `<p>${escapeHtml(`For ${countText(group.people, 'person', 'people')}; here as ${group.sample.address} sees it.`)}</p>`,
  ]
  if (!isRenderedGroup(group)) return [...head, UNDRAWN]
  return [
    ...head,
    ...pair(
      ...shown.map(({ when, of, caption }) => frame(caption, `${name}, ${when.toLowerCase()}`, of.html)),
    ),
    `<p class="note">${APPROXIMATION}:</p>`,
    ...pair(
      ...shown.map(({ when, of }) =>
        frame(when, `${name}, ${when.toLowerCase()}, as classic Outlook shows it`, toClassicOutlook(of.html)),
      ),
    ),
  ]
}

const pair = (...frames: readonly string[]): readonly string[] => ['<div class="pair">', ...frames, '</div>']

function frame(caption: string, title: string, html: string): string {
  const inner = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}"><meta name="color-scheme" content="light"><style>${FRAME_STYLE}</style><body>${html}`
  return [
    `<figure><figcaption>${escapeHtml(caption)}</figcaption>`,
    `<iframe sandbox title="${escapeHtml(title)}" style="--height: ${frameHeight(html)}px" srcdoc="${escapeHtml(inner)}"></iframe></figure>`,
  ].join('\n')
}

function frameHeight(html: string): number {
  let height = FRAME_MARGIN_PX
  let characters = 0
  let highest = 0
  const endRow = () => {
    height += Math.max(Math.ceil(characters / ROW_CHARACTERS) * ROW_PX, highest)
    characters = 0
    highest = 0
  }
  for (const token of htmlTokens(html))
    if (token.kind === 'text') {
      if (token.raw !== 'style') characters += token.text.trim().length
    } else if (token.kind === 'close') {
      if (ROWS.has(token.name)) endRow()
    } else if (token.kind === 'open') {
      if (token.name === 'br') endRow()
      if (BLOCKS_WITH_MARGIN.has(token.name)) height += BLOCK_MARGIN_PX
      const own = token.name === 'img' && token.attributes.find(({ name }) => name === 'height')
      if (own) highest = Math.max(highest, (Number.parseInt(own.value) || 0) + ROW_PX / 2)
    }
  endRow()
  return Math.min(MAX_FRAME_PX, height)
}

const page = (title: string, body: readonly string[]): string =>
  [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
