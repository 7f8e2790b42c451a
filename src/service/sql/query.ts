/** Builds the statements of one organisation, whose id is `$1`. Values in a statement become further parameters. */
import type { DatabaseSession } from './driver.ts'

/**
 * A part of a statement, with values between its texts. A class, so that parsed JSON can never be mistaken for a part.
 */
export class Sql {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

const joined = (before: readonly string[], [next = '', ...more]: readonly string[]): readonly string[] => [
  ...before.slice(0, -1),
  `${before.at(-1) ?? ''}${next}`,
  ...more,
]

/** Creates a part of a statement. Values that are parts are inserted as text; other values become parameters. */
export function sql([first = '', ...rest]: readonly string[], ...given: readonly unknown[]): Sql {
  const parts = given.map((each) => (each instanceof Sql ? each : new Sql(['', ''], [each])))
  const texts = parts.reduce<readonly string[]>(
    (before, part, index) => joined(joined(before, part.texts), [rest[index] ?? '']),
    [first],
  )
  return new Sql(
    texts,
    parts.flatMap(({ values }) => values),
  )
}

/** A text without values, as a part of a statement. */
export const rawSql = (text: string): Sql => new Sql([text], [])

/** Runs a statement for one organisation. `parameters` begin at `$2`, because `$1` is the organisation's id. */
export const textQueryOf = (session: Pick<DatabaseSession, 'query'>, organisation: string) =>
  function ask<Row extends object>(text: string, parameters: readonly unknown[]) {
    return session.query<Row>(text, [organisation, ...parameters.map(withoutNul)])
  }

/** Runs a statement for one organisation. The statement is a template literal with its values. */
export function queryOf(session: Pick<DatabaseSession, 'query'>, organisation: string) {
  const ask = textQueryOf(session, organisation)
  return function query<Row extends object>(texts: TemplateStringsArray, ...given: readonly unknown[]) {
    const statement = sql(texts, ...given)
    const text = statement.texts.reduce((before, after, index) => `${before}$${index + 1}${after}`)
    return ask<Row>(text, statement.values)
  }
}
export type Query = ReturnType<typeof queryOf>

/** Runs a statement like `query`, but ignores its rows. */
export const rowlessQueryOf =
  (query: Query) =>
  async (texts: TemplateStringsArray, ...given: readonly unknown[]): Promise<void> => {
    await query(texts, ...given)
  }

/** Replaces NUL, which PostgreSQL's text cannot contain. A search for a text with NUL then finds nothing. */
const withoutNul = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  return Array.isArray(value) ? value.map(withoutNul) : value
}
