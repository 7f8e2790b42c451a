import { expect, test } from 'vitest'
import { Organisations } from '../../../streams/administration/organisations/events.ts'
import { loadedOrganisations } from '../../support/administration/organisationsStories.ts'
import { at } from '../../support/administration/story.ts'
import { all, check, field, fill, press, textOf, useAdministrationDrawing } from './drawingAdministration.tsx'

const { draw, recorded } = useAdministrationDrawing()

const names = () => textOf('tbody th strong')
const status = () => textOf('[role=search] [role=status]')

test('the operator finds an organisation by its name or id, and those with alerts', async () => {
  await draw(...loadedOrganisations)
  expect(names()).toHaveLength(6)
  check('Only with alerts')
  expect(names()).toHaveLength(4)
  expect(status()).toEqual(['Shown: 4 of 6 loaded organisations'])
  fill(field('Search by name or id'), 'CONTO')
  expect(names()).toEqual(['Contoso Ltd'])
  fill(field('Search by name or id'), 'nowhere')
  expect(status()).toEqual(['Shown: 0 of 6 loaded organisations'])
  expect(all('table')).toEqual([])
  check('Only with alerts')
  fill(field('Search by name or id'), 'default')
  expect(names()).toEqual(['Northwind Trading'])
})

test('more organisations are asked for by a button', async () => {
  await draw(...loadedOrganisations)
  press('Show more organisations')
  expect(recorded).toEqual([Organisations.moreRequested()])
})

test('every value has its column for a screen reader, also where rows are blocks', async () => {
  await draw(...loadedOrganisations)
  for (const [selector, role] of [
    ...[
      ['table', 'table'],
      ['thead, tbody', 'rowgroup'],
      ['tr', 'row'],
      ['thead th', 'columnheader'],
    ],
    ...[
      ['tbody th', 'rowheader'],
      ['td', 'cell'],
    ],
  ] as const)
    for (const element of all(selector)) expect(element.getAttribute('role'), selector).toBe(role)
  expect(new Set(all('tr').map(({ children }) => children.length))).toEqual(new Set([5]))
  expect(
    all('td > span[aria-hidden]')
      .slice(0, 4)
      .map(({ textContent }) => textContent),
  ).toEqual([...['Published', 'People', 'Last sync', 'Alerts']])
})

test('the navigation has the organisations only for operators', async () => {
  const areas = () => all('nav a').map((link) => link.getAttribute('href'))
  await draw(...at('/now'))
  expect(areas()).not.toContain('#/organisations')
  await draw(...loadedOrganisations)
  expect(areas().at(-1)).toBe('#/organisations')
})
