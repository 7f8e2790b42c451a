import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

// The documentation leads somewhere: each link of ours to a file that is there, and to a heading that it has.

const ROOT = join(import.meta.dirname, '../..')
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/** The text without code, in which brackets are no links. */
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8').replace(/^```.*?^```$/gms, '')

/** The name of a heading in an address, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
const anchorsOf = (page: string) =>
  new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))

const links = pages.flatMap((page) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => ({ page, target }))
    .filter(({ target }) => !/^[a-z]+:/.test(target)),
)

/** The link as text when it leads nowhere; null when it is good. */
function broken({ page, target }: (typeof links)[number]): string | null {
  const [path = '', anchor = ''] = target.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path))
  const isGood =
    existsSync(join(ROOT, file)) && (anchor === '' || !file.endsWith('.md') || anchorsOf(file).has(anchor))
  return isGood ? null : `${relative('.', page)} -> ${target}`
}

/** The commands of the first block of code below a heading. */
const commandsBelow = (page: string, heading: string) =>
  readFileSync(join(ROOT, page), 'utf8')
    .split(`\n## ${heading}\n`)[1]
    ?.match(/^```\n(.*?)^```$/ms)?.[1]
    ?.trim()
    .split('\n')

describe('the documentation', () => {
  it('names one command to try it, and one to test it', () => {
    expect(commandsBelow('README.md', 'Try it')).toEqual(['npm start'])
    expect(commandsBelow('README.md', 'Test it')).toEqual(['npm test'])
  })

  it('has no mark that a merge left', () => {
    expect(pages.filter((page) => /^(?:<{7}|={7}|>{7})(?: |$)/m.test(read(page)))).toEqual([])
  })

  it('has no link that leads nowhere', () => {
    expect(links.length).toBeGreaterThan(100)
    expect(links.map(broken).filter((link) => link !== null)).toEqual([])
  })
})
