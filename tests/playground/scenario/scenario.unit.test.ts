import { CLIENT_PROFILES } from '../../../src/playground/mailbox/profiles.ts'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { QUIRKS } from '../../../src/playground/mailbox/body.ts'
import { CALL_NAMES } from '../../../src/playground/mailbox/model.ts'
import {
  LAUNCH_FAULTS,
  LAUNCH_MODES,
  type Scenario,
  MAILBOX_VERSIONS,
  THEME_CHOICES,
  countFaults,
  defaultScenario,
  readClientFault,
  readScenario,
  readServerFault,
  writeScenario,
} from '../../../src/playground/scenario/scenario.ts'
import { languages } from '../../../streams/wire/languages.ts'

const known = <Value>(value: Value | null): Value => value ?? expect.fail('no fault')
const serverFault = fc
  .oneof(
    fc.integer({ min: 400, max: 599 }).map(String),
    fc.integer({ min: 0, max: 600_000 }).map((ms) => `slow-${String(ms)}`),
    fc.constantFrom('down', 'malformed', 'wrongShape', 'empty', 'html'),
  )
  .map((name) => known(readServerFault(name)))
const clientFault = fc
  .oneof(
    fc.constantFrom('silent', 'twice'),
    fc.integer({ min: 0, max: 600_000 }).map((ms) => `slow-${String(ms)}`),
    fc.integer({ min: 1, max: 99_999 }).map((code) => `fails-${String(code)}`),
  )
  .map((name) => known(readClientFault(name)))
const serverFaults = fc.uniqueArray(
  fc.record({
    call: fc.oneof(
      fc.constantFrom('*', 'GET /images/*', 'GET /api/addin/user'),
      fc.stringMatching(/^(GET|POST|PUT|DELETE) \/[\w./*-]{0,40}$/),
    ),
    fault: serverFault,
  }),
  { selector: ({ call }) => call, maxLength: 4 },
)
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  user: fc.option(fc.constantFrom('maria.silva@northwind.example', 'a+b@c.example')),
  language: fc.option(fc.constantFrom(...languages)),
  theme: fc.constantFrom(...THEME_CHOICES),
  open: fc.option(
    fc.constantFrom('none', 'meeting', 'meeting-1', 'item-1', 'reply:item-4', 'forward:item-23'),
  ),
  service: serverFaults,
  identity: serverFaults,
  mail: fc.uniqueArray(fc.record({ call: fc.constantFrom('*', ...CALL_NAMES), fault: clientFault }), {
    selector: ({ call, fault }) => `${call} ${fault.kind}`,
    maxLength: 4,
  }),
  atOnce: fc.integer({ min: 0, max: 3 }),
  switchesDuringNext: fc.boolean(),
  offline: fc.boolean(),
  quirks: fc.subarray([...QUIRKS]),
  edition: fc.constantFrom(null, ...CLIENT_PROFILES),
  clientSignature: fc.boolean(),
  mailboxVersion: fc.constantFrom(...MAILBOX_VERSIONS),
  launch: fc.constantFrom(...LAUNCH_MODES),
  launchFaults: fc.subarray([...LAUNCH_FAULTS]),
  isPaneOpen: fc.boolean(),
})

describe('the address of a scenario', () => {
  test.prop([scenarios])('[PLAY-3] parses back to the same scenario', (scenario) => {
    expect(readScenario(writeScenario(scenario))).toEqual(scenario)
  })

  it('is empty for the default scenario', () => {
    expect(writeScenario(defaultScenario)).toBe('')
    expect(readScenario('')).toEqual(defaultScenario)
    expect(countFaults(defaultScenario)).toBe(0)
  })

  test.prop([scenarios])('keeps other parameters', (scenario) => {
    const written = writeScenario(scenario, 'identity=nested&theme=dark&service=*~503')
    expect(new URLSearchParams(written).get('identity')).toBe('nested')
    expect(readScenario(written)).toEqual(scenario)
  })

  const names = fc.constantFrom(
    ...['person', 'language', 'theme', 'open', 'service', 'signIn', 'outlook', 'atOnce', 'switch', 'offline'],
    ...['quirk', 'signature', 'mailbox', '__proto__', 'constructor'],
  )
  const junk = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<script>',
      '*~',
      '~503',
      '*~999',
      '*~0503',
      '*~slow--1',
      '*~slow-1e9',
      'GET /a b~503',
      'toString',
    ),
    fc.constantFrom(
      '*~fails-',
      'nothing~silent',
      '__proto__',
      '1.99',
      '-1',
      'item-0',
      'meeting-0',
      'reply:meeting-1',
      'reply:',
      'DE',
      'javascript:1',
    ),
  )
  test.prop([scenarios, fc.array(fc.tuple(names, junk), { maxLength: 8 })])(
    'ignores each unknown or invalid part',
    (scenario, parts) => {
      // Junk comes last: of a repeated parameter the first value counts.
      const query = new URLSearchParams(writeScenario(scenario))
      for (const [name, value] of parts)
        if (!isValid(name, value) && !(isSingle(name) && !query.has(name))) query.append(name, value)
      expect(readScenario(query.toString())).toEqual(scenario)
    },
  )
  test.prop([fc.array(fc.tuple(names, junk), { maxLength: 8 })])(
    'made of junk only parses as a scenario that can be written',
    (parts) => {
      const scenario = readScenario(new URLSearchParams(parts).toString())
      expect(readScenario(writeScenario(scenario))).toEqual(scenario)
    },
  )
  test.prop([fc.string()])('never throws', (query) => {
    expect(() => readScenario(query)).not.toThrow()
  })
})

const isSingle = (name: string): boolean => !['service', 'signIn', 'outlook', 'quirk'].includes(name)
/** Whether a parameter alone changes the scenario. */
const isValid = (name: string, value: string): boolean =>
  JSON.stringify(readScenario(new URLSearchParams([[name, value]]).toString())) !==
  JSON.stringify(defaultScenario)
