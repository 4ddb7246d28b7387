import { useEffect, useState } from 'react'
import { useFirstPrints } from '../ask/first-prints.ts'
import { useAnswer } from '../ask/use-answer.ts'
import { Menu } from '../parts/menu.tsx'
import { Part } from '../parts/part.tsx'
import { dayText } from '../show/days.ts'
import { setParams } from './route.ts'
import './day-slider.css'

const DAY_MS = 86_400_000
const YEARS = 5

/** How long the slider rests on a day before the page asks for it: an earlier day may have to be derived. */
const REST_MS = 350

const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const steps = [
  [-91, 'Quarter back'],
  [-7, 'Week back'],
  [-1, 'Day back'],
  [1, 'Day on'],
  [7, 'Week on'],
  [91, 'Quarter on'],
] as const

/** Moves the whole page through the days of the last five years, and to figures as first reported. */
export const DaySlider = ({ chosen }: { chosen: string }) => (
  <Menu label="Days">
    {() => (
      <>
        <Newest chosen={chosen} />
        <FirstPrints />
      </>
    )}
  </Menu>
)

/** Beside the day, since both say what was known. */
function FirstPrints() {
  const isAsked = useFirstPrints()
  return (
    <label className="day-prints">
      <input
        type="checkbox"
        checked={isAsked}
        onChange={() => setParams({ reported: isAsked ? null : 'original' })}
      />
      <span>
        First prints
        <span className="quiet small">
          {' '}
          Figures of companies and statements as first reported, before later filings restated them
        </span>
      </span>
    </label>
  )
}

function Newest({ chosen }: { chosen: string }) {
  const answer = useAnswer('search.companies', { limit: 1, fields: ['ticker'] }, { timeless: true })
  return (
    <Part answer={answer} what="the newest day">
      {({ meta }) => {
        const newest = String(meta['as_of']).slice(0, 10)
        return <Slider day={chosen || newest} newest={newest} />
      }}
    </Part>
  )
}

/** `newest` is the last day with data; it is shown without a day in the link. */
function Slider({ day, newest }: { day: string; newest: string }) {
  const [at, setAt] = useState(day)
  useEffect(() => setAt(day), [day])
  useEffect(() => {
    if (at === day) return
    const timer = setTimeout(() => setParams({ as_of: at === newest ? null : at }), REST_MS)
    return () => clearTimeout(timer)
  }, [at, day, newest])
  const span = YEARS * 366
  const back = Math.round((Date.parse(newest) - Date.parse(at)) / DAY_MS)
  const move = (days: number) => {
    const to = plus(at, days)
    setAt(to > newest ? newest : to)
  }
  return (
    <div className="day-slider">
      <input
        type="range"
        aria-label="As-of day"
        aria-valuetext={dayText(at)}
        min={-span}
        max={0}
        value={-Math.min(span, back)}
        onChange={({ target }) => setAt(plus(newest, Number(target.value)))}
      />
      <p className="row">
        {steps.map(([days, name]) => (
          <button key={name} type="button" disabled={days > 0 && at >= newest} onClick={() => move(days)}>
            {name}
          </button>
        ))}
        <output>{dayText(at)}</output>
      </p>
    </div>
  )
}
