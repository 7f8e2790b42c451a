import { parseGuardRecord } from '../../launch/record.ts'
import type { ChoiceState } from '../choiceState.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectDueSignature } from '../../message/senders/selectors.ts'
import type { SignatureEntry } from '../../message/signatures/entry.ts'
import {
  isDueVersion,
  selectAllEntries,
  selectEntryInUse,
  selectSignatureInMessage,
} from '../signatures/selectors.ts'

/**
 * The names of the missing signature and blocks, and the list entry that adds them; `entry` is null when the pane
 * cannot offer one.
 */
export type MissingContentNotice = Readonly<{ names: readonly string[]; entry: SignatureEntry | null }>

/**
 * The missing signature and blocks that the user was asked about before sending, until a signature is inserted here.
 * The entry is the message's signature with its blocks, or else the due signature. The entry is null if inserting it
 * could add a second signature: in plain text without a known signature, or if a signature is recognised only by its
 * words.
 */
export const selectMissingContent = createSelector(
  [
    ({ mailbox }: ChoiceState) => mailbox.message?.asked ?? null,
    ({ mailbox }: ChoiceState) => mailbox.message?.bodyType,
    ({ insertion }: ChoiceState) => insertion.latest?.attempt.status,
    selectSignatureInMessage,
    selectEntryInUse,
    selectDueSignature,
    selectAllEntries,
  ],
  (asked, bodyType, status, present, inUse, due, all): MissingContentNotice | null => {
    const missing = parseGuardRecord(asked)
    const names = missing.map(({ name }) => name)
    if (names.length === 0 || status === 'pending' || status === 'success') return null
    if (!present && (bodyType === 'text' || missing.some(({ wordsOnly }) => wordsOnly)))
      return { names, entry: null }
    const entry = present ? inUse : all.find((each) => isDueVersion(each, due))
    return entry ? { names, entry } : null
  },
)
