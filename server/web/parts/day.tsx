import { useEffect, useState } from 'react'

interface DayProps {
  readonly label: string
  readonly value: string
  readonly set: (day: string) => void
  readonly placeholder?: string
}

/** A day in ISO format, whatever the reader's locale: applied once complete, marked while invalid. */
export function Day({ label, value, set, placeholder = 'YYYY-MM-DD' }: DayProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const day = dashed(text.trim())
  const wrong = text.trim() !== '' && !isDay(day)
  const say = () => {
    if (!wrong && day !== value) set(day)
  }
  return (
    <input
      className="day"
      aria-label={label}
      aria-invalid={wrong || undefined}
      title={wrong ? 'Not a day: write it as 2025-06-30' : undefined}
      placeholder={placeholder}
      maxLength={10}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (isDay(target.value) && target.value !== value) set(target.value)
      }}
      onBlur={say}
      onKeyDown={event => event.key === 'Enter' && say()}
    />
  )
}

/** `20250630` is faster to type. */
const dashed = (text: string): string => text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

const isDay = (text: string): boolean => {
  const time = /^(19|20)\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
