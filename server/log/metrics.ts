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

/** All counters of a process, as JSON for other processes. */
export type Counts = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface Metrics {
  readonly observe: (seen: AnsweredRequest) => void
  readonly usageDropped: (calls: number) => void
  readonly counts: () => Promise<Counts>
  /** In Prometheus format. */
  readonly text: () => Promise<string>
}

/** Gauges, measured on request. */
export interface GaugeSources {
  readonly connections: () => number
  /** The current snapshot; null if there is no usable one. */
  readonly manifest: () => Promise<Manifest | null>
}

/** The counters of one process. */
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
    help: 'Answered calls missing from usage because the state store did not accept them.',
    registers,
  })
  new Gauge({ name: 'tranche_processes', help: 'Processes that serve.', registers }).set(1)
  new Gauge({
    name: 'tranche_connections',
    help: 'Open connections.',
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
      // The maximum lag over several processes.
      aggregator: 'min',
      async collect() {
        const manifest = await now.manifest()
        const at = manifest && moment(manifest)
        this.set(at === null ? 0 : Date.parse(at) / 1000)
      },
    })
  const built = 'When the current snapshot was built, Unix time; 0 if there is no usable one.'
  ofSnapshot('tranche_snapshot_built_seconds', built, manifest => manifest.created)
  const asOf = 'As-of day of the snapshot, Unix time.'
  ofSnapshot('tranche_snapshot_as_of_seconds', asOf, manifest => manifest.as_of)
  new Gauge({
    name: 'tranche_snapshot_processes',
    help: 'Processes that answer from a snapshot.',
    labelNames: ['snapshot'],
    registers,
    async collect() {
      const manifest = await now.manifest()
      this.reset()
      if (manifest) this.labels({ snapshot: manifest.id }).set(1)
    },
  })
  // Cached: looking up labels takes longer than counting.
  const places = new Map<string, { requests: Counter.Internal; seconds: Histogram.Internal<'endpoint'> }>()
  return {
    observe({ endpoint, method, status, milliseconds }) {
      const name = `${method} ${status} ${endpoint}`
      let series = places.get(name)
      if (!series) {
        series = {
          requests: requests.labels({ endpoint, method, status }),
          seconds: seconds.labels({ endpoint }),
        }
        places.set(name, series)
      }
      series.requests.inc()
      series.seconds.observe(milliseconds / 1000)
    },
    usageDropped: calls => dropped.inc(calls),
    counts: () => registry.getMetricsAsJSON() as Promise<Counts>,
    text: () => registry.metrics(),
  }
}

/** The counters of several processes added up. */
export const addUp = (counts: readonly Counts[]): Registry => AggregatorRegistry.aggregate(counts as never)

/** What remains of a dead process's counters: those that only increase. */
export const countersOnly = (counts: Counts): Counts =>
  counts.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
