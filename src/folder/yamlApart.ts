/**
 * Reads and writes `signet.yaml` while other requests continue. The parser reads a file in one go, which takes up to a
 * second for the largest, so large files are read in a separate thread.
 */
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { MAX_YAML_BYTES, SIGNET_FILE } from '../../streams/organisation/release/paths.ts'
import { runInSlices } from '../server/timeSlices.ts'
import { createFairQueue } from '../server/fairLine.ts'
import { type ThreadLimits, withThread } from '../programs/thread.ts'
import { writingSignetYaml, YamlTooLarge } from './changedYaml.ts'
import { EXPECT_FILE } from './expectations.ts'
import { errorFinding, startOfFile } from './finding.ts'
import {
  type ExpectationsRead,
  parseExpectations,
  parseLines,
  readDescription,
  readExpectationsFile,
  describedJson,
  type SignetYamlRead,
  restoringDescription,
  type YamlAnswer,
  type YamlTask,
} from './yamlTasks.ts'
import { type YamlLines, findingYamlLines } from './writtenYaml.ts'
import { PlainError } from '../server/reasons.ts'

const PROGRAM = 'src/folder/yamlWorker.ts'
const LIMITS: ThreadLimits = { time: 30_000, memory: 256 }
/** A text up to this length takes a few milliseconds to read, less than starting a thread. */
export const MAX_UNTHREADED_CHARACTERS = 32_000

/**
 * A document whose JSON is at most this long surely fits: its YAML is at most eight times as long, because of
 * indentation and multi-byte characters.
 */
const MAX_SURE_CHARACTERS = MAX_YAML_BYTES / 8

/** One thread at a time, to limit their memory. */
const line = createFairQueue(1)

/** Thrown when a file needs more time or memory than any file a person writes. The message is a sentence. */
export class YamlTooCostly extends PlainError {
  constructor() {
    super(`${SIGNET_FILE} takes more time or memory than a file that a person writes.`)
  }
}

/** Reads a folder's YAML files. */
export type YamlReader = Readonly<{
  describe: (text: string | null) => Promise<SignetYamlRead>
  expect: (text: string | null) => Promise<ExpectationsRead>
}>

/** Reads YAML in the current thread, for a process that does nothing else. */
export const yamlInThisThread: YamlReader = {
  describe: async (text) => readDescription(text),
  expect: async (text) => readExpectationsFile(text),
}

/**
 * @param organisation the organisation to work for; organisations take turns
 * @param client ends the work when it disconnects; null for work that other clients wait for, too
 */
export function yamlInOwnThread(organisation: object, client: AbortSignal | null) {
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
  /** Gets the result from the thread. A file that takes too much time or memory is a finding. */
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
        problems: [errorFinding(startOfFile(file), 'tooLong', 'There is too much in this file.')],
      }
    }
  }

  return {
    describe: async (text: string | null): Promise<SignetYamlRead> =>
      text === null || text.length <= MAX_UNTHREADED_CHARACTERS
        ? readDescription(text)
        : readApart(
            { kind: 'describe', text },
            (json) => runInSlices(restoringDescription(json, SIGNET_FILE), { client }),
            SIGNET_FILE,
            readDescription,
          ),

    expect: async (text: string | null): Promise<ExpectationsRead> =>
      text === null || text.length <= MAX_UNTHREADED_CHARACTERS
        ? readExpectationsFile(text)
        : readApart({ kind: 'expect', text }, parseExpectations, EXPECT_FILE, readExpectationsFile),

    /**
     * Writes a document's `signet.yaml`: edits the given text as little as possible, or writes a new one if it is null.
     *
     * @throws YamlTooLarge when it would exceed the size limit for reading
     */
    async write(document: ReleaseDocument, text: string | null): Promise<string> {
      const sent = describedJson(document)
      return sent.length + (text?.length ?? 0) <= MAX_UNTHREADED_CHARACTERS
        ? runInSlices(writingSignetYaml(document, text), { client })
        : (JSON.parse(await ask({ kind: 'write', document: sent, text })) as string)
    },

    /** @throws YamlTooLarge when the document's `signet.yaml` would exceed the size limit for reading */
    async check(document: ReleaseDocument): Promise<void> {
      const sent = describedJson(document)
      if (sent.length > MAX_SURE_CHARACTERS) await ask({ kind: 'write', document: sent, text: null })
    },

    /** The line numbers in the `signet.yaml` that `write` would write for the document if `text` is null. */
    async lines(document: ReleaseDocument): Promise<YamlLines> {
      const sent = describedJson(document)
      return sent.length <= MAX_UNTHREADED_CHARACTERS
        ? runInSlices(findingYamlLines(document), { client })
        : parseLines(await ask({ kind: 'lines', document: sent }))
    },
  }
}
