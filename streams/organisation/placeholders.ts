/** Problems of the placeholders of a template, by itself and in its document: for `signet check` and the editor. */
import { partName, partsOf, type ReleaseDocument } from './release.ts'
import { variableNames } from './selectors.ts'
import {
  misbraced,
  parsePart,
  parseTemplate,
  type Placeholder,
  type Template,
  type TemplateProblem,
} from './template.ts'

/**
 * From `at` to `end` in the template's text. `name` is the content of the braces: a variable, a picture, a part; with the
 * code `braces`, it is the correct placeholder.
 */
export type PlaceholderProblem = Readonly<{
  at: number
  end: number
  code: TemplateProblem['code'] | 'braces' | 'unknownPicture' | 'unknownVariable'
  name: string
}>

/** What the templates of one document may name. */
export type Vocabulary = Readonly<{
  variables: ReadonlySet<string>
  /** Text by the name in `{{> name}}`. */
  parts: ReadonlyMap<string, string>
  /** The parts that were parsed, by name. */
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

/** Problems of the grammar, then of braces, then unknown names; each in the order of the text. */
export function placeholderProblems(
  path: string,
  text: string,
  vocabulary: Vocabulary,
): readonly PlaceholderProblem[] {
  const { parts, read } = vocabulary
  const { template, problems } = partName(path) === null ? parseTemplate(text, parts, read) : parsePart(text)
  // Braces around an unknown name may be plain text: "{us}".
  const wrong = misbraced(text).filter(({ kind, names }) => unknownIn(kind, names, vocabulary).length === 0)
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
  const isKnown = (name: string): boolean => {
    if (kind === 'part') return parts.has(name)
    return kind === 'picture' ? Object.hasOwn(pictures, name) : variables.has(name)
  }
  return names.filter((name) => !isKnown(name))
}

/** The end of the braces that begin at `at`; without one, the end of the line. */
function endOf(text: string, at: number): number {
  const lineEnd = text.indexOf('\n', at)
  const line = lineEnd < 0 ? text.length : lineEnd
  const closed = text.indexOf('}}', at)
  return closed < 0 || closed + 2 > line ? line : closed + 2
}
