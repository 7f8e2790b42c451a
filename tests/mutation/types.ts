import { join } from 'node:path'
import ts from 'typescript'

/** Part of a file that a mutant replaces; lines and columns begin with 1. */
export type Replaced = Readonly<{
  file: string
  start: Readonly<{ line: number; column: number }>
  end: Readonly<{ line: number; column: number }>
  replacement: string
}>

/**
 * Opens the project for its types.
 *
 * @param root of the repository
 * @returns whether the file of a mutant has a mistake of types; other files, which may have one because of it, are not
 * looked at
 */
export function openTypes(root: string): (mutant: Replaced) => boolean {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { options: strict, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  // An import that only a mutant leaves unused shows nothing.
  const options = { ...strict, noUnusedLocals: false, noUnusedParameters: false }
  const mutated = new Map<string, Readonly<{ version: number; text: string }>>()
  const { writeFile: _, ...host } = ts.createCompilerHost(options)
  const textOf = (path: string) => mutated.get(path)?.text ?? host.readFile(path)
  const service = ts.createLanguageService({
    ...host,
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (path) => String(mutated.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = textOf(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
  })
  const set = (path: string, text: string) => {
    mutated.set(path, { version: (mutated.get(path)?.version ?? 0) + 1, text })
  }
  return ({ file, start, end, replacement }) => {
    const path = join(root, file)
    const text = ts.sys.readFile(path) ?? ''
    const lines = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
    const offset = ({ line, column }: Replaced['start']) =>
      lines.getPositionOfLineAndCharacter(line - 1, column - 1)
    set(path, text.slice(0, offset(start)) + replacement + text.slice(offset(end)))
    const mistakes = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)]
    set(path, text)
    return mistakes.length > 0
  }
}
