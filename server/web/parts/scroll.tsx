import type { CSSProperties, ReactNode } from 'react'

/** A scrolling part of a page, focusable so that it can be scrolled by keyboard. */
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
