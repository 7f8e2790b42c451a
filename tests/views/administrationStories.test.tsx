import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { administrationStories } from '../support/administration/stories.ts'
import { all, part, useAdministrationDrawing } from './drawingAdministration.tsx'
import { outline } from './outline.ts'

const { draw } = useAdministrationDrawing()

type Said = Readonly<{ story: string; place: string; lines: readonly string[] }>

/**
 * What the page says in a story, line by line as in `outline`: after `== story` the whole page, after `== story :: part`
 * a part of it. `…` stands for lines before or after.
 */
const SAID: readonly Said[] = readFileSync(join(import.meta.dirname, 'administrationStories.txt'), 'utf8')
  .split(/^== /m)
  .slice(1)
  .map((block) => {
    const [head = '', ...lines] = block.trim().split('\n')
    const [story = '', place = 'main'] = head.split(' :: ')
    return { story, place, lines }
  })

/** The lines of a part of the page, as far as `wanted` has them. */
function linesAt({ place, lines: wanted }: Said): readonly string[] {
  const lines = outline(place === 'main' ? all('main')[0] : part(place))
  const shown = wanted.filter((line) => line !== '…')
  const from = wanted[0] === '…' ? lines.indexOf(shown[0] ?? '') : 0
  const to = wanted.at(-1) === '…' ? from + shown.length : lines.length
  return [...(from > 0 ? ['…'] : []), ...lines.slice(from, to), ...(to < lines.length ? ['…'] : [])]
}

test.each(administrationStories().map((story) => [story.name, story] as const))(
  '%s has every text, with its values',
  async (name, { log }) => {
    await draw(...log)
    expect(all('h1')).toHaveLength(1)
    const said = SAID.filter(({ story }) => story === name)
    expect(said.map((each) => ({ ...each, lines: linesAt(each) }))).toEqual(said)
  },
)

test('what is said belongs to a story', () => {
  const names = administrationStories().map(({ name }) => name)
  expect(SAID.filter(({ story }) => !names.includes(story))).toEqual([])
})
