import type { Variable } from '../../streams/organisation/release/release.ts'

/** A variable of a release that has no value and that users do not edit. */
export const variableOf = (path: string, over: Partial<Variable> = {}): Variable => ({
  path,
  from: null,
  value: null,
  edit: false,
  resync: false,
  hidden: false,
  label: null,
  group: 'rest',
  ...over,
})
