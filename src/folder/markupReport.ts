import { type Finding, createFindingReport } from './finding.ts'
import type { ExpandedTemplate } from './expanded.ts'

export type MarkupReport = ReturnType<typeof reportOnMarkup>

/** Returns functions that report findings at offsets of an expanded template. */
export function reportOnMarkup({ placeOf }: ExpandedTemplate) {
  const report = createFindingReport()
  const reported = new Set<string>()
  const warn = (at: number, code: string, message: string) => report.warn(placeOf(at), code, message)
  return {
    findings: report.findings as readonly Finding[],
    error: (at: number, code: string, message: string) => report.error(placeOf(at), code, message),
    warn,
    /** Warns only once for each file, code and name. */
    warnOnce: (at: number, code: string, name: string, message: string): void => {
      const key = `${placeOf(at).file} ${code} ${name}`
      if (!reported.has(key)) warn(at, code, message)
      reported.add(key)
    },
  }
}
