/** What is wrong with the placeholders of a template, by itself and in its document: for `signet check` and for an editor. */
import { partName, partsOf, type ReleaseDocument } from './release.ts'
import { variableNames } from './selectors.ts'
import { parsePart, parseTemplate, placeholdersOf, type Template, type TemplateProblem } from './template.ts'

/** From `at` to `end` in the template's text. `name` is what stands between the braces: a variable, a picture, a part. */
export type PlaceholderProblem = Readonly<{
  at: number
  end: number
  code: TemplateProblem['code'] | 'unknownPicture' | 'unknownVariable'
  name: string
}>

/** What the templates of one document may name. */
export type Vocabulary = Readonly<{
  variables: ReadonlySet<string>
  /** Text by the name in `{{> name}}`. */
  parts: ReadonlyMap<string, string>
  /** Those of them that were read. */
  read: Map<string, Template>
  /** Hashes by path. */
  pictures: ReleaseDocument['pictures']
}>

export const vocabularyOf = (document: ReleaseDocument): Vocabulary => ({
  variables: variableNames(document),
  parts: partsOf(document.templates),
  read: new Map(),
  pictures: document.pictures,
})

/** Those of the grammar first, then names that the document does not have; each in the order of the text. */
export function placeholderProblems(
  path: string,
  text: string,
  { variables, parts, read, pictures }: Vocabulary,
): readonly PlaceholderProblem[] {
  const { template, problems } = partName(path) === null ? parseTemplate(text, parts, read) : parsePart(text)
  return [
    ...problems.map(({ at, code, name }) => ({ at, end: endOf(text, at), code, name })),
    ...placeholdersOf(template).flatMap(({ kind, names, at, end }): PlaceholderProblem[] => {
      if (kind === 'part') return []
      const [code, isKnown] =
        kind === 'picture'
          ? (['unknownPicture', (name: string) => Object.hasOwn(pictures, name)] as const)
          : (['unknownVariable', (name: string) => variables.has(name)] as const)
      return names.filter((name) => !isKnown(name)).map((name) => ({ at, end, code, name }))
    }),
  ]
}

/** Where the braces that begin at `at` end; without an end, at the end of the line. */
function endOf(text: string, at: number): number {
  const lineEnd = text.indexOf('\n', at)
  const line = lineEnd < 0 ? text.length : lineEnd
  const closed = text.indexOf('}}', at)
  return closed < 0 || closed + 2 > line ? line : closed + 2
}
