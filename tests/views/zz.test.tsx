import { test } from 'vitest'
import { writeFileSync, appendFileSync } from 'node:fs'
import { drawnOf, storiesOf } from '../support/stories.ts'
import { all, useDrawing } from './drawing.tsx'
import { outline } from './outline.ts'
const { draw } = useDrawing()
writeFileSync('/tmp/n/d-pane.txt', '')
test.each(storiesOf('https://service.invalid/images').map((story) => [story.name, story] as const))('%s', (name, story) => {
  draw(drawnOf(story, 'en').state)
  appendFileSync('/tmp/n/d-pane.txt', `=== ${name} [${story.kind}] ${story.clicks.join(' ; ')}\n${outline(all('body > div')[0]).join('\n')}\n`)
})
