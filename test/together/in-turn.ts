import { sep } from 'node:path'

/**
 * Files that take long and are about what surrounds the engine: the explorer's pages but for the walk through them, broken disks and
 * processes, other readers of its tables, deployment, fetching, the pages of examples; or that repeat others over more days, builds
 * and lanes.
 */
const IN_TURN =
  /^(?:web\/(?!explorer\.)|faults\/|fetch\/|deploy\.|python\.|lake\/(?:iceberg|killed|contention)|server\/(?:fleet|process-ends|load-swap|charges-killed|readiness)\.|server\/state\/broken-file\.|cli\/(?:fetch|signals)\.|cli\/sample\/|scripts\/example-forms\.|docs\/(?:guides|interfaces)\.|point-in-time\/(?:ingested|days-together|growing-lake|derive-days)\.|derive\/step-results\.|snapshot\/(?:byte-stable|added-rows|kept-days|successor)\.|query\/(?:text-copy|memory\/lanes)\.)/

/**
 * The test files to run, of those in turn one part, `2/4` for the second of four: `.ci/run` takes another part for another
 * commit. All without a turn, as in `npm test` and by night.
 */
export function inTurn(names: readonly string[], turn: string | undefined): string[] {
  if (turn === undefined) return [...names]
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(turn) ?? []
  if (part === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new Error(`TRANCHE_TEST_TURN is ${turn}: give a part of several, as 2/4`)
  const these = names.filter(name => IN_TURN.test(name.replaceAll(sep, '/'))).sort()
  const left = new Set(these.filter((_, i) => i % Number(parts) !== Number(part) - 1))
  return names.filter(name => !left.has(name))
}
