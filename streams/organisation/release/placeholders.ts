/** Finds problems in a template's placeholders, for `signet check` and the editor. */
import { partName, templatePartsOf, type ReleaseDocument } from './release.ts'
import { variableNames } from './selectors.ts'
import {
  misbracedPlaceholders,
  parsePart,
  parseTemplate,
  type Placeholder,
  type Template,
  type TemplateProblem,
  variablesIn,
} from '../template/template.ts'

/**
 * A problem from `at` to `end` in the template's text. `name` is the text between the braces: a variable, a picture or
 * a part. With the code `braces`, `name` is the correct placeholder.
 */
export type PlaceholderProblem = Readonly<{
  at: number
  end: number
  code: TemplateProblem['code'] | 'braces' | 'unknownPicture' | 'unknownVariable'
  name: string
}>

/** The names available to the templates of one document. */
export type Vocabulary = Readonly<{
  variables: ReadonlySet<string>
  /** The texts of the parts, by the name in `{{> name}}`. */
  parts: ReadonlyMap<string, string>
  /** The parts parsed so far, by name. */
  read: Map<string, Template>
  /** The hashes of pictures, by path. */
  pictures: ReleaseDocument['pictures']
}>

export const vocabularyOf = (document: ReleaseDocument): Vocabulary => ({
  variables: variableNames(document),
  parts: templatePartsOf(document.templates),
  read: new Map(),
  pictures: document.pictures,
})

/**
 * Lists the problems in a template or part: syntax errors first, then wrong braces, then unknown names; each group in
 * the order of the text.
 */
export function placeholderProblems(
  path: string,
  text: string,
  vocabulary: Vocabulary,
): readonly PlaceholderProblem[] {
  const { parts, read } = vocabulary
  const { template, problems } = partName(path) === null ? parseTemplate(text, parts, read) : parsePart(text)
  // Wrong braces around an unknown name are not reported, because they may be plain text such as "{us}".
  const wrong = misbracedPlaceholders(text).filter(
    ({ kind, names }) => unknownIn(kind, names, vocabulary).length === 0,
  )
  const reported = new Set(wrong.map(({ at }) => at))
  return [
    ...problems
      .filter(({ at, code }) => code !== 'unknownPlaceholder' || !reported.has(at))
      .map(({ at, code, name }) => ({ at, end: endOf(text, at), code, name })),
    ...wrong.map(({ at, end, content }) => ({ at, end, code: 'braces' as const, name: `{{${content}}}` })),
    ...template.placeholders.flatMap(({ kind, names, at, end }): PlaceholderProblem[] => {
      if (kind === 'part') return []
      const code = kind === 'picture' ? 'unknownPicture' : 'unknownVariable'
      return unknownIn(kind, names, vocabulary).map((name) => ({ at, end, code, name }))
    }),
  ]
}

function unknownIn(
  kind: Placeholder['kind'],
  names: readonly string[],
  { variables, parts, pictures }: Vocabulary,
): readonly string[] {
  if (kind === 'part') return names.filter((name) => !parts.has(name))
  if (kind === 'picture') return names.filter((name) => !Object.hasOwn(pictures, name))
  return variablesIn({ kind, names }).filter((name) => !variables.has(name))
}

/** The end of the braces that open at `at`. Without closing braces, the end of the line. */
function endOf(text: string, at: number): number {
  const lineEnd = text.indexOf('\n', at)
  const line = lineEnd < 0 ? text.length : lineEnd
  const closed = text.indexOf('}}', at)
  return closed < 0 || closed + 2 > line ? line : closed + 2
}
