import { expect, test } from 'vitest'
import { Work } from '../../../streams/administration/work/events.ts'
import { administrationStories } from '../../support/administration/stories.ts'
import { all, button, press, useAdministrationDrawing } from './drawingAdministration.tsx'

const { recorded, draw } = useAdministrationDrawing()

const logOf = (name: string) => {
  const story = administrationStories().find((each) => each.name === name)
  if (!story) throw new Error(`There is no story ${name}`)
  return story.log
}
const askedIn = (name: string) => logOf(name).findIndex(({ type }) => type === 'plan/planRequested')

test('Stop asks to stop the work that is shown, and once', async () => {
  await draw(...logOf('plan, counting'))
  press('Stop')
  expect(recorded).toEqual([Work.stopRequested({ kind: 'plan', asked: askedIn('plan, counting') })])
  recorded.length = 0
  await draw(...logOf('plan, stopping'))
  press('Stopping…')
  expect(recorded).toEqual([])
})

test('Stop stands before the numbers, so that it does not move when they grow', async () => {
  await draw(...logOf('plan, counting'))
  expect(button('Stop').previousElementSibling).toBeNull()
  expect(button('Stop').nextElementSibling?.textContent).toBe('1,200 of 5,000 people')
})

test('a bar has a name, and no value while nothing is counted', async () => {
  await draw(...logOf('plan, counting'))
  const [bar] = all('progress')
  expect([bar?.getAttribute('aria-label'), bar?.getAttribute('value'), bar?.getAttribute('max')]).toEqual([
    'Making the plan…',
    '1200',
    '5000',
  ])
  await draw(...logOf('plan, counting, progress unknown'))
  expect(all('progress')[0]?.hasAttribute('value')).toBe(false)
})

test('the place of the progress is free before the work lasts', async () => {
  await draw(...logOf('plan, being made'))
  expect(all('progress')).toEqual([])
  const place = all('main .progress, main [class*=progress]')
  expect(place).toHaveLength(1)
  expect(place[0]?.childElementCount).toBe(0)
})

test('publishing has nothing to stop', async () => {
  await draw(...logOf('publishing pictures'))
  expect(all('progress')).toHaveLength(1)
  expect(all('button').map(({ textContent }) => textContent)).not.toContain('Stop')
})
