/**
 * Writes the server's own pages: a single card with a heading, sentences and next steps. They need no script and no
 * other file.
 */
import { createHash } from 'node:crypto'
import type { Language } from '../../streams/wire/languages.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** HTML that only the tag `markup` can create, so that all texts in it are escaped. */
class Html {
  readonly #markup: string

  private constructor(markup: string) {
    this.#markup = markup
  }

  /** The template tag `markup`: escapes texts among the values, and inserts `Html` unchanged. */
  static readonly of = (
    parts: readonly string[],
    ...values: readonly (string | Html | readonly Html[])[]
  ) => {
    const written = values.map((value) =>
      typeof value === 'string'
        ? value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
        : [value].flat().join(''),
    )
    return new Html(String.raw({ raw: parts }, ...written))
  }

  toString(): string {
    return this.#markup
  }
}
export type { Html }
export const markup = Html.of

/** The Fluent 2 tokens that cards use, each with its light and dark value. */
export const COLOURS = {
  colorNeutralForeground1: ['#242424', '#ffffff'],
  colorNeutralForeground2: ['#424242', '#d6d6d6'],
  colorNeutralForeground3: ['#616161', '#adadad'],
  colorNeutralForegroundOnBrand: ['#ffffff', '#ffffff'],
  colorNeutralBackground1: ['#ffffff', '#292929'],
  colorNeutralBackground1Hover: ['#f5f5f5', '#3d3d3d'],
  colorNeutralBackground1Pressed: ['#e0e0e0', '#1f1f1f'],
  colorNeutralBackground3: ['#f5f5f5', '#141414'],
  colorBrandBackground: ['#0f6cbd', '#115ea3'],
  colorBrandBackgroundHover: ['#115ea3', '#0f6cbd'],
  colorBrandBackgroundPressed: ['#0c3b5e', '#0c3b5e'],
  colorNeutralStroke1: ['#d1d1d1', '#666666'],
  colorNeutralStroke1Hover: ['#c7c7c7', '#757575'],
  colorNeutralStroke2: ['#e0e0e0', '#525252'],
  colorStrokeFocus2: ['#000000', '#ffffff'],
  shadow2: [
    '0 0 2px rgba(0,0,0,0.12), 0 1px 2px rgba(0,0,0,0.14)',
    '0 0 2px rgba(0,0,0,0.24), 0 1px 2px rgba(0,0,0,0.28)',
  ],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

const coloursOf = (theme: 0 | 1): string =>
  Object.entries(COLOURS)
    .map(([name, values]) => `--${name}: ${values[theme]};`)
    .join(' ')

/** Text sizes are in rem, so that they follow the user's chosen size. */
const STYLE = `
:root { color-scheme: light dark; ${coloursOf(0)} }
@media (prefers-color-scheme: dark) { :root { ${coloursOf(1)} } }
html { background: var(--colorNeutralBackground3); color: var(--colorNeutralForeground1);
  font: 400 0.875rem/1.25rem 'Segoe UI', 'Segoe UI Web (West European)', -apple-system, BlinkMacSystemFont, Roboto,
    'Helvetica Neue', sans-serif }
body { display: grid; grid-template-columns: minmax(0, 26rem); justify-content: center; margin: 0;
  padding: min(12vh, 8rem) 16px 24px }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; padding: 24px;
  border: 1px solid var(--colorNeutralStroke2); border-radius: 8px; background: var(--colorNeutralBackground1);
  box-shadow: var(--shadow2); overflow-wrap: anywhere }
h1, p { margin: 0 }
h1 { font-size: 1.25rem; font-weight: 600; line-height: 1.75rem }
.program { color: var(--colorNeutralForeground3) }
form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; margin: 0 }
.button { justify-self: start; box-sizing: border-box; min-height: 2rem; padding: 5px 12px;
  border: 1px solid var(--colorNeutralStroke1); border-radius: 4px; background: var(--colorNeutralBackground1);
  color: inherit; font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  overflow-wrap: inherit }
.button:hover { border-color: var(--colorNeutralStroke1Hover); background: var(--colorNeutralBackground1Hover) }
.button:active { background: var(--colorNeutralBackground1Pressed) }
.primary, .primary:hover, .primary:active { border-color: transparent; color: var(--colorNeutralForegroundOnBrand) }
.primary { background: var(--colorBrandBackground) }
.primary:hover { background: var(--colorBrandBackgroundHover) }
.primary:active { background: var(--colorBrandBackgroundPressed) }
.choice { justify-self: stretch; text-align: start }
.choice small { display: block; color: var(--colorNeutralForeground3); font-size: 0.75rem; font-weight: 400;
  line-height: 1rem }
details { color: var(--colorNeutralForeground2); font-size: 0.75rem; line-height: 1rem }
summary { padding: 4px 0; cursor: pointer }
code { font-family: Consolas, 'Courier New', Courier, monospace; font-size: inherit }
:focus-visible { outline: 2px solid var(--colorStrokeFocus2); outline-offset: 1px }
@media (forced-colors: active) { .primary { border-color: ButtonBorder } }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export type CardContent = Readonly<{
  language: Language
  /** The name of the program, shown above the heading and in the page title. */
  program: string
  heading: string
  /** Explains what happened and what to do, one paragraph each. */
  sentences: readonly string[]
  /** Content below the sentences: a link, a form, or a collapsed section. */
  below?: readonly Html[]
  /** The form's target, and the targets that the response may redirect to: `form-action` applies to both. */
  formTargets?: readonly string[]
}>

/** The headers and the HTML of a page. */
export type WrittenPage = Readonly<{ headers: Readonly<Record<string, string>>; body: string }>

/** Writes a page with a card. Its content security policy allows only the style sheet in this file. */
export function cardPage(card: CardContent): WrittenPage {
  const { language, program, heading, sentences, below = [], formTargets = [] } = card
  const title = markup`<title>${heading} – ${program}</title>`
  const main = markup`<main>
<p class="program">${program}</p>
<h1>${heading}</h1>
${sentences.map((sentence) => markup`<p>${sentence}</p>\n`)}${below}
</main>`
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${title.toString()}
<style>${STYLE}</style>
</head>
<body>
${main.toString()}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "base-uri 'none'",
    `form-action ${formTargets.length === 0 ? "'none'" : formTargets.join(' ')}`,
    "frame-ancestors 'none'",
  ]
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
    body,
  }
}

/** A link styled as a card's main button. */
export const primaryLink = (href: string, name: string): Html =>
  markup`<a class="button primary" href="${href}">${name}</a>`

/** A collapsed section with details for the helpdesk. The lines are in English. */
export const helpdeskSection = (name: string, lines: readonly string[]): Html =>
  markup`<details><summary>${name}</summary>${lines.map((line) => markup`<p lang="en"><code>${line}</code></p>`)}</details>`
