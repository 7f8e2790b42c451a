import { act } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { LoggedEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { handleValue, createHandle } from '../../../streams/kernel/handle.ts'
import { Locale } from '../../../streams/pane/locale/events.ts'
import { Mailbox } from '../../../streams/message/mailbox/events.ts'
import { Maintenance } from '../../../streams/pane/maintenance/events.ts'
import { Picture } from '../../../streams/pane/picture/events.ts'
import { Router } from '../../../streams/pane/router/events.ts'
import { LogExport } from '../../../streams/pane/logExport/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { Telemetry } from '../../../streams/pane/telemetry/events.ts'
import { selectTelemetryPayload } from '../../../streams/pane/telemetry/selectors.ts'
import { Subscription } from '../../../streams/pane/subscription/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { App } from '../../../streams/pane/events.ts'
import { Chunks } from '../../../streams/pane/chunks/events.ts'
import { compose, define, stateAfter, variableStates } from '../../support/state.ts'
import {
  all,
  announced,
  button,
  click,
  clickOn,
  focus,
  press,
  said,
  type,
  useDrawing,
  writing,
} from '../drawing.tsx'

const { recorded, draw, become } = useDrawing()

const at = (path: string, page: 'variables' | 'settings' | 'about'): readonly LoggedEvent[] => [
  ...writing,
  Router.navigated({ path }),
  Chunks.loaded({ page }),
]
const inDetails = at('/app/settings/variables', 'variables')
const inSettings = at('/app/settings/app', 'settings')

const loaded = Variables.loaded({
  asked: 0,
  definitions: [
    define('first_name'),
    define('phone', { customType: 'mapped', lookups: { azure: 'telephoneNumber' }, resettable: true }),
    define('company', { customType: 'mapped', nonEditable: true }),
    define('pronouns', { customType: 'personal', displayName: 'Pronouns' }),
  ],
  states: variableStates({ changedFields: ['telephoneNumber'], originalData: { telephoneNumber: '+44 1' } }),
  values: { first_name: 'Alex', phone: '+44 2', company: 'Northwind' },
})
const withVariables = [...inDetails, loaded]

const field = (name: string): HTMLInputElement => {
  const label = all('label').find(({ textContent }) => textContent.startsWith(name))
  const input = label?.getAttribute('for') && document.getElementById(label.getAttribute('for') ?? '')
  if (!(input instanceof HTMLInputElement)) throw new Error(`no field ${name}`)
  return input
}
const describedBy = (element: HTMLElement): string =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

describe('my details', () => {
  test('show a busy placeholder and no field while they load', () => {
    draw(stateAfter(...inDetails, Variables.opened()))
    expect(document.querySelector('h1')?.textContent).toBe('My details')
    expect(all('[aria-busy=true]')).not.toEqual([])
    expect(all('fieldset')).toEqual([])
  })

  test('report a failed load, and can be retried', () => {
    draw(stateAfter(...inDetails, Variables.loadFailed({ failure: { kind: 'network' } })))
    expect(said()).toContain('Couldn’t load your details')
    click('Try again')
    expect(recorded).toEqual([App.retryRequested()])
  })

  test('[VAR-3] have the names that the organisation wrote, and words for the paths that Signet does not know', () => {
    const named = Variables.loaded({
      asked: 0,
      definitions: [
        define('first_name'),
        define('cost_center'),
        define('iOS_device'),
        define('device', { customType: 'personal', displayName: 'iOS_device' }),
        define('constructor', { customType: 'personal', displayName: 'constructor' }),
        define('hidden', { customType: 'personal', displayName: 'Pho\u202ene' }),
      ],
      states: variableStates(),
      values: {},
    })
    draw(stateAfter(...inDetails, named))
    expect(all('fieldset label').map(({ textContent }) => textContent)).toEqual([
      'First name',
      'Cost center',
      'iOS_device',
      'iOS_device',
      'constructor',
      'Pho[U+202E]ne',
    ])
  })

  test('say so when there are none', () => {
    const none = Variables.loaded({ asked: 0, definitions: [], states: variableStates(), values: {} })
    draw(stateAfter(...inDetails, none))
    expect(said()).toContain('There’s nothing to fill in.')
  })

  test('[VAR-8] show every value as what it is: hidden characters, markup and addresses', () => {
    const values = {
      first_name: 'A\u202Exel\u200B',
      phone: '<img src=x onerror=alert(1)>\u2066',
      company: 'javascript:alert(1)',
    }
    const originalData = { telephoneNumber: '\u202E<b>1' }
    const states = variableStates({ changedFields: ['telephoneNumber'], originalData })
    const shown = Variables.loaded({ ...loaded.data, states, values })
    draw(stateAfter(...inDetails, shown, Variables.edited({ path: 'first_name', value: '\u2066Al' })))
    expect(field('First name').value).toBe('[U+2066]Al')
    expect(describedBy(field('First name'))).toContain('Saved: A[U+202E]xel[U+200B]')
    expect(field('Phone').value).toBe('<img src=x onerror=alert(1)>[U+2066]')
    expect(field('Company').value).toBe('javascript:alert(1)')
    expect(all('dd').map(({ textContent }) => textContent)).toEqual([
      '<img src=x onerror=alert(1)>[U+2066]',
      '[U+202E]<b>1',
      '<img src=x onerror=alert(1)>[U+2066]',
    ])
    expect(all('fieldset a, fieldset img')).toEqual([])
  })

  test('[VAR-8] keep a hidden character that is shown by its number until the user deletes it', () => {
    const shown = Variables.loaded({ ...loaded.data, values: { first_name: 'A\u202Exel' } })
    draw(stateAfter(...inDetails, shown))
    type(field('First name'), 'A[U+202E]xels')
    type(field('First name'), 'Axels')
    expect(recorded).toEqual([
      Variables.edited({ path: 'first_name', value: 'A\u202Exels' }),
      Variables.edited({ path: 'first_name', value: 'Axels' }),
    ])
  })

  test('are in ordered groups, each field with its name and value', () => {
    draw(stateAfter(...withVariables))
    expect(all('legend').map(({ textContent }) => textContent)).toEqual([
      'You',
      'From the directory',
      'From your organisation',
    ])
    expect(field('First name').value).toBe('Alex')
    expect(field('Pronouns').value).toBe('')
    expect(button('Save 1 change')).toBeUndefined()
  })

  test('typing records an edit; an edited field is marked, shows the saved value and can be put back', () => {
    draw(stateAfter(...withVariables))
    type(field('First name'), 'Sasha')
    expect(recorded).toEqual([Variables.edited({ path: 'first_name', value: 'Sasha' })])

    become(stateAfter(...withVariables, Variables.edited({ path: 'first_name', value: 'Sasha' })))
    expect(field('First name').value).toBe('Sasha')
    expect(all('label').map(({ textContent }) => textContent)).toContain('First namechanged')
    expect(describedBy(field('First name'))).toContain('Saved: Alex')
    click('Restore First name')
    expect(recorded.at(-1)).toEqual(Variables.discarded({ path: 'first_name' }))
    click('Save 1 change')
    expect(recorded.at(-1)).toEqual(Variables.saveRequested({ occasion: 'person' }))
    click('Discard changes')
    expect(recorded.at(-1)).toEqual(Variables.allDiscarded())
  })

  test('a locked field is read-only and says who can change it', () => {
    draw(stateAfter(...withVariables))
    expect(field('Company').readOnly).toBe(true)
    expect(describedBy(field('Company'))).toContain('Only your administrator')
    expect(field('Phone').readOnly).toBe(false)
  })

  const choice = () =>
    all('[role=group]').find(
      (each) => each.getAttribute('aria-label') === 'Phone: your value or the directory’s',
    )
  const values = () =>
    [...(choice()?.querySelectorAll('dt, dd') ?? [])].map(({ textContent }) => textContent).join(' ')
  const hint = () => choice()?.querySelector('[aria-live]')?.textContent

  test('a field that differs from the directory shows both and the saved value, and offers a choice', () => {
    draw(stateAfter(...withVariables, Variables.edited({ path: 'phone', value: '+44 3' })))
    expect(hint()).toBe('This value differs from your organisation’s directory.')
    expect(values()).toBe('Mine +44 3 Directory +44 1 Saved +44 2')
    click('Use directory value')
    expect(recorded).toEqual([Variables.marked({ path: 'phone' })])
    become(stateAfter(...withVariables, Variables.marked({ path: 'phone' })))
    expect(field('Phone').value).toBe('+44 1')
    expect(hint()).toBe('Will follow the directory when you save.')
    expect(values()).toBe('Mine +44 2 Directory +44 1 Saved +44 2')
    click('Keep my value')
    expect(recorded.at(-1)).toEqual(Variables.unmarked({ path: 'phone' }))
  })

  test('a field with the directory’s value does not differ from it, and can follow it or be put back', () => {
    draw(stateAfter(...withVariables, Variables.edited({ path: 'phone', value: '+44 1' })))
    expect(said()).not.toContain('differs')
    expect(hint()).toBe('Same as the directory.')
    expect(values()).toBe('Mine +44 1 Directory +44 1 Saved +44 2')
    click('Restore Phone')
    click('Follow the directory')
    expect(recorded).toEqual([Variables.discarded({ path: 'phone' }), Variables.marked({ path: 'phone' })])
  })

  test('the choice between the values stays under the focus, and can be undone after a save', () => {
    const marked = [...withVariables, Variables.marked({ path: 'phone' })]
    const sent = { phone: { value: '+44 1', resync: true } }
    const saved = { values: { ...loaded.data.values, phone: '+44 1' }, changedFields: [] }
    const after = [...marked, Variables.saveStarted({ sent }), Variables.saved({ sent, saved })]
    const choose = () => {
      draw(stateAfter(...withVariables))
      focus(button('Use directory value'))
      const pressed = document.activeElement
      click('Use directory value')
      become(stateAfter(...marked))
      expect(document.activeElement).toBe(pressed)
      become(stateAfter(...after))
      expect(document.activeElement).toBe(pressed)
      expect(hint()).toBe('Follows the directory.')
      expect(values()).toBe('Mine +44 2 Directory +44 1 Saved +44 1')
    }
    choose()
    focus(field('Phone'))
    expect(choice()).toBeUndefined()
    recorded.length = 0

    choose()
    click('Keep my value')
    expect(recorded.at(-1)).toEqual(Variables.edited({ path: 'phone', value: '+44 2' }))
    expect(document.activeElement).toBe(field('Phone'))
    expect(choice()).toBeUndefined()
  })

  test('the choice between the values changes nothing when the field follows the directory by itself', () => {
    draw(stateAfter(...withVariables))
    focus(button('Use directory value'))
    const same = {
      ...loaded.data,
      states: variableStates(),
      values: { ...loaded.data.values, phone: '+44 1' },
    }
    become(stateAfter(...withVariables, Variables.loaded(same)))
    expect(hint()).toBe('Follows the directory.')
    click('Keep my value')
    expect(recorded).toEqual([])
    expect(choice()).toBeUndefined()
  })

  test('[SET-5] the directory’s value and the marks of empty details appear only when switched on', () => {
    const resyncOff = Settings.updated({ changes: { enableVariablesResync: false }, lasting: true })
    draw(stateAfter(...withVariables))
    expect(button('Use directory value')).toBeDefined()
    expect(said()).not.toContain('detail is empty')
    become(stateAfter(...withVariables, resyncOff))
    expect(button('Use directory value')).toBeUndefined()
    const missingOn = Settings.updated({ changes: { enableVariablesMissing: true }, lasting: true })
    become(stateAfter(...withVariables, missingOn))
    expect(said()).toContain('1 detail is empty.')
    expect(describedBy(field('Pronouns'))).toContain('No value yet.')
  })

  test('[VAR-9] changes that the browser does not store are pointed out', () => {
    const edited = [...withVariables, Variables.edited({ path: 'phone', value: '1' })]
    const warning = 'This browser isn’t storing your changes.'
    draw(stateAfter(...edited))
    expect(said()).not.toContain(warning)
    become(stateAfter(...edited, Variables.draftsWritten({ lasting: false })))
    expect(said()).toContain(warning)
    become(stateAfter(...withVariables, Variables.draftsWritten({ lasting: false })))
    expect(said()).not.toContain(warning)
  })

  test.each([
    ['variable_is_locked', 'One of these details is locked'],
    ['variable_resync_failed', 'Couldn’t use a value from the directory'],
    [null, 'Couldn’t save your details'],
  ])('[VAR-7] a save that fails with %s is reported, and every edit stays', (code, title) => {
    const edited = Variables.edited({ path: 'first_name', value: 'Sasha' })
    const started = Variables.saveStarted({ sent: { first_name: { value: 'Sasha', resync: false } } })
    const failure = { kind: 'http', status: 422, code, data: null } as const
    draw(stateAfter(...withVariables, edited, started))
    expect(said()).toContain('Saving your details')
    become(stateAfter(...withVariables, edited, started, Variables.saveFailed({ failure })))
    expect(said()).toContain(title)
    expect(said()).toContain('Your changes are kept.')
    expect(field('First name').value).toBe('Sasha')
    expect(button('Save 1 change')).toBeDefined()
  })

  test('what others changed meanwhile is named with the save that brought it, while edits are unsaved, too', () => {
    const sent = { first_name: { value: 'Sasha', resync: false } }
    const values = { first_name: 'Sasha', phone: '+44 7', company: 'Marine', pronouns: 'x' }
    const saved = Variables.saved({ sent, saved: { values, changedFields: [] } })
    const here = Router.navigated({ path: '/app/settings/variables' })
    const edited = Variables.edited({ path: 'first_name', value: 'Sasha' })
    const names = 'Changes made elsewhere in the meantime are shown here too: Phone, Company, Pronouns.'
    const before = [...withVariables, edited, Variables.saveStarted({ sent })]
    draw(stateAfter(...withVariables, edited))
    become(stateAfter(...before, saved, here))
    expect(said()).toContain(`Your details are saved. Your signatures are being updated. ${names}`)
    expect(field('Phone').value).toBe('+44 7')
    const typed = Variables.edited({ path: 'pronouns', value: 'y' })
    become(stateAfter(...before, saved, here, typed))
    expect(said()).toContain(names)
    expect(said()).not.toContain('Your details are saved.')
    // The next save has news of its own.
    const again = Variables.saveStarted({ sent: { pronouns: { value: 'y', resync: false } } })
    become(stateAfter(...before, saved, here, typed, again))
    expect(said()).not.toContain('elsewhere')
    become(stateAfter(...before, Variables.saved({ sent, saved: { values: {}, changedFields: [] } }), here))
    expect(said()).not.toContain('elsewhere')
  })

  test('a successful save is confirmed during this visit only', () => {
    const sent = { first_name: { value: 'Sasha', resync: false } }
    const before = [...withVariables, Variables.edited({ path: 'first_name', value: 'Sasha' })]
    const saved = Variables.saved({
      sent,
      saved: { values: { first_name: 'Sasha', phone: '+44 7', company: 'Northwind' }, changedFields: [] },
    })
    draw(stateAfter(...before))
    // Must not be the last event: its number, -1, stands for no save.
    const here = Router.navigated({ path: '/app/settings/variables' })
    become(stateAfter(...before, Variables.saveStarted({ sent }), saved, here))
    expect(said()).toContain('Your details are saved.')
    expect(button('Save 1 change')).toBeUndefined()
    // A later visit does not show it.
    const after = [
      ...before,
      Variables.saveStarted({ sent }),
      saved,
      Router.navigated({ path: '/app/dashboard' }),
    ]
    become(stateAfter(...after))
    become(stateAfter(...after, Router.navigated({ path: '/app/settings/variables' })))
    expect(said()).not.toContain('Your details are saved.')
    expect(said()).not.toContain('elsewhere')
  })

  test('[VAR-9] leaving with unsaved edits asks first: stay, keep for later, or discard', async () => {
    draw(stateAfter(...withVariables, Variables.edited({ path: 'first_name', value: 'Sasha' })))
    const leave = async () => {
      clickOn(all('nav a').find(({ textContent }) => textContent === 'Signatures'))
      await act(() => import('../../../views/pane/frame/UnsavedChangesDialog.tsx').then(() => undefined))
    }
    await leave()
    expect(all('dialog h2').map(({ textContent }) => textContent)).toEqual(['You have unsaved changes'])
    expect(recorded).toEqual([])
    click('Stay here')
    expect(all('dialog')).toEqual([])
    expect(recorded).toEqual([])

    await leave()
    click('Keep for later')
    const go = Router.navigationRequested({ to: '/app/dashboard' })
    expect(recorded).toEqual([go])
    await leave()
    const discard = all('dialog button').find(({ textContent }) => textContent === 'Discard changes')
    clickOn(discard)
    expect(recorded).toEqual([go, Variables.allDiscarded(), go])
  })

  test('[VAR-9] the help asks before unsaved edits are left, too', async () => {
    draw(stateAfter(...withVariables, Variables.edited({ path: 'first_name', value: 'Sasha' })))
    clickOn(all('footer a').find((each) => each.getAttribute('aria-label') === 'Help'))
    await act(() => import('../../../views/pane/frame/UnsavedChangesDialog.tsx').then(() => undefined))
    expect(recorded).toEqual([])
    click('Keep for later')
    expect(recorded).toEqual([Router.navigationRequested({ to: '/help' })])
  })

  test('the tab shows the number of unsaved edits on other pages, too', () => {
    const edited = Variables.edited({ path: 'first_name', value: 'Sasha' })
    draw(stateAfter(...withVariables, edited, Router.navigated({ path: '/app/dashboard' })))
    expect(all('footer nav a')[1]?.textContent).toContain('1 unsaved change')
    clickOn(all('footer nav a')[2])
    expect(recorded).toEqual([Router.navigationRequested({ to: '/app/settings/app' })])
  })
})

describe('the picture', () => {
  const picture = { dataUrl: 'data:image/png;base64,AAAA', width: 300, height: 100 }
  const offered = Picture.offered({ file: createHandle(new Blob(['x'])) })
  const shown = () => document.querySelector<HTMLImageElement>('section img')?.getAttribute('src') ?? null

  test('says when there is none, and offers no deletion', () => {
    draw(stateAfter(...inDetails, Variables.opened()))
    expect(said()).not.toContain('No picture')
    become(stateAfter(...inDetails, Variables.opened(), Picture.loaded({ value: null })))
    expect(said()).toContain('No picture')
    expect(button('Delete picture')).toBeUndefined()
  })

  test('accepts a file that is chosen, and the same file once more', () => {
    draw(stateAfter(...inDetails))
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('there is no file input')
    const choose = (files: readonly File[]) => {
      Object.defineProperty(input, 'files', { configurable: true, value: files })
      act(() => void input.dispatchEvent(new Event('change', { bubbles: true })))
    }
    const file = new File(['x'], 'me.png', { type: 'image/png' })
    // The browser tells no change of a file input that still has the same file.
    const emptied = vi.spyOn(input, 'value', 'set')
    choose([file])
    choose([])
    choose([file])
    expect(emptied.mock.calls).toContainEqual([''])
    expect(recorded.map((event) => event.type)).toEqual(['picture/offered', 'picture/offered'])
    const [first] = recorded
    expect(first?.type === 'picture/offered' && handleValue(first.data.file)).toBe(file)
  })

  test('accepts a dropped and a pasted file', () => {
    draw(stateAfter(...inDetails))
    const file = new File(['x'], 'me.png', { type: 'image/png' })
    const section = document.querySelector('section')
    const happen = (kind: string, place: Element | null, data: object) => {
      const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), data)
      act(() => void place?.dispatchEvent(event))
      return event
    }
    expect(
      happen('drop', section, { dataTransfer: { types: ['Files'], files: [file] } }).defaultPrevented,
    ).toBe(true)
    happen('paste', section, { clipboardData: { files: [file] } })
    happen('paste', section, { clipboardData: { files: [] } })
    expect(recorded.map((event) => event.type)).toEqual(['picture/offered', 'picture/offered'])
  })

  test('shows that a file is dragged over it', () => {
    draw(stateAfter(...inDetails))
    const section = document.querySelector<HTMLElement>('section')
    const isOver = (kind: string) => {
      const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), {
        dataTransfer: { types: ['Files'], files: [] },
      })
      act(() => void section?.dispatchEvent(event))
      return [section?.dataset['over'], event.defaultPrevented]
    }
    expect(section?.dataset['over']).toBe('false')
    expect(isOver('dragover')).toEqual(['true', true])
    expect(isOver('dragleave')).toEqual(['false', false])
    isOver('dragover')
    expect(isOver('drop')).toEqual(['false', true])
    expect(recorded).toEqual([])
  })

  test('is busy while it is prepared, saved or deleted', () => {
    const isBusy = () => document.querySelector('section')?.getAttribute('aria-busy')
    draw(stateAfter(...inDetails))
    expect(isBusy()).toBe('false')
    become(stateAfter(...inDetails, offered))
    expect(isBusy()).toBe('true')
    const opened = [...inDetails, offered, Picture.opened({ picture })]
    become(stateAfter(...opened))
    expect(isBusy()).toBe('false')
    become(stateAfter(...opened, Picture.saveRequested()))
    expect(isBusy()).toBe('true')
    become(stateAfter(...inDetails, Picture.deleteRequested()))
    expect(isBusy()).toBe('true')
  })

  test('[PROF-5] is previewed before it is saved, and can be cancelled', () => {
    draw(stateAfter(...inDetails, offered, Picture.opened({ picture })))
    expect(shown()).toBe(picture.dataUrl)
    expect(announced()).toEqual(['Your new picture is ready. Choose its part, then save it.'])
    expect(recorded).toEqual([])
    click('Save picture')
    click('Cancel')
    expect(recorded).toEqual([Picture.saveRequested(), Picture.dropped()])
  })

  test('[PROF-5] is cropped with the keyboard, and screen readers read what is chosen', () => {
    const ready = [...inDetails, offered, Picture.opened({ picture })]
    draw(stateAfter(...ready))
    const stage = document.querySelector<HTMLElement>('[role=application]')
    expect(stage?.getAttribute('aria-label')).toBe('Part of the picture')
    focus(stage ?? undefined)
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', '+', '-', 'a']) press(key)
    const last = { x: 1, y: 0, size: 1 }
    const steps = recorded.map((event) => (event.type === 'picture/cropped' ? event.data.crop : null))
    expect(steps).toHaveLength(6)
    // The picture goes where the arrow points; there is no room upwards or downwards.
    for (const [index, x] of [0.95, 1.05, 1, 1].entries()) {
      expect(steps[index]?.x).toBeCloseTo(x)
      expect(steps[index]?.y).toBe(0)
    }
    expect(steps[4]?.size).toBeCloseTo(1 / 1.1)
    expect(steps[5]).toEqual(last)
    become(stateAfter(...ready, Picture.cropped({ crop: { x: 0.5, y: 0.5, size: 0.5 } })))
    expect(announced()).toContain('Zoom 200%, 20% from the left, 100% from the top')
    // Each picture shows the same part: its width and its place, in parts of the square around it.
    const styles = all('section img').map(({ style }) => [style.width, style.height, style.left, style.top])
    expect(styles).toEqual(Array(3).fill(['600%', '200%', '-100%', '-100%']))
  })

  test('[PROF-5] is zoomed with a slider, which says its value', () => {
    draw(stateAfter(...inDetails, offered, Picture.opened({ picture })))
    const slider = () => {
      const found = document.querySelector<HTMLInputElement>('input[type=range]')
      if (!found) throw new Error('there is no slider')
      return found
    }
    const { min, max, step, value } = slider()
    expect([min, max, step, value]).toEqual(['100', '400', '10', '100'])
    expect(slider().getAttribute('aria-valuetext')).toBe('100%')
    type(slider(), '200')
    const crop = { x: 1.25, y: 0.25, size: 0.5 }
    expect(recorded).toEqual([Picture.cropped({ crop })])
    become(stateAfter(...inDetails, offered, Picture.opened({ picture }), Picture.cropped({ crop })))
    expect([slider().value, slider().getAttribute('aria-valuetext')]).toEqual(['200', '200%'])
  })

  test('[PROF-5] is dragged, and chosen when the pointer lets go', () => {
    draw(stateAfter(...inDetails, offered, Picture.opened({ picture })))
    const stage = document.querySelector<HTMLElement>('[role=application]')
    if (!stage) throw new Error('there is no stage')
    Object.assign(stage, { setPointerCapture: () => undefined })
    Object.defineProperty(stage, 'clientWidth', { value: 200 })
    const point = (kind: string, clientX: number, clientY: number, button = 0) => {
      act(() => {
        stage.dispatchEvent(
          Object.assign(new MouseEvent(kind, { bubbles: true, clientX, clientY, button }), { pointerId: 1 }),
        )
      })
    }
    const left = () => all('section img')[0]?.style.left
    point('pointerdown', 100, 100, 2)
    point('pointermove', 0, 0)
    point('pointerup', 0, 0)
    point('pointerdown', 100, 100)
    point('pointermove', 150, 130)
    expect(left()).toBe('-75%')
    expect(recorded).toEqual([])
    point('pointerup', 150, 130)
    expect(recorded).toEqual([Picture.cropped({ crop: { x: 0.75, y: 0, size: 1 } })])
    // A click moves nothing, and what is interrupted is not chosen.
    point('pointerdown', 100, 100)
    point('pointerup', 100, 100)
    point('pointerdown', 100, 100)
    point('pointermove', 150, 130)
    point('pointercancel', 150, 130)
    expect(left()).toBe('-100%')
    expect(recorded).toHaveLength(1)
  })

  test.each([
    [{ reason: 'type' } as const, 'Signet can’t use this file'],
    [{ reason: 'size', limit: 10 * 1024 * 1024 } as const, 'up to 10 MB'],
    [{ reason: 'empty' } as const, 'This file is empty'],
    [{ reason: 'unreadable' } as const, 'can’t read'],
    [{ reason: 'notLoaded' } as const, 'Choose it again'],
  ])('[PROF-5] explains a refused file: %o', (refusal, words) => {
    draw(stateAfter(...inDetails, offered, Picture.refused({ refusal })))
    expect(said()).toContain(words)
    expect(button('Save picture')).toBeUndefined()
  })

  test('asks before a deletion, which can be cancelled', () => {
    const url = 'https://images.example/alex.png'
    const inDialog = (name: string) => all('dialog button').find(({ textContent }) => textContent === name)
    draw(stateAfter(...inDetails, Variables.opened(), Picture.loaded({ value: url })))
    expect(shown()).toBe(url)
    click('Delete picture')
    clickOn(inDialog('Cancel'))
    expect(document.querySelector('dialog')).toBeNull()
    expect(recorded).toEqual([])
    click('Delete picture')
    clickOn(inDialog('Delete picture'))
    expect(document.querySelector('dialog')).toBeNull()
    expect(recorded).toEqual([Picture.deleteRequested()])
    become(stateAfter(...inDetails, Picture.loaded({ value: url }), Picture.deleteRequested()))
    expect(announced()).toEqual(['Deleting your picture'])
  })

  test('keeps the chosen picture after a failed save, which can be retried', () => {
    const before = [...inDetails, offered, Picture.opened({ picture }), Picture.saveRequested()]
    draw(stateAfter(...before))
    expect(said()).toContain('Saving your picture')
    become(stateAfter(...before, Picture.changeFailed({ failure: { kind: 'network' } })))
    expect(said()).toContain('Couldn’t save your picture')
    expect(shown()).toBe(picture.dataUrl)
    click('Try again')
    expect(recorded).toEqual([Picture.saveRequested()])
    become(stateAfter(...before, Picture.saved({ url: 'https://images.example/new.png' })))
    expect(said()).toContain('Your picture is saved.')
  })
})

describe('settings', () => {
  test('[SET-5] eight switches show the settings, and a click requests the opposite', () => {
    draw(stateAfter(...inSettings))
    const switches = all('[role=switch]') as HTMLInputElement[]
    expect(switches).toHaveLength(8)
    const push = field('Insert my default signature automatically')
    expect(push.checked).toBe(true)
    expect(describedBy(push)).toBe(
      'Your default signature is added to each message you start, even with the pane closed. ' +
        'Other devices may take a few minutes.',
    )
    for (const each of switches) clickOn(each)
    const asked = recorded.map(({ data }) => Object.entries((data as { changes: object }).changes)[0])
    expect(new Set(asked.map((change) => change?.[0])).size).toBe(8)
    expect(asked[0]).toEqual(['enableSignaturePush', false])
    become(
      stateAfter(...inSettings, Settings.updated({ changes: { enableSignaturePush: false }, lasting: true })),
    )
    expect(push.checked).toBe(false)
  })

  test('[SET-3] are reset after a confirmation, which says what that turns on', () => {
    draw(stateAfter(...inSettings))
    const inDialog = (name: string) => all('dialog button').find(({ textContent }) => textContent === name)
    click('Reset settings')
    expect(document.querySelector('dialog')?.textContent).toContain('shares diagnostic data')
    clickOn(inDialog('Cancel'))
    expect(document.querySelector('dialog')).toBeNull()
    expect(recorded).toEqual([])
    click('Reset settings')
    clickOn(inDialog('Reset settings'))
    expect(document.querySelector('dialog')).toBeNull()
    expect(recorded).toEqual([Settings.resetRequested()])
  })

  test('[SET-3] a change that the browser refused is told as not saved until it is dismissed', () => {
    const asked = [...inSettings, Settings.updateRequested({ changes: { enableTelemetry: false } })]
    draw(stateAfter(...asked))
    const telemetry = field('Share diagnostic data')
    clickOn(telemetry)
    become(stateAfter(...asked, Settings.updateFailed({ failure: { kind: 'storage', action: 'write' } })))
    expect(said()).toContain('Couldn’t save your settings')
    expect(said()).toContain('This browser didn’t store your change. Your settings are as they were before.')
    expect(telemetry.checked).toBe(true)
    recorded.length = 0
    click('Dismiss')
    expect(recorded).toEqual([Settings.errorsCleared()])
  })

  test('[SET-2] in production, each switch that holds only for the open pane says so', () => {
    const hints = () =>
      (all('[role=switch]') as HTMLInputElement[])
        .filter((each) => describedBy(each).includes('Changes last until you close Signet.'))
        .map((each) => each.labels?.[0]?.textContent)
    const state = stateAfter(...inSettings)
    const settings = { ...state.settings, stage: { production: true, beta: false } }
    const outside = { ...state, settings: { ...settings, stage: { production: false, beta: false } } }
    draw(outside)
    expect(hints()).toEqual([])
    become({ ...outside, settings })
    const all8 = (all('[role=switch]') as HTMLInputElement[]).map((each) => each.labels?.[0]?.textContent)
    const standing = [
      'Insert my default signature automatically',
      'Sign me in automatically',
      'Share diagnostic data',
    ]
    expect(hints()).toEqual(all8.filter((name) => !standing.includes(name ?? '')))
    // A browser that stores nothing.
    become({ ...outside, settings: { ...settings, lasting: false } })
    expect(hints()).toEqual(all8)
  })

  test('[SET-5] settings that cannot be read are told, with what Signet does not do meanwhile', () => {
    draw(stateAfter(...inSettings, Settings.loadFailed({ failure: { kind: 'storage', action: 'read' } })))
    expect(said()).toContain('Couldn’t read your settings')
    expect(said()).toContain('Until it can, Signet sends no diagnostic data')
    expect(field('Share diagnostic data').checked).toBe(false)
  })

  test('a language is chosen by its own name', () => {
    draw(stateAfter(...inSettings))
    const choice = document.querySelector('select')
    expect([...(choice?.options ?? [])].map(({ text }) => text)).toContain('Deutsch')
    act(() => {
      if (choice) choice.value = 'de'
      choice?.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(recorded).toEqual([Locale.languageRequested({ language: 'de' })])
  })

  test('[KNOW-3] the exact telemetry payload is shown before it is sent, also when sending is off', () => {
    const platform = {
      package: { name: 'signet', version: '1.2.3' },
      context: { platform: 'web', language: 'en' },
      beta: false,
      navigator: { userAgent: 'Test/1', language: 'en' },
    }
    const before = [...inSettings, Telemetry.platformRead({ platform })]
    const state = stateAfter(...before)
    draw(state)
    expect(all('section li').map(({ textContent }) => textContent)).toEqual([
      'The version of Signet',
      'Where you use Signet, in which language, and whether your signature last went in automatically there',
      'Which of these switches are on',
      'Whether this is a test version',
      'Your browser, your operating system and their language',
    ])
    expect(said().indexOf('The version of Signet')).toBeLessThan(said().indexOf('For your helpdesk'))
    expect(document.querySelector('details:not([open]) pre')?.textContent).toBe(
      JSON.stringify(selectTelemetryPayload(state), null, 2),
    )
    expect(document.querySelector('pre')?.textContent).toContain('"version": "1.2.3"')
    expect(said()).toContain('Signet sends this to the signature service each time you sign in')
    become(stateAfter(...before, Settings.updated({ changes: { enableTelemetry: false }, lasting: true })))
    expect(said()).toContain('Nothing is sent, because you turned this off.')
    expect(document.querySelector('pre')?.textContent).toContain('"enableTelemetry": false')
  })

  test('the log is saved as a file, which can fail', () => {
    draw(stateAfter(...inSettings))
    click('Save a log file')
    expect(recorded).toEqual([LogExport.requested()])
    const wanted = [...inSettings, LogExport.requested()]
    become(stateAfter(...wanted, LogExport.saved()))
    expect(announced()).toEqual(['Saved to your downloads as signet-log.json.'])
    become(stateAfter(...wanted, LogExport.failed({ failure: { kind: 'notLoaded' } })))
    expect(announced()).toEqual([])
    expect(document.querySelector('[role=alert]')?.textContent).toContain(
      'Part of Signet didn’t load. No file was saved.',
    )
    click('Try again')
    expect(recorded).toEqual([LogExport.requested(), LogExport.requested()])
    become(stateAfter(...wanted, LogExport.saved(), Router.navigated({ path: '/app/settings/config' })))
    expect(announced()).toEqual([])
  })
})

describe('pages', () => {
  test('[NAV-4] show nothing at first, then the loading view, then the view', () => {
    const wanted = [...writing, Router.navigated({ path: '/about' })]
    draw(stateAfter(...wanted))
    expect(all('h1')).toEqual([])
    become(stateAfter(...wanted, Chunks.slow({ page: 'about' })))
    expect(document.querySelector('h1')?.textContent).toBe('Loading')
    become(stateAfter(...wanted, Chunks.slow({ page: 'about' }), Chunks.loaded({ page: 'about' })))
    expect(document.querySelector('h1')?.textContent).toBe('About Signet')
  })

  test('[NAV-4] the timeout view says so, and Back goes to /logout', () => {
    const failed = [Chunks.timedOut({ page: 'about' })]
    draw(stateAfter(...writing, Router.navigated({ path: '/about' }), ...failed))
    expect(document.querySelector('h1')?.textContent).toBe('This page didn’t open')
    click('Back')
    expect(recorded).toEqual([Router.navigationRequested({ to: '/logout' })])
  })

  test.each(['/auth', '/auth/login', '/auth/logout', '/loading'])(
    '[NAV-8] %s is the loading view',
    (path) => {
      draw(stateAfter(Router.navigated({ path })))
      expect(document.querySelector('h1')?.textContent).toBe('Loading')
    },
  )

  test.each([
    ['basic', 'Starter'],
    ['trial', 'Trial'],
    ['full', 'Business'],
  ] as const)(
    '[PROF-3] about tells the plan %s by its name, and no plan while none is known',
    (plan, name) => {
      draw(stateAfter(...at('/about', 'about')))
      expect(said()).not.toContain('plan')
      become(stateAfter(...at('/about', 'about'), Subscription.loaded({ value: plan })))
      expect(said()).toContain(`Your organisation’s plan: ${name}`)
    },
  )

  test.each(['/about', '/pages/about'])('[NAV-8] %s is the about view, signed in or not', (path) => {
    draw(stateAfter(...at(path, 'about')))
    expect(document.querySelector('h1')?.textContent).toBe('About Signet')
    expect(said()).toContain('Version 0.0.0')
    const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
    become(stateAfter(...at(path, 'about'), signedOut))
    expect(document.querySelector('h1')?.textContent).toBe('About Signet')
  })

  test.each([
    ['/app/dashboard', 'In this message', []],
    ['/app/settings/variables', 'My details', inDetails],
    ['/app/settings/app', 'Settings', inSettings],
    ['/about', 'About Signet', at('/about', 'about')],
  ])('[MNT-2] %s shows maintenance above the view', (path, title, before) => {
    const there = [...writing, ...before, Router.navigated({ path })]
    draw(stateAfter(...there, Maintenance.loaded({ status: 'active' })))
    const banner = document.querySelector('header')
    const heading = all('h1').find(({ textContent }) => textContent === title)
    expect(banner?.textContent).toContain('The signature service is down for maintenance')
    expect(heading && banner?.compareDocumentPosition(heading)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    become(stateAfter(...there, Maintenance.loaded({ status: null })))
    expect(document.querySelector('header')).toBeNull()
  })

  test('[NAV-5] a navigation scrolls to the top and focuses the heading; the start of the pane does neither', () => {
    const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
    vi.spyOn(document, 'hasFocus').mockReturnValue(true)
    draw(stateAfter(Router.navigated({ path: '/home' })))
    become(stateAfter(...writing))
    expect(scrolled).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(document.body)
    become(stateAfter(...inSettings))
    expect(scrolled).toHaveBeenCalledWith(0, 0)
    expect(document.activeElement?.textContent).toBe('Settings')
    expect(document.activeElement?.tagName).toBe('H1')
    vi.restoreAllMocks()
  })

  test('another message scrolls to the top, unless the pane has the focus', () => {
    const scrolled = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    const opened = (...keys: readonly (string | null)[]) =>
      stateAfter(
        ...writing,
        ...keys.map((key) => Mailbox.itemChanged({ item: key === null ? null : compose(key) })),
      )
    draw(stateAfter(...writing))
    become(opened(null))
    expect(scrolled).not.toHaveBeenCalled()
    become(opened(null, 'item-2'))
    expect(scrolled.mock.calls).toEqual([[0, 0]])
    hasFocus.mockReturnValue(true)
    become(opened(null, 'item-2', 'item-3'))
    expect(scrolled).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
  })

  test('[NAV-5] a navigation in a pane without the focus does not take it', () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    draw(stateAfter(...writing))
    become(stateAfter(...inSettings))
    expect(document.activeElement).toBe(document.body)
    vi.restoreAllMocks()
  })
})
