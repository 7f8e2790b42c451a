import { act, useRef, useState } from 'react'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { useStickyEdge } from '../../../views/shared/dom/edges.ts'
import { useFocusInSight } from '../../../views/pane/dom/focusInSight.ts'
import { useScrollIntoSight } from '../../../views/pane/dom/inSight.ts'
import { useVirtualRows, type VirtualRow } from '../../../views/pane/signatures/virtual.ts'
import { stubResizeObserver, useRoot } from '../root.ts'

let resized: ReturnType<typeof stubResizeObserver>

beforeEach(() => {
  resized = stubResizeObserver()
})
afterEach(() => {
  vi.restoreAllMocks()
  document.documentElement.removeAttribute('style')
})
const root = useRoot()
const tellResize = () => {
  act(() => {
    for (const tell of [...resized.keys()]) tell()
  })
}

describe('many rows', () => {
  /** From the top of the page to the list. */
  let listTop: number
  let scrollY: number
  let scrolledTo: unknown[]
  let pageHeight: number
  let heights: Map<string, number>
  let change: (rows: readonly VirtualRow[], over?: Partial<Shown>) => void
  type Shown = { pinned: number | null; scope: string; reached: string | null }

  const row = (key: string, height = 100): VirtualRow => ({ key, height, text: 0 })
  const rows = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => row(`row-${String(from + index)}`))

  beforeEach(() => {
    ;[listTop, scrollY, pageHeight] = [50, 0, 100_000]
    heights = new Map()
    vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => scrollY)
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(500)
    scrolledTo = []
    vi.spyOn(window, 'scrollTo').mockImplementation((...[to]: unknown[]) => {
      scrolledTo.push(to)
      scrollY = (to as ScrollToOptions).top ?? scrollY
    })
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => pageHeight)
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
      return heights.get(this.dataset['row'] ?? '') ?? 0
    })
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
      () => new DOMRect(0, listTop - scrollY, 300, 0),
    )
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  })

  function List({ first, shown }: { first: readonly VirtualRow[]; shown: Shown }) {
    const [all, setAll] = useState(first)
    const [{ pinned, scope, reached }, setShown] = useState(shown)
    change = (next, over = {}) => {
      act(() => {
        setAll(next)
        setShown({ ...shown, ...over })
      })
    }
    const { list, drawn, tops, total } = useVirtualRows(all, pinned, 10, { scope, reached })
    return (
      <div ref={list} style={{ height: total }}>
        {drawn.map((index) => (
          <button key={all[index]?.key} data-row={all[index]?.key} style={{ top: tops[index] }} />
        ))}
      </div>
    )
  }
  const draw = (first: readonly VirtualRow[], over: Partial<Shown> = {}) => {
    act(() => {
      root().render(<List first={first} shown={{ pinned: null, scope: 'all', reached: null, ...over }} />)
    })
  }
  const drawn = () => [...document.querySelectorAll('button')].map(({ dataset }) => dataset['row'])
  const edges = () => [drawn()[0], drawn().at(-1)]
  const list = () => {
    const found = document.querySelector<HTMLElement>('[style*=height]')
    if (!found) throw new Error('no list')
    return found
  }
  const scroll = (to: number) => {
    scrollY = to
    act(() => {
      document.dispatchEvent(new Event('scroll'))
    })
  }

  test('are drawn near the visible part, in steps, and the pinned one wherever it is', () => {
    draw(rows(100), { pinned: 90 })
    // 500 visible pixels, 400 on each side and a step, of which the list begins after 50.
    expect([drawn()[0], drawn().at(-2), drawn().at(-1)]).toEqual(['row-0', 'row-8', 'row-90'])
    scroll(2_049)
    expect([drawn()[0], drawn().at(-2)]).toEqual(['row-13', 'row-26'])
    scroll(2_050)
    expect([drawn()[0], drawn().at(-2)]).toEqual(['row-14', 'row-27'])
    expect(list().style.height).toBe('10990px')
    scroll(11_000)
    expect(edges()).toEqual(['row-90', 'row-99'])
  })

  test('are placed by their measured heights', () => {
    heights.set('row-0', 40)
    draw(rows(3))
    expect([...document.querySelectorAll('button')].map(({ style }) => style.top)).toEqual([
      '0px',
      '50px',
      '160px',
    ])
    expect(list().style.height).toBe('260px')
    heights.set('row-1', 10)
    tellResize()
    expect(list().style.height).toBe('170px')
  })

  test('follow a taller window, and larger text', () => {
    draw(rows(100))
    vi.spyOn(window, 'innerHeight', 'get').mockReturnValue(1_000)
    act(() => {
      window.dispatchEvent(new Event('resize'))
    })
    expect(edges()).toEqual(['row-0', 'row-12'])
    document.documentElement.style.fontSize = '32px'
    change(rows(2).map((each) => ({ ...each, text: 20 })))
    expect(list().style.height).toBe('250px')
  })

  test('are observed while they are drawn, and the page with them', () => {
    draw(rows(3))
    expect([...resized.values()].flat()).toEqual([
      document.documentElement,
      ...document.querySelectorAll('button'),
    ])
    change(rows(2))
    expect([...resized.values()].flat()).toHaveLength(3)
  })

  test('stay where they are when rows come above the visible part', () => {
    draw(rows(100))
    scroll(2_000)
    change([...rows(3, 200), ...rows(100)])
    expect(scrollY).toBe(2_330)
    change(rows(100), { scope: 'other' })
    expect(scrollY).toBe(2_330)
  })

  test('stay where they are when something above the list grows', () => {
    draw(rows(100))
    scroll(2_000)
    listTop = 150
    tellResize()
    expect(scrollY).toBe(2_100)
    expect(scrolledTo).toEqual([{ top: 2_100, behavior: 'instant' }])
  })

  test('are not held at the top of the page', () => {
    draw(rows(100))
    listTop = 150
    tellResize()
    change([...rows(3, 200), ...rows(100)])
    expect(scrolledTo).toEqual([])
  })

  test('are held by what sticks to the edges of the page, too', () => {
    document.documentElement.style.setProperty('--bar-height', '60px')
    document.documentElement.style.setProperty('--foot-height', '40px')
    draw(rows(100))
    // The first pixel below the bar is the 10th of the list.
    change([...rows(1, 200), ...rows(100)])
    expect(scrollY).toBe(110)
  })

  test('are held where the focus is, if it came by the keyboard', () => {
    draw(rows(10))
    act(() => {
      document.querySelectorAll('button')[2]?.focus()
    })
    change([...rows(2), row('new'), ...rows(8, 2)])
    expect(scrollY).toBe(110)
  })

  test('are held where the pointer is, unless it is a finger', () => {
    const point = (name: string, pointerType: string, clientY: number) => {
      act(() => {
        list().dispatchEvent(Object.assign(new Event(name), { pointerType, clientY }))
      })
    }
    const between = () => [...rows(2), row('new'), ...rows(8, 2)]
    draw(rows(10))
    point('pointermove', 'touch', 300)
    change(between())
    expect(scrollY).toBe(0)
    change(rows(10))
    // In the third row, which begins at 220.
    point('pointermove', 'mouse', 280)
    change(between())
    expect(scrollY).toBe(110)
    change(rows(10))
    expect(scrollY).toBe(0)
    point('pointerleave', 'mouse', 0)
    change(between())
    expect(scrollY).toBe(0)
  })

  test('are held where the search box points', () => {
    draw(rows(10), { reached: 'row-2' })
    change([...rows(2), row('new'), ...rows(8, 2)], { reached: 'row-2' })
    expect(scrollY).toBe(110)
  })

  test('are held where they were before the page became too short', () => {
    draw(rows(30))
    scroll(2_500)
    pageHeight = 2_000
    // The browser scrolls up, and rows above go.
    scrollY = 1_500
    change(rows(27, 3))
    expect(scrollY).toBe(2_170)
  })
})

describe('what sticks to an edge', () => {
  let bottom: number
  let isSticky: boolean
  let scrolled: MockInstance<Element['scrollIntoView']>
  function Bar({ isShown }: { isShown: boolean }) {
    const ref = useStickyEdge<HTMLDivElement>('--bar-height')
    return isShown ? (
      <div ref={ref} className="bar">
        <p>
          <button>in it</button>
        </p>
      </div>
    ) : null
  }
  const height = () => document.documentElement.style.getPropertyValue('--bar-height')
  const draw = () => {
    act(() => {
      root().render(
        <>
          <Bar isShown />
          <button>below</button>
        </>,
      )
    })
  }
  const buttons = () => [...document.querySelectorAll('button')]

  beforeEach(() => {
    ;[bottom, isSticky] = [40, true]
    const styleOf = window.getComputedStyle.bind(window)
    vi.spyOn(window, 'getComputedStyle').mockImplementation((element) =>
      element.className === 'bar'
        ? ({ position: isSticky ? 'sticky' : 'static' } as CSSStyleDeclaration)
        : styleOf(element),
    )
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      return this.className === 'bar' ? new DOMRect(0, 5, 1, 15) : new DOMRect(0, 10, 1, bottom - 10)
    })
    scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  })

  test('says how far it reaches, with what hangs from it, while it sticks and is there', () => {
    draw()
    expect(height()).toBe('35px')
    bottom = 90
    tellResize()
    expect(height()).toBe('85px')
    isSticky = false
    act(() => {
      window.dispatchEvent(new Event('resize'))
    })
    expect(height()).toBe('0px')
    expect([...resized.values()].flat().map(({ tagName }) => tagName)).toEqual(['DIV', 'P'])
    act(() => {
      root().render(null)
    })
    expect([height(), resized.size]).toEqual(['', 0])
  })

  test('uncovers what has the focus when it grows, and not what is in it', () => {
    draw()
    const grow = (by: number) => {
      bottom += by
      tellResize()
      return scrolled.mock.calls.splice(0)
    }
    act(() => {
      buttons()[1]?.focus()
    })
    expect(grow(10)).toEqual([[{ block: 'nearest' }]])
    expect(grow(0)).toEqual([])
    expect(grow(-5)).toEqual([])
    act(() => {
      buttons()[0]?.focus()
    })
    expect(grow(10)).toEqual([])
  })
})

test('an element that is unfolded comes into sight once', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  function Part() {
    return <div ref={useScrollIntoSight<HTMLDivElement>()} />
  }
  const show = () => {
    act(() => {
      root().render(<Part />)
    })
  }
  show()
  expect(scrolled.mock.calls).toEqual([[{ block: 'nearest' }]])
  show()
  expect(scrolled.mock.calls).toHaveLength(1)
  scrolled.mockRestore()
})

test('the focused element comes into sight when there is less room', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  function Pane({ isSmaller }: { isSmaller: boolean }) {
    const button = useRef<HTMLButtonElement>(null)
    useFocusInSight(isSmaller)
    return <button ref={button} />
  }
  const show = (isSmaller: boolean) => {
    act(() => {
      root().render(<Pane isSmaller={isSmaller} />)
    })
    return scrolled.mock.calls.splice(0)
  }
  expect(show(false)).toEqual([])
  expect(show(true)).toEqual([[{ block: 'nearest' }]])
  expect(show(true)).toEqual([])
  expect(show(false)).toEqual([])
})
