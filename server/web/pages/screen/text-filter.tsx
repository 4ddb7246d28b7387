import { useEffect, useState } from 'react'

interface TextFilterProps {
  readonly title: string
  readonly doc: string
  readonly value: string
  readonly set: (value: string | null) => void
  readonly placeholder?: string
}

/** Typed values: tickers, CUSIPs, letters. Applied when the field loses focus, or on Enter. */
export function TextFilter({ title, doc, value, set, placeholder = 'Any, with commas' }: TextFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const say = () => {
    if (text !== value) set(text.trim() || null)
  }
  return (
    <label className="filter" title={doc}>
      <span className="name">{title}</span>
      <input
        value={text}
        placeholder={placeholder}
        spellCheck={false}
        onChange={event => setText(event.target.value)}
        onBlur={say}
        onKeyDown={event => event.key === 'Enter' && say()}
      />
    </label>
  )
}
