/**
 * The gallery: templates that an organisation can use unchanged. They are tables with inline styles, because classic
 * Outlook renders messages with Word. They fit in 320 pixels, and show no line for a missing value.
 */
import { firstVariables, type OfferedTemplate } from './firstRelease.ts'
import { LOGO } from './galleryPictures.ts'
import type { ReleaseDocument, Variable } from './release.ts'
import { parseTemplate } from '../template/template.ts'

export const GALLERY_NAMES = ['plain', 'classic', 'compact', 'portrait', 'bold', 'notice'] as const
export type GalleryName = (typeof GALLERY_NAMES)[number]

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'

const table = (rows: string): string =>
  `<table ${TABLE} style="border-collapse:collapse;">
${rows}
</table>`

/** The table around a signature: as wide as its content, up to the width of a message on a desktop. */
const whole = (rows: string, width = ''): string =>
  `<table ${TABLE}${width} style="border-collapse:collapse;max-width:600px;">
${rows}
</table>`

/** For signatures with a band or a notice, which are as wide as the message. */
const FULL = ' width="100%"'

const text = (font: string, size: number, line: number, colour: string): string =>
  `font-family:${font};font-size:${String(size)}px;line-height:${String(line)}px;mso-line-height-rule:exactly;color:${colour};`

const ARIAL = 'Arial,Helvetica,sans-serif'
const VERDANA = 'Verdana,Geneva,sans-serif'
const TREBUCHET = "'Trebuchet MS',Tahoma,Arial,sans-serif"
const GEORGIA = "Georgia,'Times New Roman',serif"
const INK = '#222222'
const GREY = '#595959'
const BLUE = '#0b5a74'

const link = (address: string, shown: string, colour = BLUE): string =>
  `<a href="${address}" style="color:${colour};text-decoration:none;">${shown}</a>`

const when = (name: string, html: string): string => `{{#if ${name}}}${html}{{/if}}`

/** A letter labels the number. Screen readers read the letter, then the link. */
const PHONE = `T&nbsp;${link('tel:{{tel phone}}', '{{phone}}')}`
const MOBILE = `M&nbsp;${link('tel:{{tel mobile_phone}}', '{{mobile_phone}}')}`
const MAIL = link('mailto:{{email}}', '{{email}}')
const WEB = link('{{web website}}', '{{website}}')

/** A table row for each line with a value. The last line is the mail address, which always has a value. */
const rows = (style: string): string => `    ${when('phone', `<tr><td style="${style}">${PHONE}</td></tr>`)}
    ${when('mobile_phone', `<tr><td style="${style}">${MOBILE}</td></tr>`)}
    <tr><td style="${style}">${MAIL}</td></tr>
    ${when('website', `<tr><td style="${style}">${WEB}</td></tr>`)}`

const named = (
  name: string,
  job: string,
): string => `    <tr><td style="${name}"><strong>{{display_name}}</strong></td></tr>
    ${when('job_title', `<tr><td style="${job}">{{job_title}}</td></tr>`)}`

const LOGO_PATH = 'gallery/logo.png'

const logo = (size: number): string => {
  const px = String(size)
  return `<img src="{{picture ${LOGO_PATH}}}" width="${px}" height="${px}" alt="{{organisation_name}}" border="0" style="display:block;border:0;width:${px}px;height:${px}px;">`
}

/** The slot for a banner; empty without a banner. */
const BANNER = `{{#block banner}}<table ${TABLE} style="border-collapse:collapse;"><tr><td style="padding:12px 0 0 0;">{{block}}</td></tr></table>{{/block}}
`

const plainStyle = text(ARIAL, 14, 20, INK)

const plain = `${whole(`  <tr><td style="${plainStyle}">
    <strong>{{display_name}}</strong>${when('job_title', '<br>{{job_title}}')}${when('organisation_name', '<br>{{organisation_name}}')}
    ${when('phone', `<br>${PHONE}`)}${when('mobile_phone', `<br>${MOBILE}`)}
    <br>${MAIL}
  </td></tr>`)}
${BANNER}`

/** A row below two cells, so that a long address can use the full width. */
const below = (style: string): string =>
  `  <tr><td colspan="2" style="padding:8px 0 0 0;">${table(rows(style))}</td></tr>`

const organisation = (style: string): string =>
  when('organisation_name', `<tr><td style="${style}">{{organisation_name}}</td></tr>`)

const classic = `${whole(`  <tr>
    <td width="64" valign="top" style="padding:2px 14px 2px 0;">${logo(64)}</td>
    <td valign="top" style="padding:0 0 0 14px;border-left:2px solid #0b6e8a;">${table(`${named(text(ARIAL, 16, 22, INK), text(ARIAL, 13, 18, GREY))}
    ${organisation(text(ARIAL, 13, 18, GREY))}`)}</td>
  </tr>
${below(text(ARIAL, 13, 19, INK))}`)}
${BANNER}`

const compact = `${whole(`  <tr><td style="${text(VERDANA, 12, 18, INK)}">
    <strong>{{display_name}}</strong>${when('job_title', ' &middot; {{job_title}}')}${when('organisation_name', ' &middot; {{organisation_name}}')}
    <br>${when('phone', `${link('tel:{{tel phone}}', '{{phone}}')} &middot; `)}${MAIL}
  </td></tr>`)}
${BANNER}`

const portrait = `${whole(`  <tr>
    ${when('picture_url', '<td width="88" valign="top" style="padding:0 16px 0 0;"><img src="{{web picture_url}}" width="88" height="88" alt="{{display_name}}" border="0" style="display:block;border:0;width:88px;height:88px;"></td>')}
    <td valign="top">${table(`${named(text(GEORGIA, 18, 24, BLUE), text(GEORGIA, 14, 20, INK))}
    ${organisation(text(GEORGIA, 14, 20, GREY))}`)}</td>
  </tr>
${below(text(ARIAL, 13, 19, INK))}`)}
${BANNER}`

const bold = `${whole(
  `  <tr><td bgcolor="#0b5a74" style="background-color:#0b5a74;padding:14px 18px;">${table(`    <tr><td style="${text(TREBUCHET, 20, 26, '#ffffff')}"><strong>{{display_name}}</strong></td></tr>
    ${when('job_title', `<tr><td style="${text(TREBUCHET, 14, 20, '#ffffff')}">{{job_title}}</td></tr>`)}`)}</td></tr>
  <tr><td style="padding:12px 18px 0 18px;">${table(`    ${when('organisation_name', `<tr><td style="${text(TREBUCHET, 14, 20, INK)}"><strong>{{organisation_name}}</strong></td></tr>`)}
    ${when('phone', `<tr><td style="${text(TREBUCHET, 13, 20, INK)}">${PHONE}</td></tr>`)}
    ${when('mobile_phone', `<tr><td style="${text(TREBUCHET, 13, 20, INK)}">${MOBILE}</td></tr>`)}
    <tr><td style="${text(TREBUCHET, 13, 20, INK)}">${MAIL}</td></tr>`)}</td></tr>
  ${when(
    'website',
    `<tr><td style="padding:12px 18px 0 18px;">${table(`    <tr><td bgcolor="#a8430f" style="background-color:#a8430f;padding:9px 18px;${text(TREBUCHET, 14, 20, '#ffffff')}">${link('{{web website}}', '<strong>Visit our website</strong>', '#ffffff')}</td></tr>`)}</td></tr>`,
  )}`,
  FULL,
)}
${BANNER}`

const noticeStyle = text(ARIAL, 11, 15, GREY)

const notice = `${whole(
  `  <tr><td>${table(`${named(text(ARIAL, 15, 21, INK), text(ARIAL, 13, 18, GREY))}
    ${organisation(`${text(ARIAL, 13, 18, GREY)}padding-bottom:6px;`)}
${rows(text(ARIAL, 13, 19, INK))}`)}</td></tr>
  <tr><td>${BANNER.trim()}</td></tr>
  <tr><td lang="en" style="${noticeStyle}padding:12px 0 0 0;">This message is meant only for the person it is addressed to. If it has reached you by mistake, please tell the sender and delete it.</td></tr>
  <tr><td lang="de" style="${noticeStyle}padding:4px 0 0 0;">Diese Nachricht ist nur für die Person bestimmt, an die sie gerichtet ist. Haben Sie sie irrtümlich erhalten, sagen Sie es bitte der Absenderin oder dem Absender, und löschen Sie sie.</td></tr>`,
  FULL,
)}
`

const TEMPLATES: Readonly<Record<GalleryName, string>> = { plain, classic, compact, portrait, bold, notice }

/** The variables that make up a person's name. */
const NAMES: readonly string[] = ['first_name', 'last_name']

/** The kinds of placeholders that end with the name of a single variable. */
const OF_VARIABLE: ReadonlySet<string> = new Set(['text', 'tel', 'web', 'if'])

/**
 * Adapts a gallery template to a document: uses its variables with the same name or directory field, and adds the
 * variables that it lacks.
 */
export function galleryTemplate(
  name: GalleryName,
  document: Pick<ReleaseDocument, 'organisation' | 'internal' | 'variables'>,
): OfferedTemplate {
  const paths = document.variables.map(({ path }) => path)
  const known = new Set(['display_name', 'email', 'picture_url', ...paths])
  const byField = new Map(
    document.variables.flatMap(({ from, path }) => (from === null ? [] : [[from, path] as const])),
  )
  const first = firstVariables(document.organisation, document.internal[0] ?? null)
  // Without any name variable, the document gets these two.
  const isNamed = ['display_name', ...NAMES].some((path) => paths.includes(path))
  const needed = new Map<string, Variable>(
    isNamed ? [] : first.filter(({ path }) => NAMES.includes(path)).map((each) => [each.path, each] as const),
  )
  const nameIn = (path: string): string => {
    if (known.has(path)) return path
    const variable = first.find((each) => each.path === path)
    const own = byField.get(variable?.from ?? '')
    if (own === undefined && variable) needed.set(path, variable)
    return own ?? path
  }
  const from = TEMPLATES[name]
  const shown = new Set<string>()
  let written = ''
  let done = 0
  for (const { kind, names, end } of parseTemplate(from, new Map()).template.placeholders) {
    const [variable = ''] = names
    if (kind === 'picture') shown.add(variable)
    if (!OF_VARIABLE.has(kind)) continue
    const start = end - variable.length - '}}'.length
    written += from.slice(done, start) + nameIn(from.slice(start, start + variable.length))
    done = start + variable.length
  }
  return {
    template: written + from.slice(done),
    pictures: shown.has(LOGO_PATH) ? { [LOGO_PATH]: LOGO } : {},
    variables: [...needed.values()],
  }
}
