import { useEffect, useState } from 'react'

/**
 * A part of the pane that is a chunk of its own, loaded once it is drawn: null meanwhile, `failed` when it could not
 * be loaded; the next one drawn tries again. `load` must stay the same function.
 */
export function useChunk<Chunk extends object>(load: () => Promise<Chunk>): Chunk | 'failed' | null {
  const [chunk, setChunk] = useState<Chunk | 'failed' | null>(null)
  useEffect(() => {
    let isWanted = true
    const arrive = (arrived: Chunk | 'failed') => {
      if (isWanted) setChunk(arrived)
    }
    load().then(arrive, () => {
      arrive('failed')
    })
    return () => {
      isWanted = false
    }
  }, [load])
  return chunk
}
