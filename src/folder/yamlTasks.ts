/** Tasks for a `signet.yaml` or an `expect.yaml`, run in this thread or a separate one (yamlApart.ts). */
import { runSteps, type Steps } from '../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import { writingSignetYaml, YamlTooLarge } from './changedYaml.ts'
import { type Expectation, readExpectations } from './expectations.ts'
import type { Finding, Place } from './finding.ts'
import { type DescribedDocument, type DescriptionRead, readSignetYaml } from './signetYaml.ts'
import { type YamlLines, findingYamlLines } from './writtenYaml.ts'

/** A description with the findings from reading it. */
export type SignetYamlRead = DescriptionRead & Readonly<{ problems: readonly Finding[] }>
export type ExpectationsRead = Readonly<{
  expectations: readonly Expectation[]
  problems: readonly Finding[]
}>

export function readDescription(text: string | null): SignetYamlRead {
  const problems: Finding[] = []
  return { ...readSignetYaml(text, problems), problems }
}

export function readExpectationsFile(text: string | null): ExpectationsRead {
  const problems: Finding[] = []
  return { expectations: readExpectations(text, problems), problems }
}

/**
 * The tasks of the thread. Documents are sent as JSON without templates and pictures, which `signet.yaml` does not
 * have.
 */
export type YamlTask =
  | Readonly<{ kind: 'describe' | 'expect'; text: string }>
  | Readonly<{ kind: 'write'; document: string; text: string | null }>
  | Readonly<{ kind: 'lines'; document: string }>

/** The answer as JSON: parsing a long text is faster than transferring many objects between threads. */
export type YamlAnswer = Readonly<{ json: string }> | Readonly<{ tooLarge: number }>

/** A description as sent from the thread. JSON has no maps, so `at` has a line and a column for each path. */
type Sent = Omit<SignetYamlRead, 'places'> &
  Readonly<{ places: Readonly<{ paths: readonly string[]; at: readonly number[] }> }>

export function answerYamlTask(task: YamlTask): YamlAnswer {
  switch (task.kind) {
    case 'describe': {
      const read = readDescription(task.text)
      const at = [...read.places.values()].flatMap(({ line, column }) => [line, column])
      const places = { paths: [...read.places.keys()], at }
      return jsonOf({ ...read, places } satisfies Sent)
    }
    case 'expect':
      return jsonOf(readExpectationsFile(task.text))
    case 'lines':
      return jsonOf([...runSteps(findingYamlLines(documentIn(task.document)))])
    case 'write':
      try {
        return jsonOf(runSteps(writingSignetYaml(documentIn(task.document), task.text)))
      } catch (error) {
        if (error instanceof YamlTooLarge) return { tooLarge: error.bytes }
        throw error
      }
  }
}

const jsonOf = (value: unknown): YamlAnswer => ({ json: JSON.stringify(value) })

/** The parts of a document that `signet.yaml` describes, as JSON. */
export const describedJson = ({ templates: _, pictures: __, ...described }: ReleaseDocument): string =>
  JSON.stringify(described satisfies DescribedDocument)

const documentIn = (json: string): ReleaseDocument => ({
  ...(JSON.parse(json) as DescribedDocument),
  templates: {},
  pictures: {},
})

const STEP_PLACES = 1_000

/** Restores a description from the thread in steps: parses its JSON, then reads several places per step. */
export function* restoringDescription(json: string, file: string): Steps<SignetYamlRead> {
  const {
    places: { paths, at },
    ...read
  } = JSON.parse(json) as Sent
  const places = new Map<string, Place>()
  for (const [index, path] of paths.entries()) {
    if (index % STEP_PLACES === 0) yield
    places.set(path, { file, line: at[2 * index] ?? 1, column: at[2 * index + 1] ?? 1 })
  }
  return { ...read, places }
}

export const parseExpectations = (json: string): ExpectationsRead => JSON.parse(json) as ExpectationsRead
export const parseLines = (json: string): YamlLines => new Map(JSON.parse(json) as [string, number][])
