import { execFileSync } from 'node:child_process'
import { table } from './figures.ts'

/** The counted folders, from the repository's root. A file counts for the first folder that contains it. */
const ROOMS = ['streams', 'effects', 'views', 'src', 'tests/support', 'tests'] as const

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })

/** Lines of TypeScript by folder in a commit, including comments and blank lines. */
function linesOf(commit: string): ReadonlyMap<string, number> {
  const files = git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file))
  const lines = new Map<string, number>(ROOMS.map((room) => [room, 0]))
  for (const file of files) {
    const room = ROOMS.find((each) => file.startsWith(`${each}/`))
    if (room === undefined) continue
    const count = git('show', `${commit}:${file}`).split('\n').length - 1
    lines.set(room, (lines.get(room) ?? 0) + count)
  }
  return lines
}

/** Compares the lines of code of two commits, by folder. Throws when git does not know one of the commits. */
export function measureLines(before: string, after: string): string {
  const [earlier, later] = [linesOf(before), linesOf(after)]
  const row = (name: string, rooms: readonly string[]) => {
    const sum = (lines: ReadonlyMap<string, number>) =>
      rooms.reduce((total, room) => total + (lines.get(room) ?? 0), 0)
    const [from, to] = [sum(earlier), sum(later)]
    return [
      name,
      from.toLocaleString('en-US'),
      to.toLocaleString('en-US'),
      (to - from).toLocaleString('en-US'),
    ]
  }
  return table(
    'Lines of TypeScript by folder',
    ['', before, after, 'difference'],
    [
      ...ROOMS.map((room) => row(room === 'tests' ? 'other tests' : room, [room])),
      row('total without other tests', ROOMS.slice(0, -1)),
    ],
  )
}
