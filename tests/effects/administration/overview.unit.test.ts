import { of, Subject, throwError } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { expect, test } from 'vitest'
import { HistoryComparison } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Failed } from '../../../streams/kernel/failure.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { releaseId } from '../../support/administration/answers.ts'
import { explained } from '../../support/administration/people.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../../support/administration/ports.ts'

const documentOf = (organisation: string) => ({ organisation }) as ReleaseDocument

const open = () => {
  const ports = fakeAdministrationPorts({ scheduler: new TestScheduler(() => {}) })
  ports.api.release.answers((id: string) => of(documentOf(id)))
  ports.api.person.answers(() => of(explained()))
  const page = startAdministrationAt('/history', ports)
  return { ports, page, compared: (number: number) => page.state$.value.comparison[number] }
}

test('an unfolded entry has its release, the release before it, and the row of the administrator', () => {
  const { page, ports, compared } = open()
  page.record(HistoryComparison.opened({ number: 2 }))
  const { person } = explained()
  expect(compared(2)).toEqual({
    status: 'success',
    value: { before: documentOf(releaseId('a')), after: documentOf(releaseId('b')), person },
  })
  expect(ports.sent.filter(({ name }) => name === 'api.person').map(({ args }) => args)).toEqual([
    ['alex.kim@northwind.example', null],
  ])
  page.record(HistoryComparison.opened({ number: 1 }))
  expect(compared(1)).toMatchObject({ value: { before: null, after: documentOf(releaseId('a')) } })
  page.stop()
})

test('an entry is loaded without the row of an administrator who has none', () => {
  const { page, ports, compared } = open()
  ports.api.person.answers(() => throwError(() => new Failed({ kind: 'network' })))
  page.record(HistoryComparison.opened({ number: 2 }))
  expect(compared(2)).toMatchObject({ status: 'success', value: { person: null } })
  page.stop()
})

test('an entry that could not be loaded is tried again, and several load at the same time', () => {
  const { page, ports, compared } = open()
  const waiting = new Map<string, Subject<ReleaseDocument>>()
  ports.api.release.answers((id: string) => {
    const answer$ = new Subject<ReleaseDocument>()
    waiting.set(id, answer$)
    return answer$
  })
  page.record(HistoryComparison.opened({ number: 1 }))
  page.record(HistoryComparison.opened({ number: 3 }))
  waiting.get(releaseId('a'))?.error(new Failed({ kind: 'timeout' }))
  expect([compared(1)?.status, compared(3)?.status]).toEqual(['fail', 'pending'])
  page.record(Place.retryRequested())
  for (const name of ['a', 'b', 'c']) {
    waiting.get(releaseId(name))?.next(documentOf(name))
    waiting.get(releaseId(name))?.complete()
  }
  expect([compared(1), compared(3)]).toMatchObject([
    { value: { before: null, after: documentOf('a') } },
    { value: { before: documentOf('b'), after: documentOf('c') } },
  ])
  page.stop()
})
