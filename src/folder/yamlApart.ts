/**
 * Reads and writes `signet.yaml` beside other requests. The parser reads a file in one piece, which takes up to a second
 * for the largest: a large file has a thread of its own.
 */
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { MAX_YAML_BYTES, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { inTurns } from '../server/timeSlices.ts'
import { createFairLine } from '../server/fairLine.ts'
import { type ThreadLimits, withThread } from '../programs/thread.ts'
import { describing, YamlTooLarge } from './changedYaml.ts'
import { EXPECT_FILE } from './expectations.ts'
import { findError, startOf } from './finding.ts'
import {
  type ExpectationsRead,
  expectationsIn,
  linesIn,
  readDescription,
  readExpected,
  sentDocument,
  type SignetYamlRead,
  takingDescription,
  type YamlAnswer,
  type YamlTask,
} from './yamlTasks.ts'
import { type Lines, writtenLines } from './writtenYaml.ts'
import { PlainError } from '../server/reasons.ts'

const PROGRAM = 'src/folder/yamlWorker.ts'
const LIMITS: ThreadLimits = { time: 30_000, memory: 256 }
/** A text of so many characters takes some milliseconds, and a thread takes longer to start. */
export const MAX_HERE_CHARACTERS = 32_000

/** With indents and characters of several bytes, a text in YAML has at most eight times the characters of its JSON. */
const MAX_SURE_CHARACTERS = MAX_YAML_BYTES / 8

/** One at a time, so that the memory of threads does not add up. */
const line = createFairLine(1)

/** A file needs more time or memory than any that a person writes. The message is a sentence. */
export class YamlTooCostly extends PlainError {
  constructor() {
    super(`${SIGNET_FILE} takes more time or memory than a file that a person writes.`)
  }
}

/** How a folder's files of YAML are read. */
export type YamlReader = Readonly<{
  describe: (text: string | null) => Promise<SignetYamlRead>
  expect: (text: string | null) => Promise<ExpectationsRead>
}>

/** Reads in this thread, for a process that does nothing else. */
export const yamlHere: YamlReader = {
  describe: async (text) => readDescription(text),
  expect: async (text) => readExpected(text),
}

export type YamlApart = ReturnType<typeof yamlApart>

/**
 * @param organisation for whom; organisations have turns
 * @param client ends the work when it leaves; null for work that others wait for, too
 */
export function yamlApart(organisation: object, client: AbortSignal | null) {
  const ask = async (task: YamlTask): Promise<string> => {
    const answer = await line(
      organisation,
      () =>
        withThread<YamlTask, YamlAnswer, YamlAnswer>(
          { program: PROGRAM, limits: LIMITS, tooCostly: () => new YamlTooCostly(), client },
          (answerTo) => answerTo(task),
        ),
      client,
    )
    if ('tooLarge' in answer) throw new YamlTooLarge(answer.tooLarge)
    return answer.json
  }
  /** What the thread reads; what it cannot read is a finding. */
  const readApart = async <Read extends Pick<SignetYamlRead, 'problems'>>(
    task: YamlTask,
    readIn: (json: string) => Promise<Read> | Read,
    file: string,
    readHere: (text: null) => Read,
  ): Promise<Read> => {
    try {
      return await readIn(await ask(task))
    } catch (error) {
      if (!(error instanceof YamlTooCostly)) throw error
      return {
        ...readHere(null),
        problems: [findError(startOf(file), 'tooLong', 'There is too much in this file.')],
      }
    }
  }

  return {
    describe: async (text: string | null): Promise<SignetYamlRead> =>
      text === null || text.length <= MAX_HERE_CHARACTERS
        ? readDescription(text)
        : readApart(
            { kind: 'describe', text },
            (json) => inTurns(takingDescription(json, SIGNET_FILE), { client }),
            SIGNET_FILE,
            readDescription,
          ),

    expect: async (text: string | null): Promise<ExpectationsRead> =>
      text === null || text.length <= MAX_HERE_CHARACTERS
        ? readExpected(text)
        : readApart({ kind: 'expect', text }, expectationsIn, EXPECT_FILE, readExpected),

    /**
     * The `signet.yaml` of a document: the text with as few changes as possible, or a new one without a text.
     *
     * @throws YamlTooLarge when it would be larger than the largest that is read
     */
    async write(document: ReleaseDocument, text: string | null): Promise<string> {
      const sent = sentDocument(document)
      return sent.length + (text?.length ?? 0) <= MAX_HERE_CHARACTERS
        ? inTurns(describing(document, text), { client })
        : (JSON.parse(await ask({ kind: 'write', document: sent, text })) as string)
    },

    /** @throws YamlTooLarge when the `signet.yaml` of a document would be larger than the largest that is read */
    async check(document: ReleaseDocument): Promise<void> {
      const sent = sentDocument(document)
      if (sent.length > MAX_SURE_CHARACTERS) await ask({ kind: 'write', document: sent, text: null })
    },

    /** The lines of the `signet.yaml` that `write` writes without a text. */
    async lines(document: ReleaseDocument): Promise<Lines> {
      const sent = sentDocument(document)
      return sent.length <= MAX_HERE_CHARACTERS
        ? inTurns(writtenLines(document), { client })
        : linesIn(await ask({ kind: 'lines', document: sent }))
    },
  }
}
