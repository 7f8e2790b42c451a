import { useMemo } from 'react'
import type { Candidate } from '../../streams/html/slots.ts'
import { selectKnownBlocks } from '../../streams/pane/insertion/selectors.ts'
import type { WithBlocks } from '../../streams/message/signatures/blocks.ts'
import { useAppState } from './app.tsx'

/** The blocks in a signature, as far as the service has sent them. */
export function useBlocks({ blocks }: WithBlocks): readonly Candidate[] {
  const known = useAppState(selectKnownBlocks)
  return useMemo(() => (blocks ?? []).flatMap((id) => known.get(id) ?? []), [blocks, known])
}
