import { defer, of, throwError } from 'rxjs'
import type { Api } from '../../effects/ports.ts'
import { createApi } from '../../src/engine/adapters/api.ts'
import type { Http, ServiceRequest } from '../../src/engine/adapters/http.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { decidePerson, isRefusedCommand, type PersonCommand } from '../../streams/organisation/decide.ts'
import type { Metadata } from '../../streams/organisation/facts/events.ts'
import { withFacts } from '../../streams/organisation/facts/reducer.ts'
import { compileRelease, type Release, type Variable } from '../../streams/organisation/release/release.ts'
import {
  replacedFields,
  variableDefinitionsOf,
  displayName,
  replacedDirectoryValues,
  variableValues,
} from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { throughJson } from './state.ts'

// A person at the service, without a server. The service's own rules decide and build its answers; the pane's own
// adapter writes and reads the wire. `tests/service/http/api.int.test.ts` runs the same over HTTP.

type Texts = Readonly<Record<string, string>>

export type StoredPerson = Readonly<{
  /** The calls about the person's own data. */
  api: Pick<
    Api,
    | 'user'
    | 'variableStates'
    | 'variableDefinitions'
    | 'variableValues'
    | 'saveVariables'
    | 'saveDefaultSignature'
  >
  row: () => PersonState
  /** The values in the service's answers. */
  values: () => Texts
  /** Changes the directory's values of the person's fields. */
  sync: (fields: Texts) => void
}>

type SaveBody = Readonly<{
  data: Texts & Readonly<{ metadata?: Metadata }>
  reset_fields: readonly string[]
  base?: Texts & Readonly<{ metadata?: Metadata }>
}>

/** A release with these variables; everybody may choose a default. */
export const releaseOf = (variables: readonly (Pick<Variable, 'path'> & Partial<Variable>)[]): Release =>
  compileRelease('r-1', {
    version: 1,
    organisation: 'Northwind',
    internal: [],
    plan: { from: null, value: 'full' },
    chooseDefault: { for: 'everyone', not: [] },
    signatures: [],
    mailboxes: [],
    templates: {},
    pictures: {},
    variables: variables.map((each) => ({
      from: null,
      value: null,
      edit: true,
      resync: false,
      hidden: false,
      label: null,
      group: null,
      ...each,
    })),
  })

/** @param knowsBases false: imitates another service, which stores a sent value without checking the sender's base */
export function createStoredPerson(
  release: Release,
  {
    fields = {},
    own = {},
    metadata = {},
  }: Readonly<{ fields?: Texts; own?: Texts; metadata?: Metadata }> = {},
  knowsBases = true,
): StoredPerson {
  const record = {
    addresses: ['alex.kim@northwind.example'],
    account: null,
    language: null,
    groups: [],
    picture: null,
    fields,
  }
  let row: PersonState | null = null
  const stored = (): PersonState => {
    if (row === null) throw new Error('The person was not imported')
    return row
  }
  const write = (command: PersonCommand) => {
    const decided = decidePerson(row, command, release)
    if (isRefusedCommand(decided)) {
      const { refused: code } = decided
      throw new Failed({ kind: 'http', status: code === 'unknown_variable' ? 400 : 409, code, data: null })
    }
    row = withFacts(row, decided, 'u-alex', { actor: 'u-alex', at: 0 })
  }
  write({ type: 'importRecord', record })
  write({ type: 'saveValues', values: own, resetFields: [], metadata })

  const values = () => variableValues(release, stored(), { pictureUrl: '' })
  function save({ data, reset_fields: resetFields, base }: SaveBody) {
    const { metadata: sent, ...typed } = data
    const { metadata: formerMetadata, ...former } = base ?? {}
    write({
      type: 'saveValues',
      values: typed,
      resetFields,
      metadata: sent,
      base: base && knowsBases ? { values: former, metadata: formerMetadata } : undefined,
    })
    return { data: values(), changed_fields: replacedFields(release, stored()) }
  }
  function answer({ method, path, body }: ServiceRequest): unknown {
    switch (`${method} ${path}`) {
      case 'GET /api/addin/variables':
        return { objects: variableDefinitionsOf(release) }
      case 'GET /api/addin/user/variables':
        return { values: values() }
      case 'GET /api/addin/user':
        return {
          id: 'u-alex',
          email: stored().addresses[0],
          is_admin: false,
          picture_url: '',
          auth_type: 'azure',
          client_name: 'Northwind',
          delegations: [],
          metadata: stored().metadata,
          computed_variables: { display_name: displayName(release, stored()) },
          changed_fields: replacedFields(release, stored()),
          original_data: replacedDirectoryValues(release, stored()),
        }
      case 'PUT /api/addin/user/variables_with_options':
        return save(body as SaveBody)
      case 'PUT /signatures-cache/api/v2/signature/default':
        write({ type: 'chooseDefault', combinedIds: (body as { combined_ids: string }).combined_ids })
        return undefined
      default:
        throw new Error(`The stored person answers no ${method} ${path}`)
    }
  }
  const overJson = (value: unknown): unknown => (value === undefined ? value : throughJson(value))
  const http: Http = (request, read) =>
    defer(() => {
      try {
        const sent = { ...request, body: overJson(request.body) }
        return of(read(overJson(answer(sent)), { status: 200, date: null }))
      } catch (error) {
        return throwError(() => error)
      }
    })
  return {
    api: createApi(http),
    row: stored,
    values,
    sync: (told) => {
      write({ type: 'importRecord', record: { ...record, fields: told } })
    },
  }
}
