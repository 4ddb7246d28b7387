import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Manifest } from '../../engine/lake/snapshot.ts'
import type { AnsweredRequest } from './answered-request.ts'

/** Everything that a process has counted; goes from process to process as JSON. */
export type Counts = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface Metrics {
  readonly observe: (seen: AnsweredRequest) => void
  readonly usageDropped: (calls: number) => void
  readonly counts: () => Promise<Counts>
  /** In the form that Prometheus reads. */
  readonly text: () => Promise<string>
}

/** What is measured at the moment of asking. */
export interface GaugeSources {
  readonly connections: () => number
  /** The snapshot in force; null where there is none that can be used. */
  readonly manifest: () => Promise<Manifest | null>
}

/** What a process counts of itself. */
export function openMetrics(now: GaugeSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'tranche_' })
  const requests = new Counter({
    name: 'tranche_requests_total',
    help: 'Requests answered.',
    labelNames: ['endpoint', 'method', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'tranche_request_seconds',
    help: 'Time to answer.',
    labelNames: ['endpoint'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30],
    registers,
  })
  const dropped = new Counter({
    name: 'tranche_usage_dropped_total',
    help: 'Calls that were answered and are missing from usage: the state store did not take them.',
    registers,
  })
  new Gauge({ name: 'tranche_processes', help: 'Processes that serve.', registers }).set(1)
  new Gauge({
    name: 'tranche_connections',
    help: 'Connections that are open.',
    registers,
    collect() {
      this.set(now.connections())
    },
  })
  const ofSnapshot = (name: string, help: string, moment: (manifest: Manifest) => string | null) =>
    new Gauge({
      name,
      help,
      registers,
      // Of several processes the one that is furthest behind.
      aggregator: 'min',
      async collect() {
        const manifest = await now.manifest()
        const at = manifest && moment(manifest)
        this.set(at === null ? 0 : Date.parse(at) / 1000)
      },
    })
  const built = 'When the snapshot in force was built, Unix time; 0 where there is none that can be used.'
  ofSnapshot('tranche_snapshot_built_seconds', built, manifest => manifest.created)
  const asOf = 'The day as of which the snapshot speaks, Unix time.'
  ofSnapshot('tranche_snapshot_as_of_seconds', asOf, manifest => manifest.as_of)
  // To find them by their labels takes longer than to count.
  const places = new Map<string, { requests: Counter.Internal; seconds: Histogram.Internal<'endpoint'> }>()
  return {
    observe({ endpoint, method, status, milliseconds }) {
      const name = `${method} ${status} ${endpoint}`
      let told = places.get(name)
      if (!told) {
        told = {
          requests: requests.labels({ endpoint, method, status }),
          seconds: seconds.labels({ endpoint }),
        }
        places.set(name, told)
      }
      told.requests.inc()
      told.seconds.observe(milliseconds / 1000)
    },
    usageDropped: calls => dropped.inc(calls),
    counts: () => registry.getMetricsAsJSON() as Promise<Counts>,
    text: () => registry.metrics(),
  }
}

/** The counts of several processes as one. */
export const addUp = (counts: readonly Counts[]): Registry => AggregatorRegistry.aggregate(counts as never)

/** What stays of the counts of a process that is no more: what only grows. */
export const countersOnly = (counts: Counts): Counts =>
  counts.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
