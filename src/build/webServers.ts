/** Writes the pages' headers in the formats of other web servers, for pages that the service does not serve. */
import { extname } from 'node:path'
import { escapeText } from '../../streams/html/tokens.ts'
import { fileHeaders, hasContentHash } from '../server/headers.ts'
import type { ShippedHeaders } from '../server/pageConfig.ts'
import { CONTENT_TYPES, INDEX_PAGE } from '../server/pages.ts'

type Headers = Readonly<Record<string, string>>

/** The headers of pages and files, and the names of all served files, with `/` between folders. */
export type ServedSite = Readonly<{ headers: ShippedHeaders; files: readonly string[] }>

/** The headers for a file without a rule, such as one added later. A browser revalidates the file each time. */
const OTHER = fileHeaders('other')
/** The headers for every file with a content hash in its name. */
const HASHED = fileHeaders('hashed.00000000.js')
const HASHED_PATTERN = '\\.[0-9a-f]{8}\\.[a-z0-9]+$'

const isSame = (one: Headers, other: Headers): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The files with their own rule, and their headers. The pages come first. */
const namedIn = ({ headers, files }: ServedSite): readonly (readonly [name: string, headers: Headers])[] => [
  ...Object.entries(headers),
  ...files
    .filter((name) => !(name in headers) && !hasContentHash(name))
    .map((name) => [name, fileHeaders(name)] as const)
    .filter(([, each]) => !isSame(each, OTHER)),
]

const NOTE =
  'Written by `npm run build` for the settings of this build. docs/pages-elsewhere.md says how to use it.'

/**
 * The nginx file to include in a `server` block whose `root` is the files' folder.
 *
 * @throws TypeError for a header value that nginx cannot send unchanged
 */
export function nginxInclude(site: ServedSite): string {
  const add = (headers: Headers, always: boolean): readonly string[] =>
    Object.entries(headers).map(
      ([name, value]) => `  add_header ${name} ${nginxValue(value)}${always ? ' always' : ''};`,
    )
  const location = (match: string, headers: Headers, ...more: readonly string[]): readonly string[] => [
    `location ${match} {`,
    ...more.map((line) => `  ${line}`),
    ...add(headers, true),
    '}',
  ]
  const types = Object.entries(CONTENT_TYPES).map(
    ([extension, type]) => [extension, ...type.split('; charset=')] as const,
  )
  // nginx already knows the type text/html.
  const texts = [
    ...new Set(types.filter(([, type, charset]) => charset && type !== 'text/html').map(([, type]) => type)),
  ].join(' ')
  return lines([
    `# ${NOTE}`,
    'types {',
    ...types.map(([extension, type]) => `  ${type} ${extension.slice(1)};`),
    '}',
    'charset utf-8;',
    `charset_types ${texts};`,
    'etag on;',
    'gzip on;',
    'gzip_vary on;',
    `gzip_types ${[...texts.split(' '), 'image/svg+xml'].join(' ')};`,
    '',
    ...location('= /', site.headers[INDEX_PAGE] ?? OTHER, `try_files /${INDEX_PAGE} =404;`),
    ...namedIn(site).flatMap(([name, headers]) => location(`= /${name}`, headers)),
    // Without `always`, nginx omits these headers from error responses, which must not be cached for a year.
    `location ~ ${nginxQuoted(HASHED_PATTERN)} {`,
    ...add(HASHED, false),
    '}',
    ...location('/', OTHER),
  ])
}

const nginxQuoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** Quotes a value. Throws for control characters and for a dollar sign, which nginx cannot escape. */
function nginxValue(text: string): string {
  if (/[\p{Cc}$]/u.test(text)) throw new TypeError(`nginx cannot send ${JSON.stringify(text)}.`)
  return nginxQuoted(text)
}

/** The `web.config` for IIS, to copy into the files' folder. */
export function iisConfig(site: ServedSite): string {
  const protocol = (headers: Headers, indent: string): readonly string[] =>
    [
      '<httpProtocol>',
      '  <customHeaders>',
      // Removes the server's own headers, such as X-Powered-By, and headers inherited from the parent folder.
      '    <clear />',
      ...Object.entries(headers).map(
        ([name, value]) => `    <add name="${escapeText(name)}" value="${escapeText(value)}" />`,
      ),
      '  </customHeaders>',
      '</httpProtocol>',
    ].map((line) => indent + line)
  const named = [
    ...namedIn(site),
    // IIS has no patterns here, so each file with a hash in its name needs an entry.
    ...site.files.filter(hasContentHash).map((name) => [name, HASHED] as const),
  ]
  return lines([
    '<?xml version="1.0" encoding="utf-8"?>',
    `<!-- ${NOTE} -->`,
    '<configuration>',
    '  <system.webServer>',
    '    <defaultDocument enabled="true">',
    '      <files>',
    '        <clear />',
    `        <add value="${INDEX_PAGE}" />`,
    '      </files>',
    '    </defaultDocument>',
    '    <staticContent>',
    ...Object.entries(CONTENT_TYPES).flatMap(([extension, type]) => [
      `      <remove fileExtension="${extension}" />`,
      `      <mimeMap fileExtension="${extension}" mimeType="${escapeText(type)}" />`,
    ]),
    '    </staticContent>',
    ...protocol(OTHER, '    '),
    '  </system.webServer>',
    ...named.flatMap(([name, headers]) => [
      `  <location path="${escapeText(name)}">`,
      '    <system.webServer>',
      ...protocol(headers, '      '),
      '    </system.webServer>',
      '  </location>',
    ]),
    '</configuration>',
  ])
}

/** `staticwebapp.config.json` for the files' folder. Azure Static Web Apps uses the first matching route. */
export function azureConfig({ headers, files }: ServedSite): string {
  const extensions = [...new Set(files.filter(hasContentHash).map((name) => extname(name).slice(1)))].sort()
  const unhashed = files.filter(
    (name) => !(name in headers) && !hasContentHash(name) && extensions.includes(extname(name).slice(1)),
  )
  const named = new Map([
    ...namedIn({ headers, files }),
    ...unhashed.map((name) => [name, fileHeaders(name)] as const),
  ])
  const routes = [
    { route: '/', headers: headers[INDEX_PAGE] ?? OTHER },
    ...[...named].map(([name, each]) => ({ route: `/${name}`, headers: each })),
    // Azure also serves a page under its name without the extension. No route sets headers there, so these names return
    // 404.
    ...[...named.keys()]
      .filter((name) => extname(name) === '.html')
      .map((name) => ({ route: `/${name.slice(0, -'.html'.length)}`, statusCode: 404 })),
    ...(extensions.length === 0 ? [] : [{ route: `/*.{${extensions.join(',')}}`, headers: HASHED }]),
    { route: '/*', headers: OTHER },
  ]
  return `${JSON.stringify({ routes, mimeTypes: CONTENT_TYPES }, null, 2)}\n`
}

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
