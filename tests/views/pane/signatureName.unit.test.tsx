import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { Defaults } from '../../../streams/message/defaults/events.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { MASTER_CODE } from '../../../streams/message/signatures/entry.ts'
import { contentHash } from '../../../streams/html/hash.ts'
import { languages } from '../../../streams/wire/languages.ts'
import { REPLY_VERSION } from '../../../streams/wire/signatures.ts'
import { noticeText } from '../../../views/pane/text/noticeText.ts'
import { presentSignatureName, signatureName } from '../../../views/pane/text/signatureName.ts'
import { createTexts, type Texts } from '../../../views/pane/text/texts.ts'
import { listedSignature, masterId, profile, signedInWriting, stateAfter } from '../../support/state.ts'
import { all, announced, nameOf, options, reason, signature, unfold, useDrawing } from '../drawing.tsx'

const { draw } = useDrawing()

const FOLDER = join(import.meta.dirname, '../../../views/pane/text')
const codes = fc.oneof(
  fc.constantFrom(REPLY_VERSION, 'mobile', 'constructor', 'toString'),
  fc.string({ minLength: 1 }),
)

describe.each(languages)('the name of a signature in %s', (language) => {
  const texts = createTexts({ locale: language, fallback: 'en', production: false, warn: () => undefined })
  const file = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Texts
  texts.addResourceBundle(language, 'translation', file)
  const t: Parameters<typeof signatureName>[1] = (key, values) => texts.t(key, { ...values })

  test('is the name alone for new messages, and begins with the name in each other version', () => {
    fc.assert(
      fc.property(fc.string(), codes, (name, code) => {
        expect(signatureName({ name, code: MASTER_CODE }, t)).toBe(name)
        const version = signatureName({ name, code }, t)
        if (code === MASTER_CODE) return
        expect(version.startsWith(`${name} (`)).toBe(true)
        expect(version.endsWith(')')).toBe(true)
      }),
    )
  })

  test('tells the versions apart', () => {
    const all = [MASTER_CODE, REPLY_VERSION, 'mobile', 'print'].map((code) =>
      signatureName({ name: 'Plain', code }, t),
    )
    expect(new Set(all).size).toBe(all.length)
    expect(all[1]).toBe(`Plain (${file.entry.replyVersion.replace(/^.*\(|\)$/g, '')})`)
    expect(all[3]).toBe('Plain (print)')
  })

  test('is that of no signature where there is none, and empty while it is unknown', () => {
    expect(presentSignatureName({ combinedIds: '', name: '', code: MASTER_CODE }, t)).toBe(file.list.none)
    expect(presentSignatureName({ combinedIds: 'c', name: '', code: REPLY_VERSION }, t)).toBe('')
  })
})

test('a default that was not inserted is named in the item with its version, or not at all while unknown', () => {
  const t: Parameters<typeof noticeText>[1] = (key, values) => [key, values?.['name']].join(' ').trim()
  const said = (signature: string, reply: boolean) =>
    noticeText({ kind: 'defaultNotInserted', signature, reply }, t)
  expect(said('Plain', false)).toBe('notice.notInMessage Plain')
  expect(said('Plain', true)).toBe('notice.notInMessage entry.replyVersion Plain')
  expect(said('', true)).toBe('notice.notInserted')
})

describe('a version', () => {
  const versions = [
    { code: REPLY_VERSION, html: '<p>Alex in a reply</p>' },
    { code: 'mobile', html: '<p>Alex on a phone</p>' },
  ]
  const page = { page: 1, total: 1, objects: [listedSignature({ variants: versions })] }
  const listed = [
    ...signedInWriting('item-1'),
    Profile.loaded({ value: profile() }),
    Defaults.loaded({ value: signature }),
    Signatures.pageLoaded({ list: 'own', epoch: 0, page }),
  ]
  const entryId = (position: number) => masterId(1, 0).replace('master', `variant-${String(position)}`)

  test.each([
    [0, 'Standard (reply version)'],
    [1, 'Standard (mobile version)'],
  ])('%i has one name in the bar, the list, the preview and what is announced', async (position, name) => {
    const { html = '', code } = versions[position] ?? {}
    const target = { kind: 'entry', entryId: entryId(position) } as const
    const chosen = Insertion.chosen({ entryId: target.entryId, itemKey: 'item-1' })
    const barName = () => all('[aria-labelledby] p')[0]?.textContent
    draw(stateAfter(...listed, chosen))
    expect(barName()).toBe(`Inserting “${name}”`)
    const inMessage = {
      combinedIds: 'c-standard',
      hash: contentHash(html),
      name: 'Standard',
      reason: { ...reason, origin: 'manual', reply: code === REPLY_VERSION } as const,
    }
    const done = { id: -2, itemKey: 'item-1', target, inMessage, content: { html, images: [] } }
    draw(stateAfter(...listed, chosen, Insertion.succeeded(done)), (clean) => clean)
    expect(barName()).toBe(name)
    expect(announced()).toEqual([`“${name}” is in your message.`])
    unfold('Standard')
    const inUse = options().filter((each) => each.getAttribute('aria-selected') === 'true')
    expect(inUse.map(nameOf)).toEqual([name])
    expect(all(`[aria-label="More options for ${name}"]`)).toHaveLength(1)
    await act(async () => {
      all('[aria-label="Details of this signature"]')[0]?.click()
      await Promise.resolve()
    })
    expect(all('iframe[title]').map((each) => each.getAttribute('title'))).toEqual([`Preview of ${name}`])
    const copying = Signatures.copyRequested({ entryId: target.entryId })
    draw(stateAfter(...listed, copying, Signatures.copied({ entryId: target.entryId })))
    expect(announced()).toEqual([`“${name}” is copied. You can paste it now.`])
  })

  test.each([
    ['master', '“Standard” is now your default for new messages.'],
    ['reply', '“Standard (reply version)” is now your default for replies.'],
  ] as const)('that becomes the default of %s is announced as the list names it', (use, said) => {
    const change = { use, combinedIds: 'c-standard' } as const
    draw(
      stateAfter(...listed, Defaults.changeRequested(change), Defaults.changed({ id: -2, defaults: null })),
    )
    expect(announced()).toEqual([said])
  })
})
