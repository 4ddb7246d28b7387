import { headerOf } from './csv-records.ts'
import type { SourceFile } from './reader.ts'

/** The series of a file named after it, `DGS10.csv` or `BAMLC0A0CM_1996_2025.csv.gz`; null for other names. */
function seriesOfName(name: string): string | null {
  const own = name.split(/[/!\\]/).at(-1)!
  return /^(DGS[0-9]{1,2}(MO)?|BAML[A-Z0-9]{4,16})(?![A-Z0-9])/i.exec(own)?.[0].toUpperCase() ?? null
}

/**
 * The series of a FRED download, in column order: `observation_date,DGS10`, `DATE,DGS10,DGS30`, or `date,value` in a
 * file named after its series. Null if it is not one.
 */
export function fredSeries(file: SourceFile): readonly string[] | null {
  const [first = '', ...columns] = headerOf(file)
  const series = columns.map(column => column.trim().toUpperCase())
  if (!/^(observation_)?date$/i.test(first) || series.length === 0) return null
  if (series.length === 1 && series[0] === 'VALUE') {
    const named = seriesOfName(file.name)
    return named === null ? null : [named]
  }
  return series.every(id => /^[A-Z0-9_]{2,40}$/.test(id)) ? series : null
}
