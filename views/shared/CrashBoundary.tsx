import { Component, type ReactNode } from 'react'

/** Draws `instead` when its children crash or their code cannot be loaded, and passes the error to `onCrash`. */
export class CrashBoundary extends Component<
  Readonly<{ children: ReactNode; instead: ReactNode; onCrash: (error: unknown) => void }>,
  Readonly<{ crashed: boolean }>
> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.onCrash(error)
  }

  override render() {
    return this.state.crashed ? this.props.instead : this.props.children
  }
}
