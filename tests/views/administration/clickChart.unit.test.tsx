import { expect, test } from 'vitest'
import { InsightLoad, OverviewLoad } from '../../../streams/administration/overview/events.ts'
import { clickDays, insight, overview } from '../../support/administration/answers.ts'
import { at } from '../../support/administration/story.ts'
import { all, useAdministrationDrawing } from './drawingAdministration.tsx'

const { draw } = useAdministrationDrawing()

const drawClicks = (...numbers: readonly number[]) =>
  draw(
    ...at('/now'),
    OverviewLoad.loaded({ value: overview() }),
    InsightLoad.loaded({
      value: insight({ clicks: [{ block: 'fair', name: 'The fair', days: clickDays(...numbers) }] }),
    }),
  )
/** The heights of the bars of the chart, the earliest day first; empty for a day without a number. */
const heights = () => {
  const [plot] = all('figure [aria-hidden] > div')
  return [...(plot?.children ?? [])].map((each) => (each instanceof HTMLElement ? each.style.height : 'none'))
}

test('a chart has 90 days, each bar as high as its part of the most, and a line for a day without a number', async () => {
  await drawClicks(50, 0, 200, 4, 5)
  expect(heights()).toHaveLength(90)
  expect(heights().slice(-6)).toEqual(['', '25%', '', '100%', '', '2.5%'])
})

test('the first of several days with the most is named, and each number stands in the table', async () => {
  await drawClicks(7, 9, 9)
  expect(all('figcaption').map(({ textContent }) => textContent)).toEqual([
    'Most on November 21, 2026: at most 9',
  ])
  expect(all('figure tbody td').map(({ textContent }) => textContent)).toEqual(['9', '9', '7'])
})

test('nothing is said of fewer where each day has a number', async () => {
  await drawClicks(...Array.from({ length: 90 }, () => 5))
  expect(all('figure p')).toEqual([])
  await drawClicks(...Array.from({ length: 89 }, () => 5))
  expect(all('figure p')).toHaveLength(2)
})
