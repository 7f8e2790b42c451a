import type { Variable } from '../../streams/organisation/release/release.ts'

/** A release's variable without a value, which users do not edit. */
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
