import type { Product } from '#contract/product.ts'
import { trimmed } from '#contract/typed-text.ts'
import CircleCheck from 'lucide:circle-check'
import CirclePause from 'lucide:circle-pause'
import { useEffect, useState } from 'react'
import { changeProduct, createProduct, deleteProduct } from '../../../api/admin.ts'
import { useProducts } from '../../../api/settings.ts'
import { useUnsent } from '../../../api/staff-session.ts'
import { Badge } from '../../../components/ui/badge.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Check, Field } from '../../../components/ui/field.tsx'
import { Loaded } from '../../../components/ui/loaded.tsx'
import { toast, useAction } from '../../../components/ui/use-action.ts'
import { centsOf, millions, usd } from '../../../lib/format.ts'
import { randomKey } from '../../../lib/random-key.ts'
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx'
import { useForm } from '../../../components/ui/use-form.ts'

type Open = { readonly form: 'new' } | { readonly form: Product } | { readonly remove: Product }

/** The packs of the landing page, which shows the six packs of the settings if there are none. */
export function ProductsPanel() {
  const products = useProducts()
  const { mutate } = products
  const [open, setOpen] = useUnsent<Open>('open product')
  // Cached data from a buyer's page lacks inactive products.
  useEffect(() => void mutate(), [mutate])
  const close = () => setOpen(undefined)
  const remove = useAction(async ({ id, name }: Product) => {
    await deleteProduct(id)
    toast('Success', `${name} was deleted.`)
    close()
  }, 'Failed to delete product')
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-reading text-muted">
          Active products are the packs on the landing page. While there are none, the six packs of the settings stand
          there. Prices are the shop's own, by quantity.
        </p>
        <Button size="small" kind="primary" onClick={() => setOpen({ form: 'new' })}>
          Add product
        </Button>
      </div>
      <Loaded
        response={products}
        loading="Loading products..."
        failure="Products could not be loaded"
        empty={
          products.data?.length === 0 ? (
            <p className="rounded-surface border border-line bg-surface px-4 py-14 text-center text-muted">
              No products yet: the landing page shows the six packs of the settings.
            </p>
          ) : undefined
        }
      >
        {(all) => <ProductList products={all} onOpen={setOpen} />}
      </Loaded>
      {open && 'form' in open && <ProductForm product={open.form === 'new' ? undefined : open.form} onClose={close} />}
      {open && 'remove' in open && (
        <ConfirmDialog
          title="Delete this product?"
          action="Delete"
          kind="danger"
          pending={remove.isBusy && 'Deleting...'}
          onConfirm={() => remove.run(open.remove)}
          onClose={close}
        >
          <p>
            <strong className="wrap-anywhere">{open.remove.name}</strong> leaves the landing page. Orders are not
            touched.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function ProductList({ products, onOpen }: { products: readonly Product[]; onOpen: (open: Open) => void }) {
  return (
    <ul className="divide-y divide-line rounded-surface border border-line bg-surface">
      {products.map((product) => (
        <li key={product.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2 sm:px-4">
          <div className="grid min-w-0 flex-1 basis-52">
            <strong className="wrap-anywhere">{product.name}</strong>
            {product.description !== '' && <span className="text-muted wrap-anywhere">{product.description}</span>}
          </div>
          <span className="tabular-nums sm:w-20 sm:text-right">{millions(product.pokecoinAmount)}</span>
          <span className="tabular-nums sm:w-24 sm:text-right">{usd(centsOf(product.price))}</span>
          <span className="sm:w-28">
            <Badge tone={product.active ? 'good' : 'calm'} icon={product.active ? CircleCheck : CirclePause}>
              {product.active ? 'Active' : 'Inactive'}
            </Badge>
          </span>
          <span className="flex gap-1.5 max-sm:ml-auto">
            <Button size="small" onClick={() => onOpen({ form: product })}>
              Edit<span className="sr-only"> {product.name}</span>
            </Button>
            <Button size="small" kind="danger" onClick={() => onOpen({ remove: product })}>
              Delete<span className="sr-only"> {product.name}</span>
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

const fields = [
  { name: 'name', id: 'product-name', label: 'Name', maxLength: 80 },
  { name: 'description', id: 'product-description', label: 'Description (optional)', maxLength: 500 },
  { name: 'pokecoinAmount', id: 'product-quantity', label: 'Quantity in millions', type: 'number', unit: 'M' },
  { name: 'position', id: 'product-position', label: 'Position', hint: 'Lower numbers stand first.', type: 'number' },
] as const
type FieldName = (typeof fields)[number]['name']

function ProductForm({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  // One key per form: a repeated request adds one product.
  const [editKey] = useState(randomKey)
  const unsent = useUnsent<Readonly<Record<FieldName | 'active', string>>>(`product ${product?.id ?? 'new'}`)
  const { form, problems, isBusy } = useForm<FieldName | 'active'>({
    unsent,
    act: async ({ name, description, pokecoinAmount, position, ...ticked }) => {
      const typed = {
        name: trimmed(name),
        description: trimmed(description),
        pokecoinAmount: Number(pokecoinAmount),
        active: 'active' in ticked,
        position: Number(position),
      }
      if (product === undefined) await createProduct(typed, editKey)
      else await changeProduct(product.id, typed)
      toast('Success', `${typed.name} was ${product === undefined ? 'added' : 'changed'}.`)
      onClose()
    },
    failure: product === undefined ? 'Failed to create product' : 'Failed to update product',
  })
  return (
    <Dialog title={product === undefined ? 'Add product' : `Edit ${product.name}`} onClose={onClose}>
      <form {...form} className="grid gap-3 text-sm" noValidate>
        {fields.map((field) => (
          <Field
            key={field.name}
            {...field}
            inputClassName="min-h-9"
            defaultValue={product?.[field.name] ?? (field.name === 'position' ? 0 : '')}
            error={problems[field.name]}
          />
        ))}
        <Check name="active" defaultChecked={product?.active ?? true}>
          Active: shown on the landing page
        </Check>
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="small" kind="primary" pending={isBusy && 'Saving...'}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
