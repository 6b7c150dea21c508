import { Histogram, type Registry } from 'prom-client'

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type RequestTimes = Histogram<'method' | 'route' | 'status'>

/** How long requests took in seconds, by method, route template and status class (`2xx`), or `aborted` by their callers. */
export function requestTimes(registry: Registry): RequestTimes {
  return new Histogram({
    name: 'coinshop_request_duration_seconds',
    help: "Time from a request's headers to the end of its answer.",
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
}
