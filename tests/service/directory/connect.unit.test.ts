import { expect, it } from 'vitest'
import {
  registeredDirectoryConnector,
  settingsDirectoryConnector,
} from '../../../src/service/directory/connect.ts'
import type { RegisteredOrganisation } from '../../../src/service/sql/registry.ts'
import type { Store } from '../../../src/service/sql/store.ts'
import type { Settings } from '../../../src/service/settings.ts'

const settings: Pick<Settings, 'directory' | 'identity'> = {
  directory: {
    kind: 'graph',
    url: 'https://graph.example',
    credential: { kind: 'secret', secret: 'secret' },
    pictures: false,
    attributes: ['employeeType'],
    intervalMs: 60_000,
  },
  identity: {
    authority: 'https://login.example/{tenant}/v2.0',
    tenants: ['a', 'b'],
    tokenAudiences: ['the-add-in'],
    scope: 'access_as_user',
  },
}
const store = { directory: {} } as Store
const registered: RegisteredOrganisation = {
  id: 'fabrikam',
  name: 'Fabrikam',
  tenants: ['c'],
  directory: { kind: 'graph', minutes: 5, pictures: false },
  addedAt: 0,
  removedAt: null,
}

it('reads the attributes of the settings in each tenant of the settings', () => {
  const sources = settingsDirectoryConnector(settings)?.(store).sources
  expect(sources?.map(({ source, attributes }) => [source, attributes])).toEqual([
    ['graph:a', ['employeeType']],
    ['graph:b', ['employeeType']],
  ])
})

it('reads no attributes of the settings for another organisation', () => {
  const connect = registeredDirectoryConnector(settings)
  expect(connect(registered, store)).toMatchObject({ kind: 'graph', sources: [{ attributes: [] }] })
  expect(connect({ ...registered, directory: { kind: 'scim' } }, store)).toEqual({
    kind: 'scim',
    attributes: [],
  })
})
