import * as css from './Skeleton.module.css'

/** Placeholder for a signature that is loading. Screen readers read the text beside it instead. */
export function SkeletonSignature() {
  return (
    <div className={css['card']} aria-hidden="true">
      <div className={css['line']} style={{ width: '45%' }} />
      <div className={css['line']} style={{ width: '80%' }} />
      <div className={css['line']} style={{ width: '65%' }} />
    </div>
  )
}

/** Placeholder for a field and its label while the field is loading. */
export function SkeletonField() {
  return (
    <div className={css['field']} aria-hidden="true">
      <div className={css['line']} style={{ width: '30%' }} />
      <div className={css['box']} />
    </div>
  )
}
