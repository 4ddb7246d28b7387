import type { SizeName } from './made-lake.ts'
import type { machine } from './report.ts'
import type { Measured } from './timing.ts'

export interface Results {
  readonly date: string
  readonly commit: string
  readonly dirty: boolean
  readonly machine: ReturnType<typeof machine>
  readonly peers: Readonly<Record<string, string>>
  /** Bytes a second that a sum over a Float64Array reads. */
  readonly bandwidth: number
  readonly results: readonly {
    size: SizeName
    rows: Readonly<Record<string, number>>
    cases: readonly Measured[]
  }[]
}
