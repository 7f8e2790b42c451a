import { Component, type ReactNode } from 'react'
import { Button } from '../../parts/Button.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Message.module.css'

/** Shows a full-page message when its children crash or their code cannot be loaded, and passes the error on. */
export class AdministrationBoundary extends Component<
  Readonly<{ children: ReactNode; onCrash: (error: unknown) => void; onReload: () => void }>,
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
    return this.state.crashed ? <Crashed onReload={this.props.onReload} /> : this.props.children
  }
}

function Crashed({ onReload }: { onReload: () => void }) {
  const t = useTexts()
  return (
    <main className={css['message']} role="alert">
      <h1>{t('frame.crashed')}</h1>
      <p>{t('frame.crashedAction')}</p>
      <Button look="primary" onPress={onReload}>
        {t('frame.reload')}
      </Button>
    </main>
  )
}
