import type { Category } from '../../domain/stream-names.ts'

const topicsByCategory = new Map<string, readonly string[]>(
  Object.entries({
    admin: [],
    customers: [],
    order: ['staff'],
    products: ['products', 'staff'],
    receipt: ['staff'],
    // A product's price is a quote by the settings.
    settings: ['settings', 'pricing', 'products', 'staff'],
    shop: [],
    stock: ['settings'],
  } satisfies Record<Category, readonly string[]>),
)

/** The topics of an event's stream. A category of a later release has none. */
export function topicsOf(stream: string): readonly string[] {
  const dash = stream.indexOf('-')
  const category = stream.slice(0, dash)
  const topics = topicsByCategory.get(category) ?? []
  return category === 'order' ? [`order:${stream.slice(dash + 1)}`, ...topics] : topics
}
