import { useEffect, useState } from 'react'
import { dayText, isoDay } from '../show/days.ts'

interface DayProps {
  readonly label: string
  readonly value: string
  readonly set: (day: string) => void
  readonly placeholder?: string
}

/** A day in the reader's form, read in any: applied once complete, marked while invalid. */
export function Day({
  label,
  value,
  set,
  placeholder = dayText('2025-06-30').replace('2025-06-30', 'YYYY-MM-DD'),
}: DayProps) {
  const [text, setText] = useState(dayText(value))
  useEffect(() => setText(dayText(value)), [value])
  const day = isoDay(text.trim())
  const wrong = text.trim() !== '' && !isDay(day)
  const say = () => {
    if (!wrong && day !== value) set(day)
  }
  return (
    <input
      className="day"
      aria-label={label}
      aria-invalid={wrong || undefined}
      title={wrong ? `Not a day: write it as ${dayText('2025-06-30')}` : undefined}
      placeholder={placeholder}
      maxLength={12}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        const typed = isoDay(target.value.trim())
        if (isDay(typed) && typed !== value && target.value.trim().length >= 8) set(typed)
      }}
      onBlur={say}
      onKeyDown={event => event.key === 'Enter' && say()}
    />
  )
}

const isDay = (text: string): boolean => {
  const time = /^(19|20)\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
