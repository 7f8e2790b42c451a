import { fc, it as check } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { runSteps } from '../../streams/kernel/steps.ts'
import { writingSignetYaml, YamlTooLarge } from '../../src/folder/changedYaml.ts'
import { MAX_UNTHREADED_CHARACTERS, yamlInOwnThread, yamlInThisThread } from '../../src/folder/yamlApart.ts'
import {
  answerYamlTask,
  parseExpectations,
  parseLines,
  readDescription,
  readExpectationsFile,
  describedJson,
  restoringDescription,
  type YamlTask,
} from '../../src/folder/yamlTasks.ts'
import { findingYamlLines, writingYaml } from '../../src/folder/writtenYaml.ts'
import { largeDocument } from '../growth/largeDocument.ts'
import { document as anyDocument } from '../streams/organisation/arbitraries.ts'
import { cases } from '../support/cases.ts'

// A large signet.yaml is read and written in a thread of its own, with the same result as in this one.

const LARGE = largeDocument({ mailboxes: 1_200, signatures: 3, templates: 1 })
const LARGE_YAML = runSteps(writingYaml(LARGE))
const NOBODY = {}

const jsonOf = (task: YamlTask): string => {
  const answer = answerYamlTask(task)
  return 'json' in answer ? answer.json : ''
}

describe('what the thread answers', () => {
  check.prop([anyDocument], cases(60))('is what is read and written here', (document) => {
    const text = runSteps(writingYaml(document))
    expect(runSteps(restoringDescription(jsonOf({ kind: 'describe', text }), 'signet.yaml'))).toEqual(
      readDescription(text),
    )
    const sent = describedJson(document)
    expect(JSON.parse(jsonOf({ kind: 'write', document: sent, text: null }))).toBe(text)
    expect(parseLines(jsonOf({ kind: 'lines', document: sent }))).toEqual(
      runSteps(findingYamlLines(document)),
    )
  })

  check.prop([fc.string()], cases(60))('has the findings of any text', (text) => {
    expect(runSteps(restoringDescription(jsonOf({ kind: 'describe', text }), 'signet.yaml'))).toEqual(
      readDescription(text),
    )
    expect(parseExpectations(jsonOf({ kind: 'expect', text }))).toEqual(readExpectationsFile(text))
  })
})

describe('a large file', () => {
  it('is read in a thread, with its places and its findings', async () => {
    expect(LARGE_YAML.length).toBeGreaterThan(MAX_UNTHREADED_CHARACTERS)
    expect(await yamlInOwnThread(NOBODY, null).describe(LARGE_YAML)).toEqual(
      await yamlInThisThread.describe(LARGE_YAML),
    )
    const wrong = `${LARGE_YAML}\nunknown: 1\n`
    const read = await yamlInOwnThread(NOBODY, null).describe(wrong)
    expect(read.problems.map(({ code }) => code)).toEqual(['unknownKey'])
    expect(read).toEqual(await yamlInThisThread.describe(wrong))
  })

  it('is changed as little in a thread as here, and other requests have their turns meanwhile', async () => {
    const text = LARGE_YAML.replaceAll('\n  a1', '\n  # kept\n  a1')
    const changed = { ...LARGE, organisation: 'Another' }
    let turns = 0
    const turning = setInterval(() => (turns += 1), 1)
    const written = await yamlInOwnThread(NOBODY, null).write(changed, text)
    clearInterval(turning)
    expect(written).toBe(runSteps(writingSignetYaml(changed, text)))
    expect(written).toContain('# kept')
    expect(turns).toBeGreaterThan(0)
  })

  it('is no longer read once its client has left', async () => {
    const leaving = new AbortController()
    const reading = yamlInOwnThread(NOBODY, leaving.signal).describe(LARGE_YAML)
    leaving.abort(new Error('The client left.'))
    await expect(reading).rejects.toThrow('The client left.')
    // The thread of the next one begins, so the place is free.
    expect((await yamlInOwnThread(NOBODY, null).describe(LARGE_YAML)).problems).toEqual([])
  })

  it('that nobody could read back is not written, and the sentence says why', async () => {
    const values = Array.from(
      { length: 9_000 },
      (_, index) => `person-with-a-name-${String(index)}@northwind.example`,
    )
    const long = {
      ...LARGE,
      mailboxes: LARGE.mailboxes.slice(0, 4).map((mailbox) => ({
        ...mailbox,
        selection: { for: [[{ by: 'person' as const, values }]], not: [] },
      })),
    }
    const sentence =
      /^signet\.yaml would have 1,\d\d\d,\d\d\d bytes; it may have 1,000,000\. Name groups in place of long lists of people\.$/
    await expect(yamlInOwnThread(NOBODY, null).write(long, null)).rejects.toThrow(sentence)
    await expect(yamlInOwnThread(NOBODY, null).write(long, LARGE_YAML)).rejects.toBeInstanceOf(YamlTooLarge)
    await expect(yamlInOwnThread(NOBODY, null).check(long)).rejects.toThrow(sentence)
    await yamlInOwnThread(NOBODY, null).check({ ...long, mailboxes: long.mailboxes.slice(0, 2) })
    expect(() => runSteps(writingSignetYaml(long, null))).toThrow(sentence)
  })
})
