/** Draws two signatures side by side with an installed Chromium, and counts the pixels that differ. */
import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { tokensOf } from '../../streams/html/tokens.ts'
import { escapeHtml } from '../../streams/organisation/template/template.ts'
import { PlainError } from '../server/reasons.ts'

/** The size of the area for each signature, in pixels. Anything outside it is not compared. */
const WIDTH = 700
const HEIGHT = 1_400
const TIME_LIMIT_MS = 60_000
/** The space between the last drawn row and the end of the picture, in pixels. */
const MARGIN = 8

const NAMES = [
  ...['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  ...['microsoft-edge', 'microsoft-edge-stable', 'msedge'],
]

function usualPlaces(environment: Environment): readonly string[] {
  const ofWindows = [
    environment['LOCALAPPDATA'],
    environment['PROGRAMFILES'],
    environment['PROGRAMFILES(X86)'],
  ]
  const folders = (environment['PATH'] ?? '').split(delimiter)
  switch (process.platform) {
    case 'win32':
      return ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].flatMap(
        (program) => ofWindows.flatMap((folder) => (folder === undefined ? [] : [join(folder, program)])),
      )
    case 'darwin':
      return ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
        (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
      )
    default:
      return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The path of the browser in `CHROMIUM_PATH`, or else of a Chromium, Chrome or Edge in a usual place; null if there is
 * none.
 */
export async function findChromium(environment: Environment): Promise<string | null> {
  const chosen = environment['CHROMIUM_PATH'] ?? ''
  for (const path of chosen === '' ? usualPlaces(environment) : [chosen])
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path
  return null
}

// Foreign html is untrusted: a sandboxed frame blocks scripts and navigation, and the policy blocks all external
// content.
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** A grey pixel that replaces every linked picture on both sides, because linked pictures are not fetched. */
const LINKED =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNoaGj4DwAFhAKAjM1mJgAAAABJRU5ErkJggg=='

function withoutLinked(html: string): string {
  const parts: string[] = []
  let end = 0
  for (const token of tokensOf(html)) {
    if (token.kind !== 'open') continue
    for (const { name, value, valueStart } of token.attributes) {
      if ((name !== 'src' && name !== 'background') || !/^\s*https?:/i.test(value)) continue
      parts.push(html.slice(end, valueStart), LINKED)
      end = valueStart + value.length
    }
  }
  return parts.join('') + html.slice(end)
}

const frame = (html: string): string =>
  `<iframe sandbox width="${WIDTH}" height="${HEIGHT}" srcdoc="${escapeHtml(
    `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>html{background:#fff;overflow:hidden}body{margin:8px!important;width:auto!important;height:auto!important;min-width:0!important;min-height:0!important;max-width:none!important;max-height:none!important}</style>${html}`,
  )}"></iframe>`

/** The size of the drawn page, in pixels. */
export const SCREENSHOT_SIZE = { width: 2 * WIDTH, height: HEIGHT }

/** An html page with both signatures side by side. */
export const comparisonPage = (original: string, template: string): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>body{margin:0;width:${SCREENSHOT_SIZE.width}px}iframe{border:0;float:left}</style>${frame(withoutLinked(original))}${frame(withoutLinked(template))}`

/** @throws Error when the program fails or writes no picture */
async function screenshot(chromium: string, html: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-adopt-'))
  try {
    const [page, picture] = [join(folder, 'page.html'), join(folder, 'page.png')]
    await writeFile(page, html)
    const ofRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    await new Promise<void>((resolve, reject) => {
      const drawing = spawn(
        chromium,
        [
          ...['--headless', '--disable-gpu', '--hide-scrollbars', '--disable-lcd-text', '--no-first-run'],
          ...['--force-device-scale-factor=1', '--font-render-hinting=none', '--disable-extensions'],
          ...[
            '--host-resolver-rules=MAP * ~NOTFOUND',
            `--user-data-dir=${join(folder, 'profile')}`,
            ...ofRoot,
          ],
          ...[
            `--window-size=${SCREENSHOT_SIZE.width},${SCREENSHOT_SIZE.height}`,
            `--screenshot=${picture}`,
            pathToFileURL(page).href,
          ],
        ],
        { stdio: 'ignore', timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL' },
      )
      drawing.on('error', reject)
      drawing.on('exit', (code) => {
        if (code === 0) resolve()
        else reject(new PlainError(`${chromium} ended with ${String(code)}.`))
      })
    })
    return await readFile(picture)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Copies some columns of the first rows of a picture. */
function part({ data, width }: PNG, left: number, columns: number, rows: number): PNG {
  const cut = new PNG({ width: columns, height: rows })
  for (let row = 0; row < rows; row++)
    data.copy(cut.data, row * columns * 4, (row * width + left) * 4, (row * width + left + columns) * 4)
  return cut
}

/** The number of rows up to the last row that is not white, plus a margin. */
function drawnRows({ data, width, height }: PNG): number {
  let at = width * height * 4 - 1
  while (at > 0 && data[at] === 255) at--
  return Math.min(height, Math.ceil(at / (width * 4)) + MARGIN)
}

export type DrawnComparison = Readonly<{
  /** A PNG with the original on the left and the template on the right. */
  png: Buffer
  /** The number of pixels on one side, and how many of them differ visibly. */
  pixels: number
  differing: number
}>

function read(picture: Uint8Array): PNG {
  try {
    return PNG.sync.read(Buffer.from(picture))
  } catch (error) {
    throw new PlainError('The browser drew no picture that can be read.', { cause: error })
  }
}

/** @throws PlainError when the picture is narrower than the page */
export function compareHalves(page: Uint8Array): DrawnComparison {
  const both = read(page)
  if (both.width < SCREENSHOT_SIZE.width)
    throw new PlainError('A smaller picture was drawn than was asked for.')
  const rows = drawnRows(both)
  const [left, right] = [part(both, 0, WIDTH, rows), part(both, WIDTH, WIDTH, rows)]
  return {
    png: PNG.sync.write(part(both, 0, SCREENSHOT_SIZE.width, rows)),
    pixels: WIDTH * rows,
    differing: pixelmatch(left.data, right.data, undefined, WIDTH, rows),
  }
}

/** @throws Error when Chromium draws nothing */
export const compareDrawnSignatures = async (
  chromium: string,
  original: string,
  template: string,
): Promise<DrawnComparison> => compareHalves(await screenshot(chromium, comparisonPage(original, template)))
