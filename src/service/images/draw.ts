/**
 * Draws the demonstration pictures: SVG in headless Chromium, saved as PNG at twice the size they are shown at.
 *
 *     SIGNET_CHROMIUM=<path of a Chromium> npx tsx src/service/images/draw.ts
 *
 * The PNG files beside this one are its output and are committed; it is run only when a picture changes.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'

interface Picture {
  /** Path below /images, without the extension. */
  readonly path: string
  /** Width and height in CSS pixels; the file has twice as many of each. */
  readonly width: number
  readonly height: number
  readonly svg: string
}

const navy = '#0f3d5e'
const teal = '#1b8a8f'
const coral = '#e86a4f'
const sand = '#f4efe6'
const gold = '#e2a83a'

const compass = (x: number, y: number, r: number, light: string, dark: string) => `
  <circle cx="${x}" cy="${y}" r="${r}" fill="${dark}"/>
  <path d="M${x} ${y - r * 0.72} L${x + r * 0.24} ${y} L${x - r * 0.24} ${y} Z" fill="${coral}"/>
  <path d="M${x} ${y + r * 0.72} L${x + r * 0.24} ${y} L${x - r * 0.24} ${y} Z" fill="${light}"/>
  <circle cx="${x}" cy="${y}" r="${r * 0.1}" fill="${dark}"/>`

const text = (x: number, y: number, size: number, fill: string, content: string, more = '') =>
  `<text x="${x}" y="${y}" font-family="Liberation Sans, Arial, sans-serif" font-size="${size}" fill="${fill}" ${more}>${content}</text>`

const logo = (ground: string, ink: string): string => `
  ${compass(24, 24, 20, '#ffffff', ground)}
  ${text(54, 27, 20, ink, 'Northwind', 'font-weight="700" letter-spacing="-0.3"')}
  ${text(55, 40, 9, ink, 'TRADING · SINCE 1921', 'letter-spacing="1.15" opacity="0.75"')}`

interface Look {
  readonly ground: string
  readonly skin: string
  readonly hair: string
  readonly coat: string
  readonly style: 'short' | 'long' | 'bun' | 'curly' | 'parted'
  readonly glasses?: boolean
}

const hairBehind: Record<Look['style'], string> = {
  short: '',
  parted: '',
  long: '<path d="M24 46 C22 20 74 20 72 46 L74 74 L22 74 Z"/>',
  bun: '<circle cx="48" cy="15" r="9"/>',
  curly:
    '<circle cx="30" cy="32" r="12"/><circle cx="66" cy="32" r="12"/><circle cx="26" cy="46" r="9"/><circle cx="70" cy="46" r="9"/>',
}

const hairBefore: Record<Look['style'], string> = {
  short: '<path d="M29 42 C27 18 69 18 67 42 C64 32 58 29 48 30 C38 29 32 32 29 42 Z"/>',
  parted: '<path d="M29 44 C26 17 70 16 67 44 C65 33 60 30 44 25 C42 32 33 34 29 44 Z"/>',
  long: '<path d="M28 48 C26 18 70 18 68 48 C65 36 58 33 50 26 C44 34 33 36 28 48 Z"/>',
  bun: '<path d="M29 43 C27 18 69 18 67 43 C62 30 54 27 48 27 C42 27 34 30 29 43 Z"/>',
  curly:
    '<circle cx="36" cy="26" r="9"/><circle cx="48" cy="22" r="10"/><circle cx="60" cy="26" r="9"/><circle cx="31" cy="35" r="5"/><circle cx="65" cy="35" r="5"/>',
}

const portrait = ({ ground, skin, hair, coat, style, glasses }: Look): string => `
  <rect width="96" height="96" fill="${ground}"/>
  <g fill="${hair}">${hairBehind[style]}</g>
  <path d="M12 96 C13 74 32 69 48 69 C64 69 83 74 84 96 Z" fill="${coat}"/>
  <path d="M40 60 L56 60 L57 71 C54 78 42 78 39 71 Z" fill="${skin}"/>
  <path d="M40 63 C44 68 52 68 56 63 L56.5 67 C52 72 44 72 39.5 67 Z" fill="#000" opacity="0.12"/>
  <ellipse cx="48" cy="45" rx="18.5" ry="21.5" fill="${skin}"/>
  <g fill="${hair}">${hairBefore[style]}</g>
  <circle cx="41" cy="46" r="1.9" fill="#2b2b2b"/><circle cx="55" cy="46" r="1.9" fill="#2b2b2b"/>
  ${glasses ? '<g fill="none" stroke="#2b2b2b" stroke-width="1.4"><circle cx="41" cy="46" r="5.6"/><circle cx="55" cy="46" r="5.6"/><path d="M46.6 45.4 L49.4 45.4"/></g>' : ''}
  <path d="M41.5 55.5 Q48 61 54.5 55.5" stroke="#8a3b32" stroke-width="1.9" fill="none" stroke-linecap="round"/>`

const icon = (ground: string, glyph: string): string => `
  <rect width="24" height="24" rx="6" fill="${ground}"/>
  <g fill="none" stroke="#fff" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">${glyph}</g>`

const glyphs = {
  globe:
    '<circle cx="12" cy="12" r="6.5"/><path d="M5.5 12 H18.5 M12 5.5 C8.5 9 8.5 15 12 18.5 C15.5 15 15.5 9 12 5.5"/>',
  mail: '<rect x="5" y="7" width="14" height="10" rx="1.5"/><path d="M5.5 8 L12 13 L18.5 8"/>',
  phone:
    '<path d="M8 5.5 L10 9 L8.6 10.6 C9.6 12.8 11.2 14.4 13.4 15.4 L15 14 L18.5 16 C18.3 17.8 17.2 18.7 15.6 18.4 C10.4 17.3 6.7 13.6 5.6 8.4 C5.3 6.8 6.2 5.7 8 5.5 Z"/>',
  people:
    '<circle cx="9.5" cy="9.5" r="2.6"/><path d="M4.8 17.5 C5 14 14 14 14.2 17.5"/><path d="M14.5 7.2 a2.4 2.4 0 0 1 0 4.6 M16.2 14.4 C18 14.8 19 15.8 19.2 17.5"/>',
  calendar:
    '<rect x="5.5" y="6.5" width="13" height="12" rx="1.6"/><path d="M5.5 10.2 H18.5 M9 5 V8 M15 5 V8"/>',
  video: '<rect x="4.8" y="8" width="9.4" height="8" rx="1.6"/><path d="M14.2 11 L19 8.6 V15.4 L14.2 13"/>',
}

const badge = (ground: string, top: string, bottom: string): string => `
  <rect x="1" y="1" width="78" height="78" rx="14" fill="${ground}"/>
  <path d="M40 12 L45 24 L58 25 L48 33.5 L51 46 L40 39 L29 46 L32 33.5 L22 25 L35 24 Z" fill="${gold}"/>
  ${text(40, 59, 10.5, '#fff', top, 'font-weight="700" text-anchor="middle"')}
  ${text(40, 71, 9, '#fff', bottom, 'text-anchor="middle"')}`

const waves = (y: number, fill: string) =>
  `<path d="M0 ${y} C80 ${y - 22} 150 ${y + 20} 250 ${y} S430 ${y - 24} 600 ${y} V120 H0 Z" fill="${fill}"/>`

const banner = (ground: string, headline: string, line: string, call: string): string => `
  <g transform="scale(0.8)"><rect width="600" height="120" fill="${ground}"/>
  ${waves(92, '#ffffff22')}${waves(104, '#ffffff2e')}
  ${compass(536, 56, 34, '#ffffff', '#ffffff33')}
  ${text(28, 46, 27, '#fff', headline, 'font-weight="700"')}
  ${text(28, 69, 14.5, '#fff', line, 'opacity="0.92"')}
  <rect x="28" y="82" width="126" height="25" rx="12.5" fill="#fff"/>
  ${text(91, 99, 12.5, ground, call, 'font-weight="700" text-anchor="middle"')}</g>`

const shapes = [
  '<path d="M24 10 L38 34 L10 34 Z"/>',
  '<rect x="12" y="12" width="24" height="24" rx="4"/>',
  '<circle cx="24" cy="24" r="13"/>',
  '<path d="M24 9 L39 24 L24 39 L9 24 Z"/>',
  '<path d="M10 30 C10 12 38 12 38 30 Z"/>',
]
const tints = [navy, teal, coral, gold]

const pictures: readonly Picture[] = [
  { path: 'northwind/logo', width: 180, height: 48, svg: logo(navy, navy) },
  {
    path: 'northwind/logo-white',
    width: 196,
    height: 56,
    svg: `<rect width="196" height="56" rx="4" fill="${navy}"/><g transform="translate(8 4)">${logo(teal, '#fff')}</g>`,
  },
  { path: 'northwind/mark', width: 40, height: 40, svg: compass(20, 20, 19, '#ffffff', navy) },
  { path: 'northwind/badge', width: 80, height: 80, svg: badge(teal, 'CERTIFIED', 'low carbon') },
  { path: 'partners/badge', width: 80, height: 80, svg: badge(navy, 'PARTNER', 'of the year') },
  {
    path: 'banners/autumn',
    width: 480,
    height: 96,
    svg: banner(coral, 'Northwind Harbour Days', '24 and 25 September · Porto', 'Save my seat'),
  },
  {
    path: 'banners/careers',
    width: 480,
    height: 96,
    svg: banner(teal, 'We are hiring', 'Navigators, planners and people who ask why', 'See open roles'),
  },
  {
    path: 'banners/winter',
    width: 480,
    height: 96,
    svg: banner(navy, 'Boas festas!', 'O escritório fecha de 24 de dezembro a 2 de janeiro', 'Contactos'),
  },
  ...Object.entries({
    'alex-kim': {
      ground: '#cfe5ea',
      skin: '#f0c8a0',
      hair: '#2a1d18',
      coat: navy,
      style: 'parted',
      glasses: true,
    },
    'maria-silva': { ground: '#f6dfd3', skin: '#d79f78', hair: '#4a2b1a', coat: teal, style: 'long' },
    'tess-edge': { ground: '#e4def0', skin: '#8d5a3c', hair: '#1d1512', coat: coral, style: 'curly' },
    'sales-desk': { ground: sand, skin: '#f2d0b3', hair: '#b5602e', coat: '#445a6b', style: 'bun' },
  } satisfies Record<string, Look>).map(([name, look]) => ({
    path: `people/${name}`,
    width: 96,
    height: 96,
    svg: portrait(look),
  })),
  ...Object.entries(glyphs).map(([name, glyph], at) => ({
    path: `social/${name}`,
    width: 24,
    height: 24,
    svg: icon([navy, teal, coral][at % 3] ?? navy, glyph),
  })),
  ...Array.from({ length: 20 }, (_, at) => ({
    path: `catalogue/${String(at + 1).padStart(2, '0')}`,
    width: 48,
    height: 48,
    svg: `<rect width="48" height="48" rx="8" fill="${tints[at % 4]}"/><g fill="#ffffffd9">${shapes[at % 5]}</g>${text(24, 28, 11, navy, String(at + 1), 'font-weight="700" text-anchor="middle"')}`,
  })),
]

const executablePath = process.env['SIGNET_CHROMIUM']
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox'],
})
const page = await browser.newPage({ deviceScaleFactor: 2 })
for (const { path, width, height, svg } of pictures) {
  await page.setViewportSize({ width, height })
  await page.setContent(
    `<style>*{margin:0}svg{display:block}</style><svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${svg}</svg>`,
  )
  const file = join(import.meta.dirname, `${path}.png`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await page.screenshot({ omitBackground: true }))
}
await browser.close()
