import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readDemonstration } from '../../../src/service/demonstration/northwind.ts'
import { cases } from '../../support/cases.ts'
import { overPostgres } from '../../support/databases.ts'
import { publishDocument } from '../../support/demonstration.ts'
import type { SignaturesAnswer } from '../../../streams/wire/administration/people.ts'
import { ADDIN_HEADERS, ALEX, send, SALES, start, TESS, type Running, type WireResponse } from '../running.ts'
import { askAdministration } from './administrator.ts'

// Two people write for one mailbox. Its signature names the person who writes.

const TEMPLATE = 'templates/desk.html'
const DESK = 'desk-u-2'
const CACHE_PATH = '/signatures-cache/api/v1/signature/addin'

const writers = [
  { id: 'u-1', email: ALEX },
  { id: 'u-5', email: TESS },
] as const
type WriterIndex = 0 | 1

type Step = Readonly<
  | { does: 'rename'; writer: WriterIndex; name: string }
  | { does: 'batch' | 'named' | 'default' | 'revalidate' | 'signIn'; writer: WriterIndex }
>
const writer = fc.constantFrom<WriterIndex>(0, 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('batch', 'named', 'default'), writer }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('revalidate' as const), writer }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('signIn' as const), writer }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rename' as const),
      writer,
      name: fc.constantFrom('Ab', 'Cd', 'Ef'),
    }),
  },
)

overPostgres('[PERSON-4] the signature of a mailbox', (open) => {
  let running: Running
  let tokens: readonly string[] = []
  beforeAll(async () => {
    running = await start({ open })
    tokens = await Promise.all(writers.map(({ email }) => running.signIn(email)))
  })
  beforeEach(async () => {
    await running.reset()
    await publish('<p>{{display_name}}: {{writer.first_name}}, {{writer.email}}</p>')
  })
  afterAll(() => running.stop())

  async function publish(text: string): Promise<void> {
    const { document } = await readDemonstration()
    const [first] = document.signatures
    if (first === undefined) throw new Error('no signature')
    const { reply: _, meeting: __, ...plain } = first
    const desk = {
      ...plain,
      id: 'desk',
      reply: null,
      template: TEMPLATE,
      selection: { for: 'everyone' as const, not: [] },
    }
    await publishDocument(running.context, {
      ...document,
      signatures: [desk, ...document.signatures],
      templates: { ...document.templates, [TEMPLATE]: text },
    })
  }
  const tokenOf = (of: WriterIndex) => tokens[of] ?? ''
  const ask = (of: WriterIndex, method: string, path: string, body?: unknown, more: object = {}) =>
    send(
      method,
      running.url + path,
      { ...ADDIN_HEADERS, Authorization: `Bearer ${tokenOf(of)}`, ...more },
      body,
    )
  const batch = async (of: WriterIndex) => {
    const path = '/signatures-cache/api/v1/signatures/get/batch?per_page=50'
    const { body } = await ask(of, 'POST', path, { user_ids: ['u-2'] })
    return body.objects.find(({ combined_ids: ids }) => ids === DESK)?.signature
  }
  const named = `${CACHE_PATH}?combined_ids=${DESK}`

  it('names the person who asks, in every call; two writers never get each other’s', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const names = ['Alex', 'Tess']
        const { people } = running.context
        const rename = async (of: WriterIndex, name: string) => {
          names[of] = name
          const save = {
            type: 'saveValues',
            values: { first_name: name },
            resetFields: [],
            metadata: {},
          } as const
          await people.write(writers[of].id, save, 'test')
          await people.write(writers[of].id, { type: 'chooseDefault', combinedIds: DESK }, 'test')
        }
        await rename(0, 'Alex')
        await rename(1, 'Tess')
        const expected = (of: WriterIndex) =>
          `<p>Northwind Sales desk: ${names[of] ?? ''}, ${writers[of].email}</p>`
        /** Answers with tags, of both writers: a writer may ask with the other one's tag. */
        const kept: Readonly<{ path: string; tag: string; html: string }>[] = []
        const read = async (of: WriterIndex, path: string) => {
          const { headers, body } = await ask(of, 'GET', path)
          kept.push({ path, tag: headers.get('etag') ?? '', html: body.signature })
          expect(body.signature).toBe(expected(of))
        }
        const revalidated = ({ status, body }: WireResponse, html: string) =>
          status === 304 ? html : body.signature
        for (const each of steps) {
          const { writer: of } = each
          if (each.does === 'rename') await rename(of, each.name)
          else if (each.does === 'batch') expect(await batch(of)).toBe(expected(of))
          else if (each.does === 'named') await read(of, named)
          else if (each.does === 'default') await read(of, CACHE_PATH)
          else if (each.does === 'signIn') {
            const { email } = writers[of]
            const accessToken = await running.mailClientToken(email)
            const { text } = await running.call('POST', '/authentication/addin/azure', null, {
              accessToken,
              email,
            })
            const { data } = JSON.parse(text) as { data: { signature: { signature: string } } }
            expect(data.signature.signature).toBe(expected(of))
          } else
            for (const { path, tag, html } of kept)
              expect(revalidated(await ask(of, 'GET', path, undefined, { 'If-None-Match': tag }), html)).toBe(
                expected(of),
              )
        }
      }),
      cases(8),
    )
  })

  it('is shown to administrators as it is for a writer whom they name', async () => {
    const token = await running.mailClientToken(ALEX)
    const shown = async (query: string, path = `/people/${SALES}/signatures`) => {
      const { body } = await askAdministration<SignaturesAnswer>(running.url, token, 'GET', `${path}${query}`)
      return [body.signatures[0]?.html, body.namesWriter]
    }
    await running.context.people.write(
      'u-5',
      { type: 'saveValues', values: { first_name: 'Tess' }, resetFields: [], metadata: {} },
      'test',
    )
    expect(await shown(`?writer=${TESS}`)).toEqual([`<p>Northwind Sales desk: Tess, ${TESS}</p>`, true])
    expect(await shown('?writer=u-5')).toEqual([`<p>Northwind Sales desk: Tess, ${TESS}</p>`, true])
    expect(await shown('')).toEqual(['<p>Northwind Sales desk: ‹first_name›, ‹email›</p>', true])
    // A person writes for themselves.
    const [own, names] = await shown('?writer=u-1', `/people/${TESS}/signatures`)
    expect([own, names]).toEqual([expect.stringContaining(TESS), undefined])
    const unknown = await askAdministration(
      running.url,
      token,
      'GET',
      `/people/${SALES}/signatures?writer=nobody`,
    )
    expect(unknown.status).toBe(404)
  })

  it('names its owner as the writer of the owner’s own list', async () => {
    const token = await running.signIn(SALES)
    const { body } = await running.call('GET', '/signatures-cache/api/v1/signatures?per_page=50', token)
    expect(body.objects[0]?.signature).toBe(`<p>Northwind Sales desk: Northwind, ${SALES}</p>`)
  })
})
