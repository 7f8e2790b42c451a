import { expect } from 'vitest'
import { ADMINISTRATION_PATH, type Call, CALLS } from '../../../streams/wire/administration/calls.ts'
import { send } from '../running.ts'

export type Answer<Body> = Readonly<{
  status: number
  body: Body & Readonly<{ code: string; message: string }>
}>

/** Asks the administration. What it answers is what its declaration says: the command line and the page believe it. */
export async function askAdministration<Body>(
  url: string,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
  const { status, body: read } = await send(method, `${url}${ADMINISTRATION_PATH}${path}`, headers, body)
  if (status < 300) expectDeclared(method, path, status, read)
  return { status, body: read as unknown as Answer<Body>['body'] }
}

const patternOf = ({ path }: Call) => new RegExp(`^${path.replace(':id', '[^/]+')}$`)

function expectDeclared(method: string, path: string, status: number, body: unknown): void {
  const [bare = ''] = path.split('?')
  const found = Object.values<Call>(CALLS).filter(
    (each) => each.method === method && patternOf(each).test(bare),
  )
  const call = found.find((each) => each.path === bare) ?? found[0]
  if (call === undefined) throw new Error(`${method} ${path} is not declared.`)
  expect(status).toBe(call.status)
  // A field that no schema knows would reach no reader.
  expect(call.answer.read(body, '')).toEqual(body)
}
