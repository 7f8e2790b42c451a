/** Builds the statements of one organisation. `$1` is its id; values in a statement become its other parameters. */
import type { Session } from './driver.ts'

/** A part of a statement: a value follows each text but the last. */
export type Sql = Readonly<{ texts: readonly string[]; values: readonly unknown[] }>

const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'texts' in value

const joined = (before: readonly string[], [next = '', ...more]: readonly string[]): readonly string[] => [
  ...before.slice(0, -1),
  `${before.at(-1) ?? ''}${next}`,
  ...more,
]

/** A part of a statement. A value that is a part itself becomes text. */
export function sql([first = '', ...rest]: readonly string[], ...given: readonly unknown[]): Sql {
  const parts = given.map((each) => (isSql(each) ? each : { texts: ['', ''], values: [each] }))
  return {
    texts: parts.reduce<readonly string[]>(
      (before, { texts }, index) => joined(joined(before, texts), [rest[index] ?? '']),
      [first],
    ),
    values: parts.flatMap(({ values }) => values),
  }
}

/** A text without values as a part of a statement. */
export const raw = (text: string): Sql => ({ texts: [text], values: [] })

/** Asks a database for one organisation, with parameters from `$2` on. */
export const askOf = (session: Session, organisation: string) =>
  function ask<Row extends object>(text: string, parameters: readonly unknown[]) {
    return session.query<Row>(text, [organisation, ...parameters.map(withoutNul)])
  }

/** The same with the values in the text. */
export function queryOf(session: Session, organisation: string) {
  const ask = askOf(session, organisation)
  return function query<Row extends object>(texts: TemplateStringsArray, ...given: readonly unknown[]) {
    const statement = sql(texts, ...given)
    const text = statement.texts.reduce((before, after, index) => `${before}$${index + 1}${after}`)
    return ask<Row>(text, statement.values)
  }
}
export type Query = ReturnType<typeof queryOf>

/** The same for statements without rows. */
export const runOf =
  (query: Query) =>
  async (texts: TemplateStringsArray, ...given: readonly unknown[]): Promise<void> => {
    await query(texts, ...given)
  }

/** Text of PostgreSQL has no NUL: what is asked for with one is not found. */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(withoutNul) : value
}
