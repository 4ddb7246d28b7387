import { cikOf } from './companyfacts.ts'
import type { Dimension } from './dimensions.ts'
import { dateIn } from './source-cells.ts'
import { lastDay } from './xbrl-names.ts'

/** What a figure is about. */
export interface Context {
  entity: string
  cik: string | null
  start: string | null
  end: string | null
  /** The axes and members of a context. */
  dimensions: Dimension[]
}

/** A unit while its measures are read: `USD`, `USD/shares`. */
interface Unit {
  readonly id: string
  readonly over: string[]
  readonly under: string[]
  below: boolean
}

/** Reads contexts and units from the tags of their namespace, whose names are given in lower case. */
export class XbrlContexts {
  readonly contexts = new Map<string, Context>()
  readonly units = new Map<string, string>()
  /** The open context. */
  context: Context | null = null
  private unit: Unit | null = null

  open(name: string, { id = '', scheme = '' }: { readonly id?: string; readonly scheme?: string }): void {
    if (name === 'context') {
      this.context = { entity: '', cik: null, start: null, end: null, dimensions: [] }
      this.contexts.set(id, this.context)
    } else if (name === 'unit') this.unit = { id, over: [], under: [], below: false }
    else if (name === 'unitdenominator' && this.unit) this.unit.below = true
    else if (name === 'identifier' && this.context) this.context.cik = /\/CIK$/i.test(scheme) ? '' : null
  }

  close(name: string, value: string): void {
    const { context, unit } = this
    if (name === 'context') this.context = null
    else if (name === 'identifier' && context) {
      context.entity = value
      if (context.cik === '') context.cik = cikOf(value)
    } else if (name === 'instant' && context) context.end = lastDay(value)
    else if (name === 'startdate' && context) context.start = dateIn(value) ?? value
    else if (name === 'enddate' && context) context.end = lastDay(value)
    else if (name === 'measure' && unit)
      unit[unit.below ? 'under' : 'over'].push(value.replace(/^[^:]*:/, ''))
    else if (name === 'unitdenominator' && unit) unit.below = false
    else if (name === 'unit' && unit) {
      const under = unit.under.length ? `/${unit.under.join('*')}` : ''
      this.units.set(unit.id, unit.over.join('*') + under)
      this.unit = null
    }
  }
}
