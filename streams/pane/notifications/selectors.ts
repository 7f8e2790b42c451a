import { readAsked } from '../../launch/record.ts'
import type { ChoiceState } from '../choiceState.ts'
import { createSelector } from '../../kernel/selector.ts'
import { selectDue } from '../../message/senders/selectors.ts'
import type { SignatureEntry } from '../../message/signatures/entry.ts'
import { isVersion, selectAllEntries, selectEntryInUse, selectInMessage } from '../signatures/selectors.ts'

/** The names of what the message misses, and the entry that would bring it; null when the pane cannot offer it. */
export type Asked = Readonly<{ names: readonly string[]; entry: SignatureEntry | null }>

/**
 * What the user was asked about as the message was about to leave, until a signature is inserted here. The entry is the
 * signature of the message, which comes with its blocks, else the one that is due. Nothing is offered where that could
 * write a second signature: beside one that is known by its words alone, and in plain text without a known one.
 */
export const selectAsked = createSelector(
  [
    ({ mailbox }: ChoiceState) => mailbox.message?.asked ?? null,
    ({ mailbox }: ChoiceState) => mailbox.message?.bodyType,
    ({ insertion }: ChoiceState) => insertion.latest?.attempt.status,
    selectInMessage,
    selectEntryInUse,
    selectDue,
    selectAllEntries,
  ],
  (asked, bodyType, status, present, inUse, due, all): Asked | null => {
    const missing = readAsked(asked)
    const names = missing.map(({ name }) => name)
    if (names.length === 0 || status === 'pending' || status === 'success') return null
    if (!present && (bodyType === 'text' || missing.some(({ wordsOnly }) => wordsOnly)))
      return { names, entry: null }
    const entry = present ? inUse : all.find((each) => isVersion(each, due))
    return entry ? { names, entry } : null
  },
)
