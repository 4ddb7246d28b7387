import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useAsOf } from '../ask/use-answer.ts'
import { type Found, findAll, mayBeBond } from './found.ts'
import { commands, places } from './places.ts'
import './find.css'

/** Requests wait for a pause in typing of this many milliseconds. */
const PAUSE = 120

const everywhere = [...places, ...commands]

/** Shown before anything is typed. */
const starts: readonly Found[] = everywhere.map(({ name, hint, run }) => ({
  id: `place-${name}`,
  group: 'Pages and commands',
  name,
  detail: hint,
  go: run,
}))

/** One box for companies, bonds, screens, filings and pages: Ctrl-K or `/`, then by keyboard alone. */
// Over 80 lines: one combobox, whose keys, list and requests share their state.
export function Find() {
  const id = useId()
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const { as_of = null } = useAsOf()
  const queries = useQueryClient()
  useShortcut(() => {
    box.current?.focus()
    box.current?.select()
  })
  const queryOf = (written: string) => ({
    queryKey: ['find', written, as_of] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      findAll({ text: written, asOf: as_of, signal }, everywhere),
  })
  const written = text.trim()
  const paused = usePaused(written)
  const answer = useQuery({
    ...queryOf(paused),
    enabled: open && paused !== '',
    placeholderData: before => before,
  })
  const found = written === '' ? starts : (answer.data ?? [])
  const isCurrent = written === '' || (written === paused && answer.isSuccess && !answer.isPlaceholderData)
  const at = Math.min(chosen, found.length - 1)

  function take(item: Found | undefined) {
    if (!item) return
    setText('')
    setOpen(false)
    box.current?.blur()
    item.go()
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      setOpen(true)
      if (open) setChosen((at + step + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // Whoever types faster than the answer comes gets what was typed, not what an earlier answer shows.
      if (isCurrent) take(found[at])
      else void queries.fetchQuery(queryOf(written)).then(([first]) => take(first), ignore)
    } else if (event.key === 'Escape') {
      if (text === '') box.current?.blur()
      setText('')
      setOpen(false)
    }
  }

  const optionId = (item: Found) => `${id}-${item.id.replaceAll(/\s/g, '_')}`
  return (
    <search className="find">
      <input
        ref={box}
        type="text"
        role="combobox"
        aria-label="Find a company, bond, screen, filing or page"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && found[at] ? optionId(found[at]) : undefined}
        placeholder="Find: AAPL 3.25 29, ISIN, filing"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
          setOpen(true)
        }}
        onFocus={() => {
          setChosen(0)
          setOpen(true)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <kbd title="Press Ctrl-K or / to find">Ctrl K</kbd>
      <div className="finds" hidden={!open}>
        <div id={`${id}-list`} role="listbox" aria-label="Found">
          {grouped(found).map(([group, items]) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
            <div key={group} role="group" aria-label={group}>
              <p className="group quiet small" aria-hidden="true">
                {group}
              </p>
              {items.map(item => (
                <div
                  key={item.id}
                  id={optionId(item)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === found[at]}
                  ref={item === found[at] ? intoView : undefined}
                  onPointerDown={event => {
                    event.preventDefault()
                    take(item)
                  }}
                >
                  <span className="name">{item.name}</span>
                  <span className="quiet">{item.detail}</span>
                </div>
              ))}
            </div>
          ))}
        </div>
        <p className="quiet small" role="status">
          {statusOf(written, found, isCurrent, answer.isError)}
        </p>
      </div>
    </search>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** An error is shown below the box. */
const ignore = () => undefined

const intoView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })

function statusOf(text: string, found: readonly Found[], isCurrent: boolean, failed: boolean): string {
  if (failed) return 'The server did not answer. Try again.'
  if (!isCurrent) return 'Finding …'
  // The search of filings is always there.
  if (text === '' || found.some(({ id }) => id !== 'search'))
    return '↑ ↓ to choose, Enter to open, Esc to close'
  const tried = ['company names and tickers', ...(mayBeBond(text) ? ['bonds by identifier and terms'] : [])]
  return `Nothing is called “${text}”. Tried ${tried.join(', ')}, titles of filings, screens and pages.`
}

/** Found things by group, in order. */
function grouped(found: readonly Found[]): readonly (readonly [string, readonly Found[]])[] {
  const groups = new Map<string, Found[]>()
  for (const item of found) {
    const group = groups.get(item.group)
    if (group) group.push(item)
    else groups.set(item.group, [item])
  }
  return [...groups]
}

/** The text once typing has paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const waiting = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(waiting)
  }, [text])
  return paused
}

/** Ctrl-K or Cmd-K anywhere, and `/` outside text fields. */
function useShortcut(run: () => void): void {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const { target } = event
      const typing = target instanceof HTMLElement && target.closest('input, textarea, select, .editor')
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      const isFind =
        (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) ||
        (event.key === '/' && isPlain && !typing)
      if (!isFind) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
