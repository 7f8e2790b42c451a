import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SessionMoment, PaneReplay } from './session.ts'
import * as css from './timeline.module.css'

/** A second pane that shows one moment in a log. User actions have no effect in it. */
export function ReplayedPane({ moment }: { moment: SessionMoment }) {
  const { t } = useTranslation()
  const [replay, setReplay] = useState<PaneReplay | null>(null)
  useEffect(() => {
    replay?.show(moment)
  }, [replay, moment])
  return (
    <section className={css.replayed} aria-label={t('timeline.replayed')}>
      <p className={css.banner}>{t('timeline.replayedHint')}</p>
      <iframe
        className={css.replay}
        title={t('timeline.replayed')}
        src="replay.html"
        onLoad={({ currentTarget }) => setReplay(currentTarget.contentWindow?.replay ?? null)}
      />
    </section>
  )
}
