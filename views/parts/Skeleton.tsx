import * as css from './Skeleton.module.css'

/** Stands where a signature is about to be shown, in its shape. Says nothing: what is going on is said beside it. */
export function SkeletonSignature() {
  return (
    <div className={css['card']} aria-hidden="true">
      <div className={css['line']} style={{ width: '45%' }} />
      <div className={css['line']} style={{ width: '80%' }} />
      <div className={css['line']} style={{ width: '65%' }} />
    </div>
  )
}

/** Stands where a field is about to be shown, with its name above it. */
export function SkeletonField() {
  return (
    <div className={css['field']} aria-hidden="true">
      <div className={css['line']} style={{ width: '30%' }} />
      <div className={css['box']} />
    </div>
  )
}
