import { expect, test } from 'vitest'
import { administrationStories } from '../../support/administration/stories.ts'
import { all, useAdministrationDrawing } from './drawingAdministration.tsx'
import { expectSaid, readSaid } from '../said.ts'

const { draw } = useAdministrationDrawing()

const SAID = readSaid('administration/stories.txt')

test.each(administrationStories().map((story) => [story.name, story] as const))(
  '%s has every text, with its values',
  async (name, { log }) => {
    await draw(...log)
    expect(all('h1')).toHaveLength(1)
    expectSaid(SAID.filter(({ story }) => story === name))
  },
)

test('what is said belongs to a story', () => {
  const names = administrationStories().map(({ name }) => name)
  expect(SAID.filter(({ story }) => !names.includes(story))).toEqual([])
})
