import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { openItem } from '../../../src/playground/mailbox/model.ts'
import { type TriedPaneWindow, type TryName, performTry } from '../../../src/playground/scenario/tries.ts'

type Option = Readonly<{ name: string; isMaster: boolean; isOther: boolean }>

/** A pane whose list is drawn after `afterMs`. A click sets the signature as the real pane does, unless it is refused. */
function running(options: readonly Option[], afterMs = 300) {
  const scheduler = new VirtualTimeScheduler()
  const time = { scheduler }
  const mailbox = createMailbox(demoMailbox(), { time, accessToken: () => of('') })
  const location = { hash: '#/app/dashboard' }
  const chosen: string[] = []
  let isShown = false
  const sign = (name: string) =>
    mailbox.call('body.setSignatureAsync', { data: name, coercionType: 'html' }, () => undefined)
  const element = ({ name }: Option) => ({
    click() {
      chosen.push(name)
      sign(name)
    },
  })
  const querySelector = (selector: string) => {
    const isListShown = scheduler.now() >= afterMs && location.hash === '#/app/dashboard'
    const found = isListShown
      ? options.find(
          ({ isMaster, isOther }) =>
            (isMaster || !selector.includes('-master')) && (isOther || !selector.includes('aria-selected')),
        )
      : undefined
    return found ? element(found) : null
  }
  const outcomes: boolean[] = []
  return {
    scheduler,
    mailbox,
    location,
    chosen,
    outcomes,
    sign,
    isShown: () => isShown,
    item: () => openItem(mailbox.state$.value),
    start: (wanted: TryName) =>
      performTry(wanted, {
        mailbox,
        time,
        showPane: (on) => {
          isShown = on
        },
        pane: () => ({ document: { querySelector }, location }) as unknown as TriedPaneWindow,
      }).subscribe((outcome) => outcomes.push(outcome)),
  }
}

const DEFAULT: Option = { name: 'Standard', isMaster: true, isOther: false }
const VARIANT: Option = { name: 'Standard (reply version)', isMaster: false, isOther: true }
const SHORT: Option = { name: 'Short', isMaster: true, isOther: true }

describe('trying another signature', () => {
  test('shows the pane, chooses one that is not in use and no variant, and ends when it is in the message', () => {
    const tried = running([DEFAULT, VARIANT, SHORT])
    tried.start('another')
    expect(tried.isShown()).toBe(true)
    tried.scheduler.flush()
    expect(tried.chosen).toEqual(['Short'])
    expect(tried.outcomes).toEqual([true])
    expect(tried.item()?.body.signature).toBe('Short')
  })

  test('chooses a variant where there is nothing else', () => {
    const tried = running([DEFAULT, VARIANT])
    tried.start('another')
    tried.scheduler.flush()
    expect(tried.chosen).toEqual(['Standard (reply version)'])
  })

  test('begins a message while none is being written, and chooses once its own signature is in', () => {
    const tried = running([SHORT], 0)
    tried.mailbox.act({ type: 'switchTo', id: 'item-1' })
    tried.start('another')
    tried.scheduler.schedule(() => tried.sign('Standard'), 500)
    tried.scheduler.schedule(() => expect(tried.chosen).toEqual([]), 550)
    tried.scheduler.flush()
    expect(tried.item()).toMatchObject({ mode: 'compose', kind: 'newMail', body: { signature: 'Short' } })
    expect(tried.outcomes).toEqual([true])
  })

  test('opens the list where the pane shows another of its pages, and leaves its sign-in alone', () => {
    const tried = running([SHORT])
    tried.location.hash = '#/app/settings/app'
    tried.start('another')
    tried.scheduler.flush()
    expect(tried.outcomes).toEqual([true])
    const signingIn = running([SHORT])
    signingIn.location.hash = '#/auth/login'
    signingIn.start('another')
    signingIn.scheduler.flush()
    expect(signingIn.location.hash).toBe('#/auth/login')
    expect(signingIn.outcomes).toEqual([false])
  })

  test('says that there is none, and when the message stays as it is', () => {
    const tried = running([DEFAULT])
    tried.start('another')
    tried.scheduler.flush()
    expect(tried.outcomes).toEqual([false])
    const silent = running([SHORT])
    silent.mailbox.silence('body.setSignatureAsync')
    silent.start('another')
    silent.scheduler.flush()
    expect([silent.chosen, silent.outcomes]).toEqual([['Short'], [false]])
  })
})

describe('trying an answer', () => {
  test('answers a message, and ends when its signature is in', () => {
    const tried = running([])
    tried.start('answer')
    expect(tried.item()).toMatchObject({ mode: 'compose', kind: 'reply' })
    expect(tried.outcomes).toEqual([])
    tried.scheduler.schedule(() => tried.sign('Short'), 400)
    tried.scheduler.flush()
    expect(tried.outcomes).toEqual([true])
  })

  test('says that no signature went in', () => {
    const tried = running([])
    tried.start('answer')
    tried.scheduler.flush()
    expect(tried.outcomes).toEqual([false])
  })
})

describe('trying a recipient outside', () => {
  test('begins a message, adds the recipient once it is signed, and ends when its signature follows', () => {
    const tried = running([])
    const before = tried.item()?.id
    tried.start('outside')
    expect(tried.item()?.id).not.toBe(before)
    tried.scheduler.schedule(() => expect(tried.item()).toMatchObject({ to: [] }), 350)
    tried.scheduler.schedule(() => tried.sign('Short'), 400)
    tried.scheduler.schedule(() => tried.sign('Short, for recipients outside'), 2_000)
    tried.scheduler.schedule(() => expect(tried.outcomes).toEqual([]), 1_900)
    tried.scheduler.flush()
    expect(tried.item()).toMatchObject({ to: [{ address: 'nora.lind@quayside.example' }] })
    expect(tried.outcomes).toEqual([true])
    expect(tried.isShown()).toBe(false)
  })

  test('says that no signature went in, and that it stays as it is', () => {
    const unsigned = running([])
    unsigned.start('outside')
    unsigned.scheduler.flush()
    expect(unsigned.item()).toMatchObject({ to: [] })
    expect(unsigned.outcomes).toEqual([false])
    const still = running([])
    still.start('outside')
    still.scheduler.schedule(() => still.sign('Short'), 400)
    still.scheduler.flush()
    expect(still.outcomes).toEqual([false])
  })
})

describe('trying a failure', () => {
  test('lets Outlook refuse the next signature, once', () => {
    const tried = running([SHORT])
    tried.start('failure')
    tried.scheduler.flush()
    expect([tried.chosen, tried.outcomes]).toEqual([['Short'], [true]])
    expect(tried.item()?.body.signature).toBe('')
    expect(tried.mailbox.faultState$.value.faults.size).toBe(0)
    tried.sign('Short')
    tried.scheduler.flush()
    expect(tried.item()?.body.signature).toBe('Short')
  })

  test('leaves no fault behind where nothing can be chosen', () => {
    const tried = running([DEFAULT])
    tried.start('failure')
    tried.scheduler.flush()
    expect(tried.outcomes).toEqual([false])
    expect(tried.mailbox.faultState$.value.faults.size).toBe(0)
  })
})
