import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const NAME = 'theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const wanted = (): Theme => {
  const stored = localStorage.getItem(NAME)
  return stored === 'light' || stored === 'dark' ? stored : dark.matches ? 'dark' : 'light'
}

function show(): void {
  document.documentElement.dataset['theme'] = wanted()
  for (const listener of listeners) listener()
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(NAME, theme)
  show()
}

dark.addEventListener('change', show)
show()

export const useTheme = (): Theme =>
  useSyncExternalStore(listener => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, wanted)
