import { describe, expect, test } from 'vitest'
import { changingYaml } from '../../src/folder/changedYaml.ts'
import { checkSignatureOrder, checkThreads } from '../../src/folder/selections.ts'
import { readSignetYaml } from '../../src/folder/signetYaml.ts'
import { writingYaml } from '../../src/folder/writtenYaml.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { Finding } from '../../src/folder/finding.ts'
import { mailboxAsOwner } from '../../src/service/context/owners.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'

const yaml = (full: string, short: string) => `version: 1
organisation: Northwind
signatures:
  full: { template: templates/full.html, ${full} }
  short:
    template: templates/short.html
    for: everyone # Everybody may be brief.
${short}`
const read = (text: string) => {
  const problems: Finding[] = []
  const { document } = readSignetYaml(text, problems)
  expect(problems).toEqual([])
  return document as ReleaseDocument
}
const check = (text: string, people: Parameters<typeof checkThreads>[1]) => {
  const { document, places } = readSignetYaml(text, [])
  const placeOf = (path: string) => places.get(path) ?? { file: 'signet.yaml', line: 1, column: 1 }
  return runSteps(checkThreads(document as ReleaseDocument, people, placeOf)).map(
    ({ line, level, code, message }) => `${String(line)} ${level} ${code}: ${message}`,
  )
}
const person = (address: string, directory: PersonState['directory']): PersonState => ({
  ...mailboxAsOwner(address),
  directory,
})
const LATER = '    thread: later\n'
const SALES = 'for: [{ department: Sales }], thread: first'

describe('the messages of a thread in signet.yaml', () => {
  test('are read, written, and changed in their own line', () => {
    const text = yaml(SALES, LATER)
    const document = read(text)
    expect(document.signatures.map(({ thread }) => thread)).toEqual(['first', 'later'])
    expect(read(runSteps(writingYaml(document))).signatures).toEqual(document.signatures)
    const without = {
      ...document,
      signatures: document.signatures.map(({ thread: _, ...each }) => each),
    }
    expect(Object.hasOwn(read(yaml('for: everyone', '')).signatures[0] ?? {}, 'thread')).toBe(false)
    expect(runSteps(changingYaml(text, without))).toBe(yaml('for: [{ department: Sales }]', ''))
  })

  test('need another signature for new messages', () => {
    const sales = person('ann@northwind.example', { department: 'Sales' })
    const other = person('bob@northwind.example', {})
    const text = yaml(SALES, LATER)
    expect(check(text, [sales])).toEqual([])
    expect(check(text, [sales, other])).toEqual([
      '8 warning onlyLater: New messages get it, too: bob@northwind.example has no other signature. Add one with "thread: first".',
    ])
    // Without people, nobody knows.
    expect(check(text, null)).toEqual([])
    expect(check(yaml('for: everyone, thread: later', ''), null)).toEqual([])
    expect(check(yaml('for: everyone, thread: later', LATER), null)).toEqual(
      [4, 8].map(
        (line) =>
          `${String(line)} warning onlyLater: New messages get it, too: there is no other signature. Add one with "thread: first".`,
      ),
    )
  })

  test('let a later signature become a default', () => {
    const place = () => ({ file: 'signet.yaml', line: 1, column: 1 })
    const found = (text: string) =>
      checkSignatureOrder({ ...read(text), chooseDefault: { for: [], not: [] } }, place)
    expect(found(yaml('for: everyone, thread: first', LATER))).toEqual([])
    expect(found(yaml('for: everyone', LATER)).map(({ code }) => code)).toEqual(['neverDefault'])
  })
})
