/** Reads the mistake from a response that rejects a draft's templates. */
import type { Failure } from '../../kernel/failure.ts'
import type { FolderFinding } from '../../wire/administration/publishing.ts'

/** The form of the service's message: `templates/a.html:3:7: There is no variable "phon".` */
const FINDING = /^([^:]{1,200}):(\d{1,9}):(\d{1,9}): ([^]*)$/

/** The mistake in the draft's templates; null for any other failure. */
export function templateFindingsOf(failure: Failure): readonly FolderFinding[] | null {
  if (failure.kind !== 'http' || failure.status !== 422 || failure.code !== 'template_invalid') return null
  const { message } = (failure.data ?? {}) as Readonly<{ message?: unknown }>
  const [, file, line, column, sentence] = typeof message === 'string' ? (FINDING.exec(message) ?? []) : []
  if (file === undefined || sentence === undefined) return null
  return [
    {
      file,
      line: Number(line),
      column: Number(column),
      level: 'error',
      rule: failure.code,
      message: sentence,
    },
  ]
}
