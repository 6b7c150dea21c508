/** Upper bounds in seconds. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const NAME = 'coinshop_request_duration_seconds'

interface Times {
  /** How many fell between one bound and the next; the last is for all above. */
  readonly counts: Uint32Array
  sumMs: number
}

/** How long requests took, by method, route template and status class. Counting costs a lookup and an addition. */
export interface RequestTimes {
  count(method: string, route: string, status: number, ms: number): void
  /** As Prometheus reads it. */
  text(): string
}

export function requestTimes(): RequestTimes {
  const byRoute = new Map<string, (Times | undefined)[]>()

  return {
    count(method, route, status, ms) {
      const key = `${method} ${route}`
      let classes = byRoute.get(key)
      if (!classes) byRoute.set(key, (classes = []))
      const statusClass = Math.floor(status / 100)
      const times = (classes[statusClass] ??= { counts: new Uint32Array(BUCKETS_S.length + 1), sumMs: 0 })
      let bucket = 0
      while (ms > (BUCKETS_S[bucket] ?? Infinity) * 1_000) bucket += 1
      times.counts[bucket] = (times.counts[bucket] ?? 0) + 1
      times.sumMs += ms
    },

    text() {
      const lines = [
        `# HELP ${NAME} Time from a request's headers to the end of its answer.`,
        `# TYPE ${NAME} histogram`,
      ]
      for (const [key, classes] of byRoute) {
        const [method = '', route = ''] = key.split(' ')
        for (const [statusClass, times] of classes.entries())
          if (times) lines.push(...linesOf(times, `method="${method}",route="${route}",status="${statusClass}xx"`))
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function linesOf({ counts, sumMs }: Times, labels: string): string[] {
  let total = 0
  const buckets = [...BUCKETS_S, '+Inf'].map((bound, index) => {
    total += counts[index] ?? 0
    return `${NAME}_bucket{${labels},le="${bound}"} ${total}`
  })
  return [...buckets, `${NAME}_sum{${labels}} ${sumMs / 1_000}`, `${NAME}_count{${labels}} ${total}`]
}
