import type { Schema } from '../../../streams/kernel/schema.ts'
import type { PlanPage } from '../../../streams/wire/administration/publishing.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { ADMINISTRATION_PATH, CALLS } from '../../../streams/wire/administration/calls.ts'
import { ask, type MeasuredService } from './processes.ts'
import type { Provider } from './provider.ts'

/**
 * The cost of a plan, in milliseconds of processor time: in the service, for planning and for listing its people page by
 * page; in the browser's page, for decoding both answers.
 */
export type PlanCosts = Readonly<{ plan: number; people: number; decoding: number }>

/** Requests a plan like the administration page. The document must change something for all `people`. */
export async function planCosts(
  service: MeasuredService,
  provider: Provider,
  document: ReleaseDocument,
  people: number,
): Promise<PlanCosts> {
  const headers = { Authorization: `Bearer ${await provider.administrator()}` }
  const before = await service.processorMs()
  const { status, text } = await ask(service.url, {
    method: 'POST',
    path: `${ADMINISTRATION_PATH}/plans`,
    headers,
    body: { document, pictures: {} },
  })
  const planned = await service.processorMs()
  if (status !== 201) throw new Error(`There is no plan: ${String(status)} ${text.slice(0, 300)}`)
  const { value: plan, ms } = decode(CALLS.makePlan.answer, text)
  if (plan.summary.people !== people || plan.summary.unchanged > 0)
    throw new Error(`The plan does not change everyone: ${text.slice(0, 300)}`)

  const pages: PlanPage[] = []
  let decoding = ms
  for (let next: string | null = ''; next !== null; next = pages.at(-1)?.next ?? null) {
    const query = next === '' ? '' : `?after=${encodeURIComponent(next)}`
    const path = `${ADMINISTRATION_PATH}/plans/${plan.id}/people${query}`
    const answer = await ask(service.url, { method: 'GET', path, headers })
    const page = decode(CALLS.plannedPeople.answer, answer.text)
    pages.push(page.value)
    decoding += page.ms
  }
  const told = pages.reduce((sum, page) => sum + page.people.length, 0)
  if (told !== people) throw new Error(`The plan lists ${String(told)} people.`)
  return { plan: planned - before, people: (await service.processorMs()) - planned, decoding }
}

/** Decodes an answer like the page; `ms` is the processor time. */
function decode<Answer>({ read }: Schema<Answer>, text: string) {
  const begun = process.cpuUsage()
  const value = read(JSON.parse(text), '')
  const { user, system } = process.cpuUsage(begun)
  return { value, ms: (user + system) / 1000 }
}
