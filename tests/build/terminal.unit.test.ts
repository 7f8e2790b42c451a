import { expect, test } from 'vitest'
import { BUILD_GROUPS } from '../../src/build/groups.ts'
import { createBuildProgress, showGroup } from '../../src/build/terminal.ts'

function terminal(isTTY: boolean) {
  const written: string[] = []
  let ms = 0
  const progress = createBuildProgress({ isTTY, write: (text) => written.push(text) }, () => ms)
  return { progress, written, pass: (more: number) => (ms += more) }
}

test('a build that is done within two seconds is not spoken of', () => {
  const { progress, written, pass } = terminal(true)
  pass(1_999)
  progress.show('the pane', '3 of 5', 7)
  progress.clear()
  expect(written).toEqual([])
  pass(1)
  progress.show('the pane', '3 of 5', 8)
  expect(written.join('')).toContain('Building the pane … 3 of 5')
})

test('a terminal has one line, which changes in place and goes', () => {
  const { progress, written, pass } = terminal(true)
  pass(2_000)
  progress.show('the pane', '1 of 2', 0)
  progress.show('the pane', '1 of 2', 12)
  progress.show('the timeline', '2 of 2', 0)
  progress.clear()
  progress.clear()
  const start = '\r\u001b[2K'
  expect(written).toEqual([
    `${start}Building the pane … 1 of 2`,
    `${start}Building the pane … 1 of 2, 12 steps`,
    `${start}Building the timeline … 2 of 2`,
    start,
  ])
})

test('elsewhere each thing that is built has a line', () => {
  const { progress, written, pass } = terminal(false)
  pass(2_000)
  for (const steps of [0, 1, 2]) progress.show('the pane', '1 of 2', steps)
  progress.show('the timeline', '2 of 2', 0)
  progress.clear()
  expect(written).toEqual(['Building the pane … 1 of 2\n', 'Building the timeline … 2 of 2\n'])
})

test('a command counts the groups that it builds, and no other', () => {
  const { progress, written, pass } = terminal(false)
  const show = showGroup(progress, ['launchFile', 'taskpane'])
  pass(2_000)
  show(BUILD_GROUPS.taskpane, 0)
  show(BUILD_GROUPS.replay, 0)
  expect(written).toEqual(['Building the pane … 2 of 2\n'])
})
