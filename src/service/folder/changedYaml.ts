/** Changes the text of a `signet.yaml` so that it describes another document. */
import { isDeepStrictEqual } from 'node:util'
import type { Steps } from '../../../streams/kernel/steps.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import type { Finding } from './finding.ts'
import { readSignetYaml } from './signetYaml.ts'
import { writingYaml } from './writtenYaml.ts'

/** The text of a `signet.yaml` that describes the document: the given text if it does so, else a written one. */
export function* changingYaml(text: string, document: ReleaseDocument): Steps<string> {
  return describes(text, document) ? text : yield* writingYaml(document)
}

function describes(text: string, { templates: _, pictures: __, ...described }: ReleaseDocument): boolean {
  const problems: Finding[] = []
  const { document } = readSignetYaml(text, problems)
  return !problems.some(({ level }) => level === 'error') && isDeepStrictEqual(document, described)
}
