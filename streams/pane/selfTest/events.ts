import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { type Failure, failureField } from '../../kernel/failure.ts'
import { redactedField } from '../../kernel/field.ts'
import type { LaunchRecord } from '../../launch/record.ts'

/**
 * The mail client's data about itself; null where it reports nothing. `requirementSets` has the highest version of each
 * set. `clientSignature`: whether the mail client inserts its own signature; null also while no message is being
 * written.
 */
export type HostFacts = Readonly<{
  name: string
  version: string | null
  platform: string | null
  requirementSets: Readonly<Record<string, string>>
  clientSignature: boolean | null
}>

/** The storage driver of each namespace; `memory` where the browser denies storage. */
export type StorageFacts = Readonly<{ lasting: string; session: string }>

/**
 * The service's answer to one harmless call. `date` is the service's time, in milliseconds since the epoch; null when
 * the answer has no time. `status` is null without an answer.
 */
export type ServiceFacts = Readonly<{
  call: string
  status: number | null
  ms: number
  date: number | null
  failure: Failure | null
}>

/** `method` is the sign-in method that gave this pane its token; null for a recovered session. */
export type SignInFacts = Readonly<{
  status: 'unknown' | 'pending' | 'success' | 'signedOut'
  method: string | null
  expiresAt: number | null
}>

/**
 * The record of the last launch event in the message; null without one, `unknown` while no message is being written.
 */
export type LaunchFinding = LaunchRecord | 'unknown' | null

/** The findings of a self-test, without personal data. */
export type SelfTestFindings = Readonly<{
  host: HostFacts
  launch: LaunchFinding
  storage: StorageFacts
  service: ServiceFacts
  signIn: SignInFacts
}>

export const SelfTest = defineEvents('selfTest', {
  requested: gesture({}),
  /** The user copies the shown text for the helpdesk: the result of the test, or a failure. */
  copyRequested: gesture({ text: redactedField<string>()('text') }),
  copied: fact({}),
  copyFailed: fact({ failure: failureField }),
  ended: fact({ findings: redactedField<SelfTestFindings>()('findings') }),
})
