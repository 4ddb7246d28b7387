import { type Covenant, covenants } from '../../../../engine/schema/resources/covenants.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Grid } from '../../parts/grid.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { fixed, isThresholdAmount, money } from '../../show/figures.ts'

const names = [
  'covenant_name',
  'covenant_type',
  'test_metric',
  'threshold_value',
  'threshold_type',
  'test_frequency',
  'instrument_name',
  'description',
  'extraction_confidence',
  'source_document_date',
] as const

/** `4.50x`, `$100mm`. */
const thresholdOf = ({ threshold_value, test_metric }: Covenant): string | null =>
  threshold_value === null
    ? null
    : isThresholdAmount(threshold_value)
      ? money(threshold_value, 'USD')
      : `${fixed(threshold_value, 2)}${test_metric === null ? '' : 'x'}`

export function Covenants({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.covenants', { ticker, limit: 100, sort: 'covenant_type,covenant_name' })
  return (
    <Panel title="Covenants" tools={<span className="quiet small">{answer.data?.length ?? ''}</span>}>
      <Part answer={answer} what="covenants">
        {rows =>
          rows.length ? (
            <Grid
              label="Covenants"
              headings={names.map(name => ({
                name,
                column:
                  name === 'threshold_value' ? covenants.columns.covenant_name : covenants.columns[name],
              }))}
              total={rows.length}
              rowAt={index => rows[index] && { ...rows[index], threshold_value: thresholdOf(rows[index]) }}
              height={380}
            />
          ) : (
            <Empty>
              <p>No covenants: load its agreements and indentures.</p>
            </Empty>
          )
        }
      </Part>
    </Panel>
  )
}
