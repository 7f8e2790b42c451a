import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'

const FootContext = createContext<HTMLElement | null>(null)

/** Gives what is drawn in `children` a place at the foot of the pane, which always stays in sight: `place`. */
export function FootProvider({ children }: { children: (place: ReactNode) => ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  return <FootContext value={element}>{children(<div ref={setElement} />)}</FootContext>
}

/** Draws at the foot of the pane, above its places, however far the view was scrolled. */
export function AtFoot({ children }: { children: ReactNode }) {
  const element = useContext(FootContext)
  return element && createPortal(children, element)
}
