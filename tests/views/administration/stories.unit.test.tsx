import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { administrationStories } from '../../support/administration/stories.ts'
import { all, useAdministrationDrawing } from './drawingAdministration.tsx'
import { expectSaid, readSaid } from '../said.ts'

const { draw } = useAdministrationDrawing()

const SAID = readSaid('administration/stories.txt')

test.each(administrationStories().map((story) => [story.name, story] as const))(
  '%s has every text, with its values',
  async (name, { log, clicks }) => {
    await draw(...log)
    expect(all('h1')).toHaveLength(1)
    for (const selector of clicks) {
      const [clicked] = all(selector)
      if (!clicked) throw new Error(`There is nothing to click: ${selector}`)
      await act(async () => {
        clicked.click()
        await vi.dynamicImportSettled()
      })
    }
    expectSaid(SAID.filter(({ story }) => story === name))
  },
)

test('what is said belongs to a story', () => {
  const names = administrationStories().map(({ name }) => name)
  expect(SAID.filter(({ story }) => !names.includes(story))).toEqual([])
})
