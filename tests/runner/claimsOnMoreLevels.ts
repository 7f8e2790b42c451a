import type { Exceptions } from './claims.ts'

export const CLAIMS_ON_MORE_LEVELS: Exceptions = []
