import { VirtualTimeScheduler, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { followOffice } from '../../../src/engine/hosts/officeEvents.ts'
import { createPaneHost } from '../../../src/engine/hosts/paneHost.ts'
import { createOfficeClient } from '../../../src/engine/hosts/officeClient.ts'
import { demoMailbox } from '../../../src/playground/mailbox/demo.ts'
import { createMailbox } from '../../../src/playground/mailbox/mailbox.ts'
import { createOfficeFacade, type RuntimeStorage } from '../../../src/playground/mailbox/officeFacade.ts'
import { CLIENT_PROFILES, type ClientProfile } from '../../../src/playground/mailbox/profiles.ts'
import {
  type HostUnderTest,
  listeningLog,
  meetingContract,
  messageContract,
  noticeContract,
  onVirtualTime,
  userContract,
} from '../../engine/hosts/contract.ts'

/** The facade over a mailbox, on virtual time, with its promises settled after each step. */
function running(storage?: RuntimeStorage, profile: ClientProfile | null = null) {
  const scheduler = new VirtualTimeScheduler()
  const time = { scheduler }
  const mailbox = createMailbox(
    { ...demoMailbox(), profile },
    { time, accessToken: (email) => of(`token of ${email}`) },
  )
  const facade = createOfficeFacade(storage)
  facade.connect(mailbox.client)
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      scheduler.flush()
      await Promise.resolve()
    }
  }
  return { scheduler, time, mailbox, facade, settle }
}

const make = (profile: ClientProfile | null) => async (): Promise<HostUnderTest> => {
  const { scheduler, time, mailbox, facade, settle } = running(undefined, profile)
  const { log, logged } = listeningLog()
  const { host } = createPaneHost(createOfficeClient(facade.office, log, followOffice), {
    name: 'outlook',
    time,
    log,
  })
  await settle()
  return { ...onVirtualTime(scheduler), host, mailbox, logged, rest: settle }
}

describe.each([null, ...CLIENT_PROFILES])('Outlook through the facade, edition %s', (profile) => {
  describe('the user', () => userContract(make(profile)))
  describe('a notice in the message', () => noticeContract(make(profile)))
  describe('messages', () => messageContract(make(profile)))
  describe('meetings', () => meetingContract(make(profile)))
})

describe('the facade', () => {
  test('calls the handler of a name, whatever its case, and tells when there is none', () => {
    const { facade } = running()
    const events: unknown[] = []
    facade.office.actions.associate('onNewMessageCompose', (event: unknown) => void events.push(event))
    const event = { completed: () => undefined }
    expect(facade.raise('ONNEWMESSAGECOMPOSE', event)).toBe(true)
    expect(facade.raise('onSomethingElse', event)).toBe(false)
    expect(events).toEqual([event])
  })

  test('has of a meeting what Office.js has of an appointment, and of a message what it has of a message', () => {
    const { facade, mailbox, scheduler } = running()
    const differing = ['getComposeTypeAsync', 'from', 'to', 'cc', 'conversationId'] as const
    const ofMeeting = ['organizer', 'requiredAttendees', 'optionalAttendees'] as const
    const has = (names: readonly string[]) => {
      const item: object = facade.office.context.mailbox.item ?? {}
      return names.filter((name) => name in item)
    }
    const open = (action: Parameters<typeof mailbox.act>[0]) => {
      mailbox.act(action)
      scheduler.flush()
      return facade.office.context.mailbox.item?.itemType
    }
    expect(open({ type: 'newMessage' })).toBe('message')
    expect([has(differing), has(ofMeeting)]).toEqual([differing, []])
    expect(open({ type: 'newMeeting' })).toBe('appointment')
    expect([has(differing), has(ofMeeting)]).toEqual([[], ofMeeting])
    expect(open({ type: 'switchTo', id: 'meeting-2' })).toBe('appointment')
    expect(has(['body', 'getItemIdAsync'])).toEqual([])
    expect(open({ type: 'switchTo', id: 'item-1' })).toBe('message')
  })

  test('answers asynchronously, with the context of the call', async () => {
    const { facade, settle } = running()
    const results: unknown[] = []
    const item = facade.office.context.mailbox.item as unknown as Office.MessageCompose
    item.sessionData.setAsync('a', 'b', { asyncContext: 7 }, (result) => results.push(result))
    item.sessionData.getAsync('a', (result) => results.push(result))
    expect(results).toEqual([])
    await settle()
    expect(results).toEqual([
      { status: 'succeeded', value: undefined, asyncContext: 7 },
      { status: 'succeeded', value: 'b' },
    ])
  })

  test('throws for a wrong argument at once', () => {
    const { facade } = running()
    const item = facade.office.context.mailbox.item as unknown as Office.MessageCompose
    expect(() => item.body.setSignatureAsync(null as unknown as string)).toThrow('ArgumentType')
    const notice = { type: 'informationalMessage', message: 'x', icon: 'i', persistent: false }
    const insight = {
      type: 'insightMessage',
      message: 'x',
      icon: 'i',
      actions: [{ actionType: 'showTaskPane', actionText: 'Open', commandId: 'c', contextData: {} }],
    }
    const show = (shown: object) =>
      item.notificationMessages.replaceAsync('k', shown as Office.NotificationMessageDetails)
    for (const accepted of [notice, insight, { type: 'errorMessage', message: 'x' }])
      expect(() => show(accepted)).not.toThrow()
    for (const [refused, error] of [
      [{ ...notice, message: 'x'.repeat(151) }, 'ArgumentOutOfRange'],
      [{ ...notice, icon: undefined }, 'ArgumentType'],
      [{ ...notice, actions: insight.actions }, 'actions'],
      [{ ...insight, actions: [] }, 'actions'],
      [{ ...insight, persistent: false }, 'persistent'],
      [{ ...insight, actions: [{ ...insight.actions[0], actionText: 'x'.repeat(31) }] }, 'actionText'],
      [{ ...notice, type: 'errorMessage' }, 'persistent'],
    ] as const)
      expect(() => show(refused)).toThrow(error)
  })

  test('keeps what is set in the settings of the mailbox once it is saved, and shows them as they were at the start', async () => {
    const { facade, mailbox, settle } = running()
    const stored = () => mailbox.client.start.roamingSettings
    const { roamingSettings } = facade.office.context
    roamingSettings.set('lsi_launch', { off: true })
    roamingSettings.set('other', 1)
    await settle()
    expect(stored()).toEqual({})
    const results: unknown[] = []
    roamingSettings.saveAsync((result) => results.push(result.status))
    await settle()
    expect(results).toEqual(['succeeded'])
    expect(stored()).toEqual({ lsi_launch: { off: true }, other: 1 })
    mailbox.call('roamingSettings.saveAsync', { name: 'other', value: 2 }, () => undefined)
    await settle()
    expect(roamingSettings.get('other')).toBe(1)
    // What was not set again is not saved again.
    roamingSettings.saveAsync((result) => results.push(result.status))
    await settle()
    expect(results).toEqual(['succeeded', 'succeeded'])
    expect(stored()).toEqual({ lsi_launch: { off: true }, other: 2 })
  })

  test('supports the versions of a requirement set up to its own', () => {
    const { requirements } = running().facade.office.context
    const supported = (name: string, version: string) => requirements.isSetSupported(name, version)
    expect(['1.1', '1.15', '1.16', '2.1'].map((version) => supported('Mailbox', version))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(supported('Nothing', '1.1')).toBe(false)
  })

  test('has the storage of its runtime, and none on the web', () => {
    const storage: RuntimeStorage = {
      getItem: () => Promise.resolve(null),
      setItem: () => Promise.resolve(),
      removeItem: () => Promise.resolve(),
    }
    expect(running(storage).facade.officeRuntime.storage).toBe(storage)
    expect('storage' in running().facade.officeRuntime).toBe(false)
  })

  test('gives the token of the user, or rejects with the code', async () => {
    const { facade, mailbox, settle } = running()
    const token = facade.officeRuntime.auth.getAccessToken({ allowSignInPrompt: false })
    await settle()
    expect(await token).toBe('token of alex.kim@northwind.example')
    mailbox.fail('auth.getAccessToken', { code: 13001, name: 'x' })
    const refused = facade.office.auth.getAccessToken().catch((error: unknown) => error)
    await settle()
    expect(await refused).toMatchObject({ code: 13001 })
  })
})
