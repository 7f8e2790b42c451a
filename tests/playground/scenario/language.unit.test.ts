import { BehaviorSubject, VirtualTimeScheduler, of } from 'rxjs'
import { expect, test } from 'vitest'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { createControls } from '../../../src/playground/scenario/controls.ts'
import { createServerControl } from '../../../src/playground/scenario/servers.ts'
import type { PaneSession } from '../../../src/playground/timeline/session.ts'
import type { Language } from '../../../streams/wire/languages.ts'

function controlled() {
  const time = { scheduler: new VirtualTimeScheduler() }
  const mailbox = createMailbox(demoMailbox(), { time, accessToken: () => of('') })
  const controls = createControls({
    mailbox,
    service: createServerControl(''),
    identity: createServerControl(''),
  })
  const open = (first: Language | null) => {
    const language$ = new BehaviorSubject(first)
    controls.session$.next({ language$ } as unknown as PaneSession)
    return language$
  }
  return { controls, open, language: () => controls.language$.value }
}

test('the page is in the language of the user, or in the one that was chosen', () => {
  const { controls, language } = controlled()
  expect(language()).toBe('en')
  controls.chooseUser('jonas.weber@northwind.example')
  expect(language()).toBe('de')
  controls.chooseUser('maria.silva@northwind.example')
  expect(language()).toBe('pt-BR')
  controls.chooseLanguage('fr')
  expect(language()).toBe('fr')
  controls.chooseUser('tess.edge@northwind.example')
  expect(language()).toBe('fr')
  controls.chooseLanguage(null)
  expect(language()).toBe('en')
})

test('the page follows the language of the pane, from when the pane has one', () => {
  const { controls, open, language } = controlled()
  const first$ = open(null)
  expect(language()).toBe('en')
  first$.next('en')
  first$.next('it')
  expect(language()).toBe('it')
  // Another pane has begun, with a choice of its own; what the earlier one does no longer counts.
  const second$ = open('nl')
  first$.next('es')
  expect(language()).toBe('nl')
  controls.chooseLanguage('de')
  expect(language()).toBe('de')
  second$.next('pt-BR')
  expect(language()).toBe('pt-BR')
  controls.showPane(false)
  expect(language()).toBe('pt-BR')
  controls.chooseUser('jonas.weber@northwind.example')
  expect(language()).toBe('de')
})
