import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { Router } from '../../streams/pane/router/events.ts'
import { Variables } from '../../streams/pane/variables/events.ts'
import { createWholeApp } from '../support/app.ts'
import { type Clock, createClock } from '../support/clock.ts'
import { type MailboxPorts, mailboxPorts } from '../support/ports.ts'
import { HOUR_MS, verification } from '../support/state.ts'
import { createStoredPerson, releaseOf, type StoredPerson } from '../support/storedPerson.ts'

// Two panes of one person at the same time, each a whole application, over one service that decides by its own rules.

const START = Date.UTC(2026, 10, 20, 9)
const DETAILS = '/app/settings/variables'
const DIRECTORY = { jobTitle: 'Planner', dept: 'Operations' }
const release = releaseOf([
  { path: 'job_title', from: 'jobTitle', resync: true },
  { path: 'department', from: 'dept', resync: true },
  { path: 'office' },
  { path: 'company', value: 'Northwind', edit: false },
])

const stored = (knowsBases = true) =>
  createStoredPerson(
    release,
    {
      fields: DIRECTORY,
      metadata: { tour: 'seen', defaultSignature: { master: 'c-standard', reply: 'c-short' } },
    },
    knowsBases,
  )

/** A pane that has loaded the details. */
function open(person: StoredPerson) {
  const clock: Clock = createClock(START)
  const { ports } = mailboxPorts(clock)
  ports.api.verify.answers(() => of(verification({ expiresAt: START + 20 * HOUR_MS })))
  const { api } = person
  ports.api.user.answers(() => api.user())
  ports.api.variableDefinitions.answers(() => api.variableDefinitions())
  ports.api.variableStates.answers(() => api.variableStates())
  ports.api.variableValues.answers(() => api.variableValues())
  ports.api.saveVariables.answers((change) => api.saveVariables(change))
  ports.api.saveDefaultSignature.answers((combinedIds) => api.saveDefaultSignature(combinedIds))
  const app = createWholeApp({ production: false, beta: false }, (): MailboxPorts => ports)
  clock.advance(1_000)
  app.record(Router.navigationRequested({ to: DETAILS }))
  clock.advance(100)
  const variables = () => app.state$.value.variables
  return {
    ports,
    variables,
    changeDefault(event: Parameters<typeof app.record>[0]) {
      app.record(event)
      clock.advance(100)
    },
    save(edits: Readonly<Record<string, string>>) {
      for (const [path, value] of Object.entries(edits)) app.record(Variables.edited({ path, value }))
      app.record(Variables.saveRequested({ occasion: 'person' }))
      clock.advance(100)
      expect(variables()).toMatchObject({ save: { status: 'success' }, drafts: {} })
    },
    follow(path: string) {
      app.record(Variables.marked({ path }))
      app.record(Variables.saveRequested({ occasion: 'person' }))
      clock.advance(100)
    },
  }
}

describe('a save', () => {
  it('[VAR-6] leaves what another pane saved, shows it, and names it', () => {
    const person = stored()
    const [one, other] = [open(person), open(person)]
    one.save({ department: 'Bridge' })
    expect(one.variables().changedByOthers).toEqual([])
    other.save({ office: 'Hamburg' })
    expect(person.values()).toMatchObject({ department: 'Bridge', office: 'Hamburg' })
    expect(other.variables().values).toMatchObject({ department: 'Bridge', office: 'Hamburg' })
    expect(other.variables().changedByOthers).toEqual(['department'])
    // It sent every value, and what it had of each.
    expect(other.ports.api.saveVariables.calls).toEqual([
      [
        {
          values: { job_title: 'Planner', department: 'Operations', office: 'Hamburg' },
          resetFields: [],
          base: { values: { job_title: 'Planner', department: 'Operations', office: '' } },
        },
      ],
    ])
    other.save({ office: 'Kiel' })
    expect(other.variables().changedByOthers).toEqual([])
    expect(person.values()).toMatchObject({ department: 'Bridge', office: 'Kiel' })
  })

  it('[VAR-6] of a detail that another pane saved as well is the later one', () => {
    const person = stored()
    const [one, other] = [open(person), open(person)]
    one.save({ office: 'Bremen' })
    other.save({ office: 'Hamburg' })
    expect(person.values()['office']).toBe('Hamburg')
    expect(other.variables().changedByOthers).toEqual([])
  })

  it('leaves what the directory told meanwhile, which is no edit of the person: later syncs reach it', () => {
    const person = stored()
    const pane = open(person)
    person.sync({ ...DIRECTORY, jobTitle: 'Captain' })
    pane.save({ office: 'Hamburg' })
    expect(person.row().values).toEqual({ office: 'Hamburg' })
    expect(pane.variables().values['job_title']).toBe('Captain')
    expect(pane.variables().changedByOthers).toEqual(['job_title'])
    expect(pane.variables().states.changedFields).toEqual([])
    person.sync({ ...DIRECTORY, jobTitle: 'Admiral' })
    expect(person.values()['job_title']).toBe('Admiral')
    pane.save({ office: 'Kiel' })
    expect(pane.variables().values['job_title']).toBe('Admiral')
    expect(person.row().values).toEqual({ office: 'Kiel' })
  })

  it('follows the directory again, also where another pane or a sync was first', () => {
    const person = stored()
    open(person).save({ job_title: 'Boss', department: 'Bridge' })
    const [one, other] = [open(person), open(person)]
    one.follow('job_title')
    expect(person.row().values).toEqual({ department: 'Bridge' })
    other.follow('job_title')
    expect(other.variables()).toMatchObject({ save: { status: 'success' }, drafts: {} })
    person.sync({ ...DIRECTORY, dept: 'Bridge' })
    other.follow('department')
    expect(other.variables()).toMatchObject({ save: { status: 'success' }, drafts: {} })
    person.sync({ jobTitle: 'Admiral', dept: 'Fleet' })
    expect(person.values()).toMatchObject({ job_title: 'Admiral', department: 'Fleet' })
  })

  it('at a service that knows of no bases stores what is sent, as before', () => {
    const person = stored(false)
    const [one, other] = [open(person), open(person)]
    one.save({ department: 'Bridge' })
    other.save({ office: 'Hamburg' })
    expect(person.values()).toMatchObject({ department: 'Operations', office: 'Hamburg' })
    expect(other.variables().changedByOthers).toEqual([])
  })
})

describe('a change of the default', () => {
  const sender = 'sales@northwind.example'

  it('leaves what another pane chose, and what the metadata has of others', () => {
    const person = stored()
    const [one, other] = [open(person), open(person)]
    one.changeDefault(Defaults.changeRequested({ combinedIds: 'c-1', use: 'master' }))
    other.changeDefault(Defaults.senderChoiceRequested({ address: sender, combinedIds: 'c-2' }))
    const expected = {
      tour: 'seen',
      defaultSignature: { master: 'c-1', reply: 'c-short', bySender: { [sender]: 'c-2' } },
    }
    expect(person.row().metadata).toEqual(expected)
    // The pane knows it, too: its next change builds on it.
    other.changeDefault(Defaults.changeRequested({ combinedIds: 'c-3', use: 'reply' }))
    expect(person.row().metadata).toEqual({
      ...expected,
      defaultSignature: { ...expected.defaultSignature, reply: 'c-3' },
    })
  })
})
