import { expect, test, vi } from 'vitest'
import type { ReadyPlan } from '../../../streams/html/plan.ts'
import { readDrawnSignature } from '../../../views/shared/measuredDocument.ts'

const plan: ReadyPlan = { kind: 'ready', type: 'html', content: '', images: [], hash: '', combinedIds: '' }

const CLEAR = 'background-image:none;background-color:rgba(0, 0, 0, 0)'
const YELLOW = 'background-image:none;background-color:rgba(255, 255, 0, 0.5)'

/** A text in each of this many elements, one inside the other. The outermost is half yellow, and each is half clear. */
function nested(depth: number): Document {
  const open = (look: string) =>
    `<div style="${look};opacity:0.5;color:rgb(0, 0, 0);font-size:12px;visibility:visible">text`
  document.body.innerHTML = open(YELLOW) + open(CLEAR).repeat(depth - 1)
  for (const element of [document.documentElement, document.body])
    element.setAttribute('style', `${CLEAR};opacity:1`)
  for (const element of document.querySelectorAll('*'))
    element.getClientRects = () => [new DOMRect(0, 0, 1, 1)] as unknown as DOMRectList
  return document
}

function read(depth: number) {
  const drawn = nested(depth)
  const spy = vi.spyOn(window, 'getComputedStyle')
  const { texts } = readDrawnSignature(drawn, plan)
  const reads = spy.mock.calls.length
  spy.mockRestore()
  return { texts, reads }
}

test('each text is read with the colours of everything around it', () => {
  const { texts } = read(3)
  expect(texts.map(({ colour }) => colour.alpha)).toEqual([0.5, 0.25, 0.125])
  for (const { background } of texts) expect(background).toMatchObject({ red: 255, green: 255, blue: 127.5 })
})

test('each element is read once, however deep it is', () => {
  const [once, twice] = [read(40), read(80)]
  expect(twice.texts).toHaveLength(80)
  expect(twice.reads / once.reads).toBeLessThan(2.5)
})
