import { test } from 'vitest'
import { drawnOf, storiesOf } from '../../support/stories.ts'
import { useDrawing } from '../drawing.tsx'
import { expectSaid, readSaid } from '../said.ts'

const { draw } = useDrawing()

const SAID = readSaid('pane/stories.txt')
const stories = storiesOf('https://service.invalid/images')

test.each([...new Set(SAID.map(({ story }) => story))])('%s says what it is, and what to do', (name) => {
  const story = stories.find((each) => each.name === name)
  if (!story) throw new Error(`There is no story ${name}`)
  draw(drawnOf(story, 'en').state)
  expectSaid(SAID.filter((said) => said.story === name))
})
