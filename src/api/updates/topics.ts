import type { Category } from '../../domain/stream-names.ts'

/** The topics of an event's stream. */
export function topicsOf(stream: string): string[] {
  const dash = stream.indexOf('-')
  switch (stream.slice(0, dash) as Category) {
    case 'order':
      return [`order:${stream.slice(dash + 1)}`, 'staff']
    case 'stock':
      return ['settings']
    case 'settings':
      // A product's price is a quote by the settings.
      return ['settings', 'pricing', 'products', 'staff']
    case 'receipt':
      return ['staff']
    case 'products':
      return ['products', 'staff']
    case 'admin':
    case 'customers':
    case 'shop':
      return []
  }
}
