import type { Feature } from './features.ts'
import type { BuiltFile, FeatureUse } from './scan.ts'

/**
 * Finds the uses of `features` in a minified style sheet: units, pseudo-classes and at-rules. A declaration does not
 * count inside an `@supports` that tests for its unit. Nor does it count after another declaration of the same
 * property, because older browsers keep that earlier declaration.
 */
export function usesInStyleSheet(
  { name: file, text }: BuiltFile,
  features: readonly Feature[],
): readonly FeatureUse[] {
  const uses: FeatureUse[] = []
  /** The selectors and at-rules of the enclosing blocks. */
  const around: string[] = []
  let earlier = new Set<string>()
  for (const { 0: whole, 1: says = '', 2: end, index } of text.matchAll(/([^{};]*)([{};])/g)) {
    const found = (kind: Feature['kind'], names: Iterable<RegExpMatchArray>) => {
      for (const [, name] of names)
        for (const feature of features)
          if (feature.kind === kind && feature.name === name) {
            const lines = text.slice(0, index).split('\n')
            uses.push({ feature, file, line: lines.length, column: lines.at(-1)?.length ?? 0, says: whole })
          }
    }
    if (end === '{') {
      if (says.startsWith('@')) found('atRule', says.matchAll(/^@([\w-]+)/g))
      else found('pseudo', says.matchAll(/:([\w-]+)/g))
      around.push(says)
      earlier = new Set()
      continue
    }
    const [property = '', ...value] = says.split(':')
    const asked = around.filter((opening) => opening.startsWith('@supports')).join()
    if (!earlier.has(property))
      found(
        'unit',
        Array.from(value.join(':').matchAll(/(?:^|[ ,(*/+-])[\d.]+([a-z]+)(?![\w.-])/gi)).filter(
          ([, unit]) => !asked.includes(unit ?? ''),
        ),
      )
    earlier.add(property)
    if (end === '}') around.pop()
  }
  return uses
}
