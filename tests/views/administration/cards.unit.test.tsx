import { act } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { InsightLoad } from '../../../streams/administration/overview/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { insight } from '../../support/administration/answers.ts'
import { alex, draftOf, manySignatures, releaseDocument } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import {
  all,
  body,
  button,
  field,
  fill,
  press,
  textOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'

const { recorded, draw, go } = useAdministrationDrawing()

const shown = (document: ReleaseDocument = manySignatures, path = '/signatures') => [
  ...at(path),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
  Planning.personRead({ person: alex }),
]
const told = InsightLoad.loaded({
  value: { ...insight(), signatures: [{ signature: 'legal', name: 'Legal', people: 3 }] },
})
const moved = (signature: string, to: number) => Planning.signatureMoved({ signature, to })
const filtered = (text: string, show: 'all' | 'everyone' | 'some' | 'nobody' = 'all') =>
  Planning.cardsFiltered({ text, show })
const names = () => textOf('main h2 a')
const status = () => textOf('main section [role=status]')
const said = () => textOf('main [role=status]').join(' ')
const handle = (name: string) => button(`Move ${name}`)
const hintOf = (name: string) =>
  document.getElementById(handle(name).getAttribute('aria-describedby') ?? '')?.textContent
const key = (name: string, pressed: string, held: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true, ...held })
  act(() => void handle(name).dispatchEvent(event))
  return event.defaultPrevented
}

describe('the filter of the cards', () => {
  test('is there for more than six signatures', async () => {
    const others = manySignatures.signatures.slice(2)
    await draw(...shown({ ...manySignatures, signatures: others.slice(0, 6) }), filtered('finance'))
    expect([all('input[type=search]').length, names().length]).toEqual([0, 6])
    await draw(...shown({ ...manySignatures, signatures: others.slice(0, 7) }), filtered('finance'))
    expect([all('input[type=search]').length, names()]).toEqual([1, ['Finance']])
  })

  test('records what is typed and chosen together', async () => {
    await draw(...shown(), told)
    fill(field('Search signatures'), 'emea')
    fill(field('Show'), 'nobody')
    await go(...shown(), told, filtered('emea', 'nobody'))
    fill(field('Search signatures'), 'emea f')
    expect(recorded).toEqual([filtered('emea'), filtered('emea', 'nobody'), filtered('emea f', 'nobody')])
  })

  test('finds by name, by template and by whom it is for', async () => {
    await draw(...shown(), filtered('sales'))
    expect(names()).toEqual(['Sales'])
    await go(...shown(), filtered('templates/a.html'))
    expect(names()).toEqual(['Corporate', 'Sales', 'España'])
    await go(...shown(), filtered('country es'))
    expect(names()).toEqual(['España'])
  })

  test('says how many cards it leaves, and what to do when there are none', async () => {
    await draw(...shown(), told)
    expect(status()).toContain('15 signatures')
    await go(...shown(), told, filtered('', 'nobody'))
    expect(status()).toContain('14 of 15 signatures')
    expect(names()).not.toContain('Legal')
    await go(...shown(), told, filtered('nowhere'))
    expect(status()).toContain(
      'None of the 15 signatures fits. Change the search or the choice, or show all of them.',
    )
    expect(all('main ol')).toEqual([])
  })

  test('is cleared by one button, which is there only while it hides something', async () => {
    await draw(...shown(), filtered('legal', 'some'))
    expect(field('Search signatures').value).toBe('legal')
    press('Show all')
    expect(recorded).toEqual([filtered('')])
    expect(field('Search signatures').value).toBe('')
    await go(...shown())
    expect(body()).not.toContain('Show all')
    expect(names()).toHaveLength(15)
  })

  test('has the focus in the search after everything is shown again', async () => {
    await draw(...shown(), filtered('legal'))
    button('Show all').focus()
    press('Show all')
    await go(...shown())
    await vi.waitFor(() => expect(document.activeElement).toBe(field('Search signatures')))
  })

  test('offers no choice that would leave all signatures, or none', async () => {
    await draw(...shown())
    expect(textOf('main section select option')).toEqual([
      ...['All signatures', 'For everyone', 'For people who fit a rule'],
      ...['Period now', 'Period later', 'Period over'],
    ])
    const signatures = manySignatures.signatures.map((each) => ({ ...each, during: null }))
    await go(...shown({ ...manySignatures, signatures: signatures.slice(2, 9) }))
    expect(all('main section select')).toEqual([])
  })

  test('knows nobody’s defaults only when the figures are there', async () => {
    await draw(...shown(), filtered('', 'nobody'))
    expect(textOf('main section select option')).not.toContain('Nobody’s default')
    expect(names()).toHaveLength(15)
    await go(...shown(), told, filtered('', 'nobody'))
    expect(textOf('main section select option')).toContain('Nobody’s default')
    expect(names()).toHaveLength(14)
  })
})

describe('the handle of a card', () => {
  test('moves it by one place or to an end, by a key', async () => {
    await draw(...shown())
    for (const pressed of ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'Home', 'End'])
      expect(key('Legal', pressed)).toBe(true)
    expect(recorded).toEqual([2, 2, 4, 4, 0, 14].map((to) => moved('legal', to)))
  })

  test('moves nothing beyond the ends, by another key or with a modifier', async () => {
    await draw(...shown())
    key('Corporate', 'ArrowUp')
    key('Corporate', 'Home')
    key('España', 'End')
    expect(key('Legal', 'a')).toBe(false)
    for (const held of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey'])
      expect(key('Legal', 'ArrowDown', { [held]: true })).toBe(false)
    expect(recorded).toEqual([])
  })

  test('keeps the focus, comes into sight, and its new place is said', async () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      order.push(this.querySelector('h2 a')?.textContent ?? '')
    })
    const order: string[] = []
    await draw(...shown())
    handle('Legal').focus()
    key('Legal', 'End')
    order.length = 0
    await go(...shown(), moved('legal', 14))
    expect(names().at(-1)).toBe('Legal')
    expect(document.activeElement).toBe(handle('Legal'))
    expect(said()).toContain('Moved to 15 of 15: Legal')
    handle('Sales').focus()
    key('Sales', 'End')
    await go(...shown(), moved('legal', 14), moved('b', 14))
    expect(said()).toContain('Moved to 15 of 15: Sales')
    await go(...shown(), moved('legal', 14), moved('b', 14), filtered('s'))
    expect(said()).not.toContain('Moved to')
    expect(order.filter((name, index) => name !== order[index - 1])).toEqual(['Legal', 'Sales'])
    seen.mockRestore()
  })

  /** Drags with the types of the data that the drag began with, or with other types. */
  const dragging = () => {
    const dataTransfer = {
      types: new Array<string>(),
      dropEffect: 'none',
      setData: (type: string) => void dataTransfer.types.push(type),
      setDragImage: () => undefined,
    }
    return (kind: string, name: string, clientX = 0, over: object = {}) => {
      const data = Object.assign(dataTransfer, { dropEffect: 'none' }, over)
      const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), {
        dataTransfer: data,
        clientX,
      })
      act(() => void handle(name).dispatchEvent(event))
      return [event.defaultPrevented, data.dropEffect]
    }
  }
  const lines = () => all('[data-drop]').map((card) => card.dataset['drop'])

  test('keeps its line while the pointer goes on inside the list, and loses it outside', async () => {
    await draw(...shown())
    const drag = dragging()
    drag('dragstart', 'Legal')
    expect(drag('dragenter', 'Sales')).toEqual([true, 'none'])
    expect(drag('dragover', 'Sales', -1)).toEqual([true, 'move'])
    expect(lines()).toEqual(['left'])
    // Safari names no element to which the pointer goes.
    drag('dragenter', 'Legal')
    drag('dragleave', 'Sales')
    expect(lines()).toEqual(['left'])
    drag('dragleave', 'Legal')
    expect(lines()).toEqual([])
  })

  test('is not moved by files that are dropped after its drag got lost', async () => {
    await draw(...shown())
    const drag = dragging()
    drag('dragstart', 'Legal')
    drag('dragover', 'Sales', -1)
    const files = { types: ['Files'] }
    expect(drag('dragenter', 'Sales', -1, files)).toEqual([false, 'none'])
    expect(drag('dragover', 'Sales', -1, files)).toEqual([false, 'none'])
    expect(drag('drop', 'Sales', -1, files)).toEqual([false, 'none'])
    expect(recorded).toEqual([])
  })

  test('comes into sight only when it was not dragged there', async () => {
    const seen = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue()
    await draw(...shown())
    const drag = dragging()
    expect(drag('dragover', 'Sales')).toEqual([false, 'none'])
    drag('dragstart', 'Legal')
    expect(drag('dragover', 'Sales', -1)).toEqual([true, 'move'])
    seen.mockClear()
    drag('drop', 'Sales')
    expect(recorded).toEqual([moved('legal', 1)])
    await go(...shown(), moved('legal', 1))
    expect(said()).toContain('Moved to 2 of 15: Legal')
    expect(seen).not.toHaveBeenCalled()
    seen.mockRestore()
  })

  test('moves at once, before the pictures are drawn again', async () => {
    await draw(...shown())
    await go(...shown(), moved('a', 1))
    expect(names().slice(0, 2)).toEqual(['Sales', 'Corporate'])
  })

  test('is off while cards are hidden, and says why', async () => {
    await draw(...shown())
    expect(hintOf('Legal')).toContain('drag a card')
    expect(handle('Legal').parentElement?.getAttribute('draggable')).toBe('true')
    await go(...shown(), filtered('', 'some'))
    expect(hintOf('Legal')).toBe(
      'While you see only some of the signatures, none can be moved. Show all of them to change the order.',
    )
    expect(handle('Legal').getAttribute('aria-disabled')).toBe('true')
    expect(handle('Legal').parentElement?.getAttribute('draggable')).toBe('false')
    expect(key('Legal', 'ArrowDown')).toBe(false)
    press('Move Legal')
    expect([recorded, all('dialog')]).toEqual([[], []])
  })

  test('opens a dialog that moves without dragging and without keys', async () => {
    await draw(...shown())
    press('Move Legal')
    expect(textOf('dialog h2')).toEqual(['Move Legal'])
    expect(body()).toContain('Place 4 of 15 in the order')
    expect(field('Place in the order').value).toBe('3')
    press('Move earlier')
    press('Move later')
    fill(field('Place in the order'), '9')
    expect(recorded).toEqual([moved('legal', 2), moved('legal', 4), moved('legal', 9)])
    await go(...shown(), moved('legal', 9))
    expect(textOf('dialog h2')).toEqual(['Move Legal'])
    expect(body()).toContain('Place 10 of 15 in the order')
    press('Close')
    expect(all('dialog')).toEqual([])
  })

  test('moves a block within its slot', async () => {
    const second = block({ id: 'second', name: 'Second' })
    const blocks = [block({}), block({ id: 'award', name: 'Award', slot: 'award' }), second]
    const on = shown(withTheseBlocks(releaseDocument, blocks), '/blocks')
    await draw(...on)
    expect(textOf('main h3 a')).toEqual(['Autumn fair', 'Second', 'Award'])
    expect(all('[data-handle]')).toHaveLength(2)
    expect(hintOf('Second')).toContain('drag a card')
    key('Second', 'ArrowUp')
    const after = Planning.blockMoved({ block: 'second', to: 0 })
    expect(recorded).toEqual([after])
    await go(...on, after)
    expect(textOf('main h3 a')).toEqual(['Second', 'Autumn fair', 'Award'])
    expect(said()).toContain('Moved to 1 of 2: Second')
  })

  test('is missing on a single card', async () => {
    await draw(...shown({ ...releaseDocument, signatures: releaseDocument.signatures.slice(0, 1) }))
    expect(all('[data-handle]')).toEqual([])
    expect(body()).not.toContain('drag a card')
  })
})

describe('the copy of a card', () => {
  test('has the first free name and id', async () => {
    const named = { ...manySignatures.signatures[0], id: 'sales_2', name: 'Sales (2)' }
    const signatures = [...manySignatures.signatures, named as ReleaseDocument['signatures'][number]]
    await draw(...shown({ ...manySignatures, signatures }))
    press('Duplicate Sales')
    press('Duplicate Legal')
    expect(recorded).toEqual([
      Planning.signatureAdded({ signature: 'sales_3', name: 'Sales (3)', like: 'b' }),
      Planning.signatureAdded({ signature: 'legal_2', name: 'Legal (2)', like: 'legal' }),
    ])
  })

  test('is made of a block too', async () => {
    await draw(...shown(withTheseBlocks(releaseDocument, [block({})]), '/blocks'))
    press('Duplicate Autumn fair')
    expect(recorded).toEqual([
      Planning.blockAdded({ block: 'autumn_fair_2', name: 'Autumn fair (2)', like: 'autumn' }),
    ])
  })

  test('is made by a button that is in no link', async () => {
    await draw(...shown())
    expect(all('main ol button').length).toBeGreaterThan(4)
    expect(all('main a button, main a [draggable], main button button')).toEqual([])
  })
})
