import type { CSSProperties, ReactNode } from 'react'

/** A part of a page that scrolls by itself, and is reached by keyboard for that. */
export function Scroll({
  label,
  className = 'scroll',
  style,
  children,
}: {
  label: string
  className?: string
  style?: CSSProperties
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className={className} style={style} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
