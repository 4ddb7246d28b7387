import { memberOf } from '../engine/base/elements.ts'
import type { Results } from './results.ts'

const WIDTH = 760
const LEFT = 250
const RIGHT = 90
const ROW = 22

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const shown = (ms: number): string =>
  ms >= 1 ? `${ms.toPrecision(3)} ms` : `${(1000 * ms).toPrecision(2)} µs`

/** Cases with many contestants, each at its sizes: the time of every contestant on a logarithmic scale. */
export function chart(
  { results, machine, commit, date }: Results,
  names = ['screen', 'median by date and tenor'],
): string {
  const groups = names.flatMap(name =>
    results.flatMap(({ rows, cases }) =>
      cases
        .filter(c => c.name === name)
        .map(c => ({
          title: `${name}, ${memberOf(rows, name === 'screen' ? 'companies' : 'spreads').toLocaleString('en-US')} rows`,
          bars: Object.entries(c.contestants)
            .map(([contestant, { p50 }]) => ({ contestant, p50 }))
            .sort((a, b) => a.p50 - b.p50),
        })),
    ),
  )
  const times = groups.flatMap(group => group.bars.map(bar => bar.p50))
  const [low, high] = [Math.floor(Math.log10(Math.min(...times))), Math.ceil(Math.log10(Math.max(...times)))]
  const wide = (ms: number) => ((Math.log10(ms) - low) / (high - low)) * (WIDTH - LEFT - RIGHT)
  let y = 46
  const lines: string[] = []
  for (const { title, bars } of groups) {
    y += 26
    lines.push(`<text class="title" x="0" y="${y}">${escaped(title)}</text>`)
    for (const { contestant, p50 } of bars) {
      y += ROW
      const own = contestant === 'engine'
      lines.push(
        `<text x="${LEFT - 8}" y="${y}" text-anchor="end">${escaped(own ? 'Tranche' : contestant)}</text>`,
        `<rect class="${own ? 'own' : 'peer'}" x="${LEFT}" y="${y - 12}" width="${Math.max(2, wide(p50)).toFixed(1)}" height="15" rx="2"/>`,
        `<text x="${(LEFT + Math.max(2, wide(p50)) + 6).toFixed(1)}" y="${y}">${shown(p50)}</text>`,
      )
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 20}" role="img" aria-label="Median time of a question, by contestant">
<style>
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 13px }
  .small { fill: #57606a }
  .own { fill: #0969da }
  .peer { fill: #afb8c1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .small { fill: #8d96a0 }
    .own { fill: #58a6ff }
    .peer { fill: #484f58 }
  }
</style>
<text class="title" x="0" y="16">Median time of a question; each step of the scale is ten times the one before</text>
<text class="small" x="0" y="34">${escaped(`${machine.cores} cores of ${machine.cpu}, ${machine.memory_gb} GB, Node ${machine.node}; ${date}, commit ${commit}`)}</text>
${lines.join('\n')}
</svg>
`
}
