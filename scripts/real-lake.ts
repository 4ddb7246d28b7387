import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { elementAt, firstOf, memberOf } from '../engine/base/elements.ts'

// Builds a lake from folders of real sources and measures its quality: every row accounted for, issuers linked, desk
// names unique, sectors known. Run it before and after a change of linking, also on sources not used for the change.
//   node dist/scripts/real-lake.js LAKE [SOURCE...] [--date FILE=DAY]... [--skip-verify] [--json]
// Creates LAKE if necessary; without sources measures it as it is. --date gives the day of an export that lacks one
// (the end of its path is enough). Exits with 1 if a row is unaccounted for or a recomputed figure differs.

const main = fileURLToPath(new URL('../cli/main.js', import.meta.url))
const { words, dates, flags } = readArguments(process.argv.slice(2))
const [lake, ...sources] = words
if (lake === undefined) {
  process.stderr.write('usage: real-lake LAKE [SOURCE...] [--date FILE=DAY]... [--skip-verify] [--json]\n')
  process.exit(2)
}

function readArguments(given: readonly string[]) {
  const words: string[] = []
  const dates: { file: string; day: string }[] = []
  const flags = new Set<string>()
  for (let i = 0; i < given.length; i++) {
    const word = elementAt(given, i)
    if (word === '--date') {
      const [file = '', day = ''] = (given[++i] ?? '').split('=')
      dates.push({ file, day })
    } else if (word.startsWith('--')) flags.add(word)
    else words.push(word)
  }
  return { words, dates, flags }
}

interface Run {
  readonly text: string
  readonly code: number
}

/** Runs the command line; its notices go to the terminal. */
function tranche(...args: string[]): Run {
  try {
    const text = execFileSync(process.execPath, [main, ...args, '--lake', lake!], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', flags.has('--json') ? 'ignore' : 'inherit'],
    })
    return { text, code: 0 }
  } catch (error) {
    const { stdout, status } = error as { stdout?: string; status?: number }
    if (status === undefined || status === null) throw error
    return { text: stdout ?? '', code: status }
  }
}

function rowsOf<T>(...args: string[]): T[] {
  const { text, code } = tranche(...args, '--format', 'json')
  if (text === '') throw new Error(`tranche ${args.join(' ')} ended with ${code} and said nothing`)
  return (JSON.parse(text) as { data: T[] }).data
}

const sql = <T>(text: string): T[] => rowsOf<T>('sql', text)

interface FileReport {
  readonly name: string
  readonly status: string
  readonly read: number
  readonly accepted: number
  readonly duplicate: number
  readonly rejected: number
}

function ingest(): FileReport[] {
  if (sources.length === 0) return []
  const all = rowsOf<FileReport>('ingest', ...sources)
  const dated = dates.flatMap(({ file, day }) => {
    const found = all.filter(({ name }) => name.endsWith(file)).map(({ name }) => name)
    if (found.length === 0 && existsSync(file)) found.push(resolve(file))
    if (found.length !== 1) throw new Error(`--date ${file}: ${found.length} of the files end so`)
    return rowsOf<FileReport>('ingest', firstOf(found), '--date', day)
  })
  const again = new Set(dated.map(({ name }) => name))
  return [...all.filter(({ name }) => !again.has(name)), ...dated]
}

interface BondLink {
  readonly way: string
  readonly bonds: number
}

function measure() {
  const corporate = "is_active AND coalesce(currency, 'USD') = 'USD'"
  const [bonds] = sql<Record<string, number>>(`
    SELECT count(*) AS active, count(*) FILTER (WHERE company_ticker IS NOT NULL) AS with_ticker,
      count(*) FILTER (WHERE company_ticker IS NOT NULL OR company_id LIKE 'CIK%') AS with_company,
      count(*) FILTER (WHERE company_id IS NULL) AS without_issuer,
      count(DISTINCT display_name) AS names, count(*) FILTER (WHERE display_name IS NULL) AS nameless
    FROM bonds WHERE ${corporate}`)
  const [all] = sql<Record<string, number>>(`
    SELECT count(*) AS active, count(*) FILTER (WHERE n = 1) AS alone FROM (
      SELECT count(*) OVER (PARTITION BY display_name) AS n FROM bonds WHERE is_active)`)
  const ways = sql<BondLink>(`
    SELECT coalesce(group_by, CASE WHEN company_ticker IS NOT NULL THEN 'issuer is listed' WHEN company_id LIKE 'CIK%' THEN 'issuer files'
      ELSE 'not linked' END) AS way, count(*) AS bonds FROM bonds WHERE ${corporate} GROUP BY 1 ORDER BY 2 DESC, 1`)
  const [sector] = sql<Record<string, number>>(
    'SELECT count(*) AS companies, count(*) FILTER (WHERE sector IS NULL) AS unknown FROM companies WHERE bond_count > 0',
  )
  const [lei] = sql<Record<string, number>>(`
    WITH said AS (
      SELECT issuer_lei AS lei, company_id, count(*) AS n FROM bonds
      WHERE issuer_lei IS NOT NULL AND (company_ticker IS NOT NULL OR company_id LIKE 'CIK%') GROUP BY 1, 2)
    SELECT coalesce(sum(n), 0) AS bonds, coalesce(sum(n) FILTER (WHERE n = most), 0) AS agreeing, count(DISTINCT lei) AS leis
    FROM (SELECT *, max(n) OVER (PARTITION BY lei) AS most FROM said)`)
  const links = rowsOf<{
    name: string | null
    method: string
    group_id: string | null
    datasets: string[]
    candidates: string[]
  }>('link', '--all')
  const unlinked = links.filter(l => l.method === 'own' && !l.group_id && l.datasets.includes('bonds'))
  const twice = rowsOf<{ check: string; says: string }>('doctor', '--data').find(
    f => f.check === 'companies under two ids',
  )
  return {
    bonds: {
      us_dollar_active: memberOf(bonds!, 'active'),
      with_company: share(memberOf(bonds!, 'with_company'), memberOf(bonds!, 'active')),
      with_ticker: share(memberOf(bonds!, 'with_ticker'), memberOf(bonds!, 'active')),
      by_way: Object.fromEntries(ways.map(({ way, bonds }) => [way, Number(bonds)])),
    },
    precision_by_lei: {
      leis: Number(lei!['leis']),
      bonds: Number(lei!['bonds']),
      agreeing: share(memberOf(lei!, 'agreeing'), memberOf(lei!, 'bonds')),
    },
    unlinked_issuers: {
      names: unlinked.length,
      with_candidates: unlinked.filter(l => l.candidates.length > 0).length,
    },
    display_names_unique: share(memberOf(all!, 'alone'), memberOf(all!, 'active')),
    sectors_unknown: share(memberOf(sector!, 'unknown'), memberOf(sector!, 'companies')),
    companies_under_two_ids: twice?.says ?? 'none',
  }
}

const share = (part: number, whole: number): string =>
  Number(whole) === 0 ? 'none' : `${((100 * Number(part)) / Number(whole)).toFixed(2)}% (${part} of ${whole})`

const files = ingest()
const sum = (what: 'read' | 'accepted' | 'duplicate' | 'rejected') =>
  files.reduce((all, file) => all + Number(file[what]), 0)
const unaccounted = files
  .filter(f => f.read !== f.accepted + f.duplicate + f.rejected)
  .map(({ name }) => name)
if (sources.length > 0) tranche('build')
const verified = flags.has('--skip-verify') ? null : tranche('verify', '--format', 'json').code
const report = {
  ...(files.length > 0 && {
    files: Object.fromEntries(
      [...new Set(files.map(f => f.status))].map(status => [
        status,
        files.filter(f => f.status === status).length,
      ]),
    ),
    rows: {
      read: sum('read'),
      accepted: sum('accepted'),
      duplicate: sum('duplicate'),
      rejected: sum('rejected'),
      unaccounted,
    },
  }),
  verify: verified === null ? 'skipped' : verified === 0 ? 'no difference' : `exit code ${verified}`,
  ...measure(),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
process.exitCode = unaccounted.length > 0 || (verified !== null && verified !== 0) ? 1 : 0
