/** What the store needs of a database; the differences between the databases end here. */

/** `bigint` is a number, `bytea` a plain Uint8Array, `json` is parsed. */
export type Session = Readonly<{
  query: <Row extends object>(sql: string, parameters?: readonly unknown[]) => Promise<readonly Row[]>
  /** Several statements without parameters. */
  script: (sql: string) => Promise<void>
}>

/** Rejects with `StoreUnavailable` when the database is away; other errors have their `sqlState`. */
export type Driver = Session &
  Readonly<{
    /** Commits when `run` resolves, else rolls back. A snapshot reads one state of the database and writes nothing. */
    transaction: <Result>(run: (session: Session) => Promise<Result>, isSnapshot?: boolean) => Promise<Result>
    close: () => Promise<void>
  }>

/** The five characters of SQLSTATE by which the database told an error, else null. */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error)
    ? code
    : null
}
