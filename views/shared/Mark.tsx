import * as css from './Mark.module.css'

/** Signet's mark: a decoration beside a name. */
export const Mark = () => <span className={css['mark']} aria-hidden="true" />
