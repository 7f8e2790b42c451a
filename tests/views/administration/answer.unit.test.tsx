import { act } from 'react'
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import type { Attempt } from '../../../streams/kernel/load.ts'
import { useFocusFallback } from '../../../views/shared/dom/focus.ts'
import { Answer } from '../../../views/administration/parts/Answer.tsx'
import { stubResizeObserver, useRoot } from '../root.ts'

type Status = Attempt['status']

const root = useRoot()
let scrolled: MockInstance<Element['scrollIntoView']>
/** What is called when the page changes its height. */
let observed: ReturnType<typeof stubResizeObserver>

beforeEach(() => {
  observed = stubResizeObserver()
  scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
})
afterEach(() => {
  scrolled.mockRestore()
})

/** A page with a control that asks, another one, and the answer. The control can be removed. */
function Page({ status, isThere }: { status: Status; isThere: boolean }) {
  useFocusFallback()
  return (
    <main>
      <h1>Page</h1>
      <section>
        {isThere && <button id="asks">Ask</button>}
        <input id="other" />
        <Answer status={status} pending="Wait…" success="Done." failure={<p role="alert">Failed.</p>} />
      </section>
    </main>
  )
}

/** Draws the page, and waits until a lost focus has been given to another element. */
const draw = async (status: Status, isThere = true) => {
  await act(async () => {
    root().render(<Page status={status} isThere={isThere} />)
    await Promise.resolve()
  })
}
const element = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`There is no ${selector}`)
  return found
}
const focus = (selector: string) => {
  act(() => {
    element(selector).focus()
  })
}
const answer = () => element('[data-answer]')

test('the live region is there, and empty, before the attempt begins', async () => {
  await draw('idle')
  const region = element('[role=status]')
  expect(region.textContent).toBe('')
  await draw('pending')
  expect(region.textContent).toBe('Wait…')
  await draw('success')
  expect(region.textContent).toBe('Done.')
  await draw('fail')
  expect(region.textContent).toBe('')
  expect(element('[role=alert]').textContent).toBe('Failed.')
  await draw('idle')
  expect(answer().textContent).toBe('')
})

test.each(['success', 'fail'] as const)(
  'after an attempt that ends with %s, the answer has the focus, in sight',
  async (end) => {
    await draw('idle')
    focus('#asks')
    await draw('pending')
    expect(document.activeElement).toBe(element('#asks'))
    expect(scrolled).not.toHaveBeenCalled()
    await draw(end)
    expect(document.activeElement).toBe(answer())
    expect(scrolled.mock.instances).toEqual([answer()])
    expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' })
  },
)

test('takes over the focus of a control that is removed when the attempt begins', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending', false)
  expect(document.activeElement).toBe(answer())
  await draw('success', false)
  expect(document.activeElement).toBe(answer())
  expect(scrolled.mock.instances).toEqual([answer()])
})

test('takes over the focus of a control that is removed when the attempt ends', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending')
  await draw('success', false)
  expect(document.activeElement).toBe(answer())
  expect(scrolled).toHaveBeenCalledOnce()
})

test('takes over the focus of a control that is removed by an action that ends at once', async () => {
  await draw('idle')
  focus('#asks')
  await draw('success', false)
  expect(document.activeElement).toBe(answer())
})

test('comes into sight for a user whose browser does not focus a button that is pressed', async () => {
  await draw('idle')
  await draw('pending')
  await draw('success')
  expect(document.activeElement).toBe(answer())
})

test('is only announced to a user who works elsewhere by then', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending')
  focus('#other')
  await draw('success')
  expect(document.activeElement).toBe(element('#other'))
  act(() => {
    element('#other').blur()
  })
  await draw('pending')
  focus('#other')
  await draw('fail')
  expect(document.activeElement).toBe(element('#other'))
  expect(scrolled).not.toHaveBeenCalled()
})

test('is only announced to a user who left the control for the page', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending')
  act(() => {
    element('#asks').blur()
  })
  await draw('success')
  expect(document.activeElement).toBe(document.body)
})

test('takes no focus when the page opens with an attempt that has ended, or that others began', async () => {
  await draw('success')
  expect(document.activeElement).toBe(document.body)
  expect(scrolled).not.toHaveBeenCalled()
})

test.each(['keydown', 'pointerdown', 'wheel', 'touchmove'])(
  'stays in sight when the page above it changes, until a %s',
  async (action) => {
    await draw('idle')
    focus('#asks')
    await draw('pending')
    await draw('success')
    expect([...observed.values()]).toEqual([[document.body]])
    for (const tell of observed.keys()) tell()
    expect(scrolled.mock.instances).toEqual([answer(), answer()])
    document.dispatchEvent(new Event(action))
    expect(observed.size).toBe(0)
  },
)

test('is no longer kept in sight when the next attempt begins', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending')
  await draw('success')
  await draw('pending')
  expect(observed.size).toBe(0)
})

test('is asked for again by each attempt', async () => {
  await draw('idle')
  focus('#asks')
  await draw('pending')
  await draw('fail')
  focus('#asks')
  await draw('pending')
  await draw('fail')
  expect(document.activeElement).toBe(answer())
  focus('#other')
  await draw('idle')
  expect(document.activeElement).toBe(element('#other'))
  expect(scrolled).toHaveBeenCalledTimes(2)
})

/** A page whose first part is folded, and a control that can be removed. */
function FoldedPage({ isThere }: { isThere: boolean }) {
  useFocusFallback()
  return (
    <main>
      <details>
        <summary>
          <h2>Folded</h2>
        </summary>
        <button data-goes-on>Inside</button>
      </details>
      {isThere && <button id="asks">Ask</button>}
    </main>
  )
}

test('a lost focus goes past what is folded, to the heading of the folded part', async () => {
  const drawFolded = (isThere: boolean) =>
    act(async () => {
      root().render(<FoldedPage isThere={isThere} />)
      await Promise.resolve()
    })
  await drawFolded(true)
  focus('#asks')
  await drawFolded(false)
  expect(document.activeElement).toBe(element('summary h2'))
})
