import type { ShopTextName } from '#contract/shop-words.ts'
import { useShopForStaff } from '../../../api/admin.ts'
import { useKnownSettings } from '../../../api/settings.ts'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { SettingField } from './setting-field.tsx'

const cards: readonly { title: string; id: string; text: string; names: readonly ShopTextName[] }[] = [
  {
    title: 'What is sold, and who sells it',
    id: 'sold',
    text: 'The name, the game and the coins are shown on every page; the seller only to the buyer of an order.',
    names: ['shopName', 'gameName', 'coinName', 'sellerName', 'sellerAddress', 'sellerTaxNumber', 'sellerLine'],
  },
  {
    title: 'How buyers reach you',
    id: 'contacts',
    text: 'Shown to every visitor. Set at least one.',
    names: ['discordDmUrl', 'discordServerUrl', 'supportEmail'],
  },
]

/** An empty text shows what counts in its place. */
export function ShopTexts() {
  const settings = useKnownSettings()
  const otherwise = useShopForStaff().data?.otherwise
  // Once they are loaded as staff read them.
  if (settings?.shopName === undefined) return null
  return cards.map(({ title, id, text, names }) => (
    <TitledCard key={id} title={title} id={id}>
      <p className="text-muted">{text} Each change is kept in the clear, for ever.</p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-x-4 gap-y-1">
        {names.map((name) => (
          <SettingField key={name} name={name} placeholder={otherwise?.[name] ?? undefined} settings={settings} />
        ))}
      </div>
    </TitledCard>
  ))
}
