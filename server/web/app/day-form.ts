import { useSyncExternalStore } from 'react'
import { type DayForm, dayForms, setDayForm } from '../show/days.ts'

const NAME = 'days'
const listeners = new Set<() => void>()

const chosen = (): DayForm => {
  const stored = localStorage.getItem(NAME)
  return stored !== null && Object.hasOwn(dayForms, stored) ? (stored as DayForm) : 'iso'
}

export function chooseDayForm(form: DayForm): void {
  localStorage.setItem(NAME, form)
  setDayForm(form)
  for (const listener of listeners) listener()
}

setDayForm(chosen())

export const useDayForm = (): DayForm =>
  useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosen)
