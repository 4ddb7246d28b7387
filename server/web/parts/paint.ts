import type { Theme } from '../app/theme.ts'

/** Colours of charts, the same on every page. */
export interface Paint {
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly ground: string
  readonly raised: string
  readonly series: readonly string[]
  /** From low to high. */
  readonly ramp: readonly string[]
}

const series: Readonly<Record<Theme, readonly string[]>> = {
  light: [
    '#1259b8',
    '#c2540a',
    '#0c7a5c',
    '#7a3fd1',
    '#a8336b',
    '#8a6a00',
    '#0b7285',
    '#5d6677',
    '#4d7c0f',
    '#b3261e',
    '#3949ab',
  ],
  dark: [
    '#6aa9f7',
    '#f0a063',
    '#4fc3a1',
    '#b99cf5',
    '#ee8ab6',
    '#dcbf5a',
    '#5fc6dc',
    '#a3aec0',
    '#a5cf5c',
    '#ff8a80',
    '#93a0f0',
  ],
}

const ramps: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#eaf2fc', '#a9cbf3', '#5d9de6', '#1f6dcb', '#0b3f88'],
  dark: ['#16222f', '#1d3c60', '#2b62a0', '#4b90de', '#a5cdfb'],
}

export function paintOf(theme: Theme): Paint {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: token('--text'),
    quiet: token('--quiet'),
    line: token('--line'),
    ground: token('--panel'),
    raised: token('--raised'),
    series: series[theme],
    ramp: ramps[theme],
  }
}

/** The same hue for the same thing everywhere. */
export const hue: Readonly<Record<string, number>> = {
  senior_secured: 0,
  senior_unsecured: 2,
  subordinated: 1,
  unknown: 7,
  '1Y': 6,
  '3Y': 2,
  '5Y': 0,
  '7Y': 3,
  '10Y': 1,
  IG: 0,
  'HY-BB': 2,
  'HY-B': 1,
  'HY-CCC': 9,
  NR: 7,
  sp: 0,
  moodys: 1,
  fitch: 2,
}
