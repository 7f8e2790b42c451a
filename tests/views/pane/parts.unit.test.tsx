import { act, type ReactElement } from 'react'
import { BehaviorSubject } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import { Insertion, type InsertionTarget } from '../../../streams/message/insertion/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { FatalPage } from '../../../views/pane/FatalPage.tsx'
import { AppProvider, useApp } from '../../../views/pane/app.tsx'
import { useAdministration } from '../../../views/administration/parts/administration.tsx'
import { useElementSeen } from '../../../views/shared/seen.ts'
import { ToolsProvider, useTools } from '../../../views/shared/tools.tsx'
import { Button } from '../../../views/shared/Button.tsx'
import { Dialog } from '../../../views/shared/Dialog.tsx'
import { Fade } from '../../../views/pane/frame/Fade.tsx'
import { FailureNotice } from '../../../views/pane/frame/FailureNotice.tsx'
import { matchingRows } from '../../../views/pane/signatures/listRows.ts'
import { Menu } from '../../../views/pane/signatures/Menu.tsx'
import { Notice } from '../../../views/shared/Notice.tsx'
import { createClock } from '../../support/clock.ts'
import { masterId, stateAfter } from '../../support/state.ts'
import {
  all,
  announced,
  choosing,
  click,
  clickOn,
  defaultIn,
  focus,
  inMessage,
  option,
  press,
  reason,
  shortIn,
  signature,
  unfold,
  useDrawing,
  writing,
} from '../drawing.tsx'
import { outline } from '../outline.ts'
import { part } from '../said.ts'

const { recorded, render, draw, become } = useDrawing()

describe('the page in place of the pane', () => {
  test.each([
    ['noHost', 'Signet can’t start here'],
    ['crash', 'Signet stopped working'],
  ] as const)('for %s says what happened, what it means and what to do', (cause, title) => {
    render(<FatalPage cause={cause} onReload={() => undefined} />)
    const lines = outline(document.querySelector('main'))
    expect(lines.slice(0, 2)).toEqual(['alert:', `# ${title}`])
    expect(lines).toHaveLength(5)
    expect(new Set(lines).size).toBe(5)
  })
})

test.each([
  ['AppProvider', useApp],
  ['ToolsProvider', useTools],
  ['AdministrationProvider', useAdministration],
])('a view outside of %s says so', (name, use) => {
  let thrown: unknown
  const View = () => {
    try {
      use()
    } catch (error) {
      thrown = error
    }
    return null
  }
  render(<View />)
  expect(thrown).toEqual(new Error(`a view was drawn outside ${name}`))
})

describe('a button', () => {
  test.each([
    [{}, 'secondary'],
    [{ small: true }, 'secondary small'],
  ])('with %j looks so', (props, className) => {
    render(
      <Button look="secondary" onPress={() => undefined} {...props}>
        Go
      </Button>,
    )
    expect(all('button')[0]?.className).toBe(className)
  })

  test('that is off keeps its place and does nothing', () => {
    const onPress = vi.fn()
    const show = (isOff: boolean) => {
      render(
        <Button look="primary" isOff={isOff} goesOn={!isOff} onPress={onPress}>
          Go
        </Button>,
      )
      clickOn(all('button')[0])
      return ['aria-disabled', 'data-goes-on'].map((name) => all('button')[0]?.getAttribute(name))
    }
    expect(show(true)).toEqual(['true', null])
    expect(onPress).not.toHaveBeenCalled()
    expect(show(false)).toEqual([null, 'true'])
    expect(onPress).toHaveBeenCalledOnce()
  })
})

describe('a notice', () => {
  test.each([
    ['info', false, 'notice', 'note'],
    ['warning', false, 'notice warning', 'note'],
    ['danger', true, 'notice danger', 'alert'],
  ] as const)('of %s looks and is read as it', (tone, urgent, className, role) => {
    render(<Notice tone={tone} urgent={urgent} title="T" />)
    expect(all('.notice').map((each) => [each.className, each.getAttribute('role')])).toEqual([
      [className, role],
    ])
    expect(outline(document.body)).toEqual([`${role}:`, 'T'])
  })

  test('has only the parts that it is given', () => {
    render(<Notice tone="info" />)
    expect(all('.notice > div')).toHaveLength(1)
    expect(all('.notice p')).toEqual([])
    render(<Notice tone="info" act="Act" more="More" />)
    expect(all('.notice > div').map(({ className }) => className)).toEqual(['words', 'act', 'more'])
  })

  test.each([
    ['insert', 'danger'],
    ['takeOut', 'danger'],
    ['undo', 'danger'],
    ['load', 'warning'],
    ['restoreBody', 'warning'],
  ] as const)('of a failure to %s is a %s', (purpose, tone) => {
    render(
      <AppProvider
        value={{
          state$: new BehaviorSubject(stateAfter()),
          record: () => undefined,
          viewOf: () => null,
          loadSanitizer: () => new Promise(() => undefined),
          imageOrigins: [],
          time: createClock(),
          version: '0.0.0',
          supportUrl: null,
        }}
      >
        <FailureNotice
          title="notice.notInserted"
          failure={{ kind: 'network' }}
          purpose={purpose}
          onRetry={null}
        />
      </AppProvider>,
    )
    expect(all('[role=alert]')[0]?.classList.contains(tone)).toBe(true)
    expect(all('.act')).toEqual([])
  })
})

test('what is shown fades in when it becomes another, and not at first', () => {
  const show = (of: string, className?: string) => {
    render(
      <Fade of={of} className={className}>
        {of}
      </Fade>,
    )
    return all('body > div > div').map((each) => [each.className, each.textContent])
  }
  expect(show('a')).toEqual([['', 'a']])
  expect(show('a', 'view')).toEqual([['view', 'a']])
  expect(show('b', 'view')).toEqual([['view faded', 'b']])
  expect(show('b', 'view')).toEqual([['view faded', 'b']])
})

describe('a dialog', () => {
  const onClose = vi.fn()
  const show = (element: ReactElement) => {
    onClose.mockClear()
    render(element)
    const [dialog] = all('dialog')
    if (!dialog) throw new Error('no dialog')
    return dialog
  }

  test('is closed by Escape, its button and a click beside it, and not by one in it', () => {
    const dialog = show(
      <Dialog title="Sure?" onClose={onClose}>
        <p>In it</p>
      </Dialog>,
    )
    const cancel = new Event('cancel', { cancelable: true })
    act(() => {
      dialog.dispatchEvent(cancel)
    })
    expect([cancel.defaultPrevented, onClose.mock.calls.length]).toEqual([true, 1])
    click('Close')
    clickOn(dialog)
    expect(onClose).toHaveBeenCalledTimes(3)
    clickOn(all('dialog p')[0])
    expect(onClose).toHaveBeenCalledTimes(3)
    expect(outline(dialog)).toEqual(['## Sure?', '[Close]', 'In it'])
    expect(document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent).toBe('Sure?')
  })

  test('keeps its head and its buttons in sight when it fills the pane', () => {
    const sticky = (fills: boolean) => {
      const dialog = show(
        <Dialog title="T" fills={fills} onClose={onClose} act={<button>Do</button>}>
          In it
        </Dialog>,
      )
      return [dialog.className, ...all('[data-sticky]').map(({ dataset }) => dataset['sticky'])]
    }
    expect(sticky(false)).toEqual(['dialog', 'false', 'false'])
    expect(sticky(true)).toEqual(['whole', 'true', 'true'])
  })

  test('leads the Tab key from its last stop to its first, and back', () => {
    show(
      <Dialog title="T" onClose={onClose} act={<button>Do</button>}>
        <input type="radio" />
        <a href="#x">Go</a>
      </Dialog>,
    )
    const [close, last] = all('dialog button')
    const tab = (shiftKey: boolean) => {
      const event = new KeyboardEvent('keydown', { key: 'Tab', shiftKey, bubbles: true, cancelable: true })
      const heard = vi.fn()
      document.body.addEventListener('keydown', heard)
      act(() => {
        document.activeElement?.dispatchEvent(event)
      })
      document.body.removeEventListener('keydown', heard)
      return [document.activeElement, event.defaultPrevented]
    }
    focus(last)
    expect(tab(false)).toEqual([close, true])
    expect(tab(true)).toEqual([last, true])
    expect(tab(true)).toEqual([last, false])
  })
})

test('a menu is in sight, and takes and gives back the focus without scrolling', () => {
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
  const focused = vi.spyOn(HTMLElement.prototype, 'focus')
  render(<button>Open</button>)
  focus(all('button')[0])
  focused.mockClear()
  const choose = vi.fn()
  render(
    <>
      <button>Open</button>
      <Menu
        label="Menu"
        top={12}
        items={[
          { name: 'a', text: 'A', choose },
          { name: 'b', text: 'B', choose: null },
        ]}
        onClose={() => undefined}
      />
    </>,
  )
  expect(scrolled.mock.calls).toEqual([[{ block: 'nearest' }]])
  const items = all('[role=menuitem]')
  expect(items.map((item) => [item.textContent, item.getAttribute('aria-disabled'), item.tabIndex])).toEqual([
    ['A', 'false', -1],
    ['B', 'true', -1],
  ])
  expect(all('[role=menu]').map(({ style }) => style.top)).toEqual(['12px'])
  expect(document.activeElement).toBe(items[0])
  press('ArrowUp')
  expect(document.activeElement).toBe(items[1])
  clickOn(items[1])
  press('ArrowDown')
  press('End')
  press('Home')
  expect([document.activeElement, choose.mock.calls.length]).toEqual([items[0], 0])
  focused.mockClear()
  press('Escape')
  expect([document.activeElement, focused.mock.calls]).toEqual([
    all('button')[0],
    [[{ preventScroll: true }]],
  ])
  vi.restoreAllMocks()
})

describe('what is near the visible part', () => {
  test('is seen once it rests there', () => {
    const clock = createClock()
    const told: ((entries: readonly { isIntersecting: boolean }[]) => void)[] = []
    let watched = 0
    const options: unknown[] = []
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(tell: (typeof told)[number], init: unknown) {
          told.push(tell)
          options.push(init)
        }
        observe() {
          watched += 1
        }
        disconnect() {
          watched -= 1
        }
      },
    )
    const Seen = () => {
      const [ref, isSeen] = useElementSeen<HTMLParagraphElement>()
      return <p ref={ref}>{isSeen ? 'seen' : 'not seen'}</p>
    }
    render(
      <ToolsProvider
        value={{ loadSanitizer: () => new Promise(() => undefined), imageOrigins: [], time: clock }}
      >
        <Seen />
      </ToolsProvider>,
    )
    const is = () => all('p')[0]?.textContent
    const pass = (ms: number) => {
      act(() => {
        clock.advance(ms)
      })
    }
    const approach = (isIntersecting: boolean) => {
      act(() => {
        for (const tell of told) tell([{ isIntersecting: false }, { isIntersecting }])
      })
    }
    expect(options).toEqual([{ rootMargin: '200px' }])
    approach(false)
    pass(200)
    expect([is(), watched]).toEqual(['not seen', 1])
    approach(true)
    expect(watched).toBe(0)
    pass(79)
    act(() => {
      document.dispatchEvent(new Event('scroll'))
    })
    pass(79)
    expect(is()).toBe('not seen')
    pass(1)
    expect(is()).toBe('seen')
  })
})

/** A signature went in with this of its own. */
const insertedAs = (over: Partial<typeof inMessage>) => [
  ...writing,
  choosing,
  Insertion.succeeded({
    id: -2,
    itemKey: 'item-1',
    target: { kind: 'entry', entryId: masterId(1, 1) },
    inMessage: { ...inMessage, ...over },
    content: signature,
  }),
]

describe('what is announced', () => {
  test.each([
    [{}, '“Standard” is in your message.'],
    [{ combinedIds: 'c-unknown', hash: 'unknown', name: '' }, 'Your signature is in your message.'],
    [{ combinedIds: '', name: '' }, 'Your message has no signature now.'],
    [{ reason: { ...reason, origin: 'putBack' } }, '“Standard” is back in your message.'],
  ] as const)('of what went in as %j is one sentence', (over, said) => {
    draw(stateAfter(...insertedAs(over)))
    expect(announced()).toEqual([said])
  })

  test('is nothing before an insertion has succeeded', () => {
    draw(stateAfter(...writing, ...defaultIn, choosing))
    expect(announced()).toEqual([])
  })

  test('of a copy is its name', () => {
    const copying = Signatures.copyRequested({ entryId: masterId(1, 1) })
    draw(stateAfter(...writing, copying))
    expect(announced()).toEqual([])
    become(stateAfter(...writing, copying, Signatures.copied({ entryId: masterId(1, 1) })))
    expect(announced()).toEqual(['“Short” is copied. You can paste it now.'])
  })
})

describe('an insertion that failed', () => {
  const failed = (target: InsertionTarget, failure: Failure = { kind: 'network' }) => [
    ...writing,
    ...shortIn,
    target.kind === 'none' ? Insertion.noneChosen({ itemKey: 'item-1' }) : choosing,
    Insertion.failed({ id: -2, itemKey: 'item-1', target, failure }),
  ]
  const bar = () => outline(part('In this message'))

  test.each([
    [{ kind: 'none' }, 'The signature wasn’t removed', Insertion.noneChosen({ itemKey: 'item-1' })],
    [{ kind: 'entry', entryId: masterId(1, 1) }, 'The signature wasn’t inserted', choosing],
  ] as const)('as %j says so, and is tried again', (target, title, retried) => {
    draw(stateAfter(...failed(target, { kind: 'hostSilent', call: 'body.setSignatureAsync' })))
    expect(bar()).toContain(title)
    click('Try again')
    expect(recorded).toEqual([retried])
  })

  test('is marked at its option', () => {
    draw(stateAfter(...failed({ kind: 'entry', entryId: masterId(1, 1) })))
    expect(outline(option('Short'))[0]).toContain('Not inserted')
    become(stateAfter(...failed({ kind: 'none' })))
    expect(outline(option('No signature'))[0]).toContain('Not inserted')
  })
})

describe('how far an insertion is', () => {
  test.each([
    [0, 0, '50%', undefined],
    [0, 1, '25%', '0 of 1 picture'],
    [2, 3, '62.5%', '2 of 3 pictures'],
  ])('with %i of %i pictures is drawn and said', (imagesDone, imagesTotal, width, said) => {
    draw(stateAfter(...writing, choosing, Insertion.progressed({ id: -2, imagesDone, imagesTotal })))
    const bar = part('In this message')
    expect(bar.querySelector<HTMLElement>('[style*=width]')?.style.width).toBe(width)
    expect(bar.getAttribute('aria-busy')).toBe('true')
    expect(outline(bar).slice(1)).toEqual(['Inserting “Short”', ...(said === undefined ? [] : [said])])
  })
})

describe('what is in the message', () => {
  test.each([
    [{ reason: { ...reason, origin: 'manual', reply: true } }, 'Standard (reply version)'],
    [{ reason: { ...reason, origin: 'manual' } }, 'Standard'],
    [{ reason: { ...reason, reply: true } }, 'Standard (reply version)'],
    [{ combinedIds: '', name: '', reason: { ...reason, origin: 'manual' } }, 'No signature'],
  ] as const)('as %j has this name', (over, name) => {
    draw(stateAfter(...insertedAs(over)))
    const lines = outline(part('In this message'))
    expect(lines.find((line) => !line.startsWith('#') && !line.startsWith('['))).toBe(name)
  })

  test('is not asked of a message that is only read', () => {
    draw(stateAfter(...writing, Mailbox.itemChanged({ item: { key: 'item-2', mode: 'read' } })))
    expect(outline(part('In this message'))).toEqual(['# In this message', 'You’re reading a message'])
  })
})

describe('rows', () => {
  test('say where a list ends, is missing, is looked for, or has none', () => {
    const base = { isWaiting: false, groups: [], shared: [], isGrowing: false, none: null } as const
    const rows = (over: Partial<Parameters<typeof matchingRows>[0]>, query = '') =>
      matchingRows({ ...base, ends: { own: null, delegated: null }, ...over }, query, new Set()).map(
        ({ kind, key, group, height, text }) => [kind, key, group, height, text],
      )
    expect(rows({})).toEqual([])
    const ends = { own: { kind: 'nextPage', pages: 2 }, delegated: { kind: 'failed' } } as const
    expect(rows({ ends, isGrowing: true, none: { name: 'None', inUse: true } })).toEqual([
      ['nextPage', 'nextPage-own-2', 'rest', 122, 36],
      ['failed', 'failed-delegated', 'nextPage', 180, 140],
      ['none', 'none', 'none', 62, 36],
      ['growing', 'growing', 'growing', 28, 20],
    ])
    expect(rows({ ends, isWaiting: true })).toEqual(
      [0, 1, 2].map((index) => ['waiting', `waiting-${String(index)}`, 'rest', 122, 36]),
    )
    const none = { name: 'No signature', inUse: false }
    expect(rows({ none }, 'sig')).toHaveLength(1)
    expect(rows({ none }, 'other')).toEqual([])
  })
})

describe('an option', () => {
  const looks = (name: string) => option(name).className.split(' ').slice(1)

  test('looks as what it is, and is counted', () => {
    draw(stateAfter(...writing, ...defaultIn))
    unfold('Standard')
    expect(looks('Standard')).toEqual(['inUse', 'folds'])
    expect(looks('Standard (reply version)')).toEqual(['variant'])
    expect(looks('No signature')).toEqual(['none'])
    const counted = (name: string) =>
      ['posinset', 'setsize', 'busy', 'disabled'].map((each) => option(name).getAttribute(`aria-${each}`))
    expect(counted('Standard (reply version)')).toEqual(['2', '5', 'false', 'false'])
    expect(counted('No signature')).toEqual(['5', '5', 'false', 'false'])
    become(stateAfter(...writing, choosing))
    expect(counted('Short')).toEqual(['3', '5', 'true', 'false'])
    become(stateAfter(...writing, Insertion.noneChosen({ itemKey: 'item-1' })))
    expect(counted('No signature')).toEqual(['5', '5', 'true', 'false'])
    expect(counted('Short')).toEqual(['3', '5', 'false', 'false'])
    become(stateAfter(...writing, Mailbox.itemChanged({ item: { key: 'item-2', mode: 'compose' } })))
    expect(looks('Short')).toEqual(['waiting'])
    expect(counted('Short')).toEqual(['3', '5', 'false', 'true'])
  })

  test('that the search box points to looks so, and comes into sight', () => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
    draw(stateAfter(...writing))
    focus(all('[role=combobox]')[0])
    scrolled.mockClear()
    press('ArrowDown')
    expect(looks('Standard')).toEqual(['reached', 'folds'])
    expect(scrolled.mock.calls).toEqual([[{ block: 'nearest' }]])
    expect(all('[role=combobox]')[0]?.getAttribute('aria-activedescendant')).toBe(option('Standard').id)
    scrolled.mockRestore()
  })

  test('has its buttons at its top, and only that of the active one is reached', () => {
    draw(stateAfter(...writing))
    const top = parseFloat(option('Short').style.top)
    const buttons = all('button[data-of]').filter(
      ({ dataset }) => dataset['of'] === option('Short').dataset['row'],
    )
    expect(buttons.map(({ style, tabIndex }) => [style.top, tabIndex])).toEqual([
      [`${String(top + 1)}px`, -1],
      [`${String(top + 1)}px`, -1],
    ])
    expect(all('button[data-of]').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(3)
    clickOn(buttons[1])
    expect(all('[role=menu]').map(({ style }) => style.top)).toEqual([`${String(top + 28)}px`])
    expect(buttons[1]?.getAttribute('aria-expanded')).toBe('true')
    press('Escape')
    expect(all('[role=menu]')).toEqual([])
  })
})
