import { createContext, type ReactNode, useContext, useState } from 'react'
import { createPortal } from 'react-dom'

const FootContext = createContext<HTMLElement | null>(null)

/** Lets its children draw at the foot of the pane, which stays in sight. `place` is the element at the foot. */
export function FootProvider({ children }: { children: (place: ReactNode) => ReactNode }) {
  const [element, setElement] = useState<HTMLElement | null>(null)
  return <FootContext value={element}>{children(<div ref={setElement} />)}</FootContext>
}

/** Draws at the foot of the pane, above the tabs. */
export function AtFoot({ children }: { children: ReactNode }) {
  const element = useContext(FootContext)
  return element && createPortal(children, element)
}
