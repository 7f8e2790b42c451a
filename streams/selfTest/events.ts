import { defineEvents, fact, gesture } from '../kernel/event.ts'
import type { Failure } from '../kernel/failure.ts'
import { shape } from '../kernel/field.ts'

/**
 * What the mail client tells of itself; null where it tells nothing. Requirement set → highest version.
 * `clientSignature`: it puts a signature of its own into messages; null also while no message is being written.
 */
export type HostFacts = Readonly<{
  name: string
  version: string | null
  platform: string | null
  requirementSets: Readonly<Record<string, string>>
  clientSignature: boolean | null
}>

/** Which driver keeps what; `memory` where the browser lets nothing be kept. */
export type StorageFacts = Readonly<{ lasting: string; session: string }>

/**
 * How the service answered one harmless call. `date` is what its clock said, in milliseconds since the epoch, null
 * where the answer did not tell; `status` is null where there was no answer.
 */
export type ServiceFacts = Readonly<{
  call: string
  status: number | null
  ms: number
  date: number | null
  failure: Failure | null
}>

/** `method` is the sign-in method that gave this pane its token; null when the session was kept. */
export type SignInFacts = Readonly<{
  status: 'unknown' | 'pending' | 'success' | 'signedOut'
  method: string | null
  expiresAt: number | null
}>

/** What a self-test found, with nothing of a person in it. */
export type Findings = Readonly<{
  host: HostFacts
  storage: StorageFacts
  service: ServiceFacts
  signIn: SignInFacts
}>

export const SelfTest = defineEvents('selfTest', {
  requested: gesture({}),
  ended: fact({ findings: shape<Findings>()('findings') }),
})
