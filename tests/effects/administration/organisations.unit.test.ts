import { of } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import { expect, test } from 'vitest'
import { Organisations } from '../../../streams/administration/organisations/events.ts'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import { me } from '../../support/administration/answers.ts'
import { organisationsPage, overseen } from '../../support/administration/organisationsStories.ts'
import { fakeAdministrationPorts, startAdministrationAt } from '../../support/administration/ports.ts'

const open = (path: string, roles: readonly Role[]) => {
  const ports = fakeAdministrationPorts({ scheduler: new TestScheduler(() => {}) })
  ports.api.me.answers(() => of(me({ roles })))
  ports.api.organisations.answers((after: string | null) =>
    of(
      after === null
        ? organisationsPage({ organisations: [overseen('a')], next: 'a' })
        : organisationsPage({ organisations: [overseen('b')], next: null }),
    ),
  )
  const page = startAdministrationAt(path, ports)
  const asked = () => ports.sent.filter(({ name }) => name === 'api.organisations').map(({ args }) => args)
  return { page, asked }
}

test('an operator without another role arrives at the organisations, and asks nothing that the role does not allow', () => {
  const { page, asked } = open('/now', ['Signet.Operate'])
  expect(page.state$.value.place.path).toBe('/organisations')
  expect(page.state$.value.organisations.items).toHaveLength(1)
  expect(page.state$.value.overview.status).toBe('idle')
  page.record(Organisations.moreRequested())
  expect(asked()).toEqual([[null], ['a']])
  expect(page.state$.value.organisations.items?.map(({ id }) => id)).toEqual(['a', 'b'])
  page.stop()
})

test.each<[string, readonly Role[]]>([
  ['/now', ['Signet.Read', 'Signet.Operate']],
  ['/now', ['Signet.Read']],
  ['/people', ['Signet.Operate']],
])('an administrator who opens %s with the roles %j stays there', (path, roles) => {
  const { page, asked } = open(path, roles)
  expect(page.state$.value.place.path).toBe(path)
  expect(asked()).toEqual([])
  page.stop()
})
