import { describe, expect, it } from 'vitest'
import type { DatabaseSession } from '../../../src/service/sql/driver.ts'
import { queryOf, rawSql, sql } from '../../../src/service/sql/query.ts'

/** Asks for one organisation, and returns what the database got. */
async function asked(run: (query: ReturnType<typeof queryOf>) => Promise<unknown>) {
  const statements: (readonly [text: string, parameters: readonly unknown[] | undefined])[] = []
  const session = {
    query: (text: string, parameters?: readonly unknown[]) => {
      statements.push([text, parameters])
      return Promise.resolve([])
    },
  } as unknown as DatabaseSession
  await run(queryOf(session, 'organisation'))
  return statements
}

describe('a statement', () => {
  it('has its values as parameters behind the organisation, those of its parts in their places', async () => {
    const part = sql`b = ${2} and ${rawSql('not c')}`
    expect(await asked((query) => query`select a where a = ${1} and ${part} limit ${3}`)).toEqual([
      ['select a where a = $2 and b = $3 and not c limit $4', ['organisation', 1, 2, 3]],
    ])
  })

  it('takes no value for a part, whatever it looks like', async () => {
    const value = { texts: ["'; drop table person; --"], values: [] }
    expect(await asked((query) => query`select ${value}`)).toEqual([['select $2', ['organisation', value]]])
  })

  it('replaces NUL, also in lists', async () => {
    expect(await asked((query) => query`select ${'a\0'}, ${['\0b']}`)).toEqual([
      ['select $2, $3', ['organisation', 'a\ufffd', ['\ufffdb']]],
    ])
  })
})
