import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import './menu.css'

/** A button with a small panel below it; Escape and a click elsewhere close it. */
export function Menu({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!open) return
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', outside)
    return () => removeEventListener('pointerdown', outside)
  }, [open])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from anywhere inside
    <div className="menu" ref={box} onKeyDown={event => event.key === 'Escape' && open && close()}>
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      {open && (
        <section id={id} className="sheet" aria-label={label}>
          {children(close)}
        </section>
      )}
    </div>
  )
}
