import type { Product, ProductCreate } from '#contract/product.ts'
import { CircleCheck, CirclePause } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { useEffect, useState } from 'react'
import { mutate as mutateKey } from 'swr'
import { changeProduct, createProduct, deleteProduct } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { productsKey, useProducts } from '../../api/products.ts'
import { Badge } from '../../components/ui/badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Pending } from '../../components/ui/pending.tsx'
import { toast } from '../../components/ui/toast.ts'
import { centsOf, millions, usd } from '../../lib/format.ts'
import { randomKey } from '../../lib/random-key.ts'
import { readNumber } from './setting-drafts.ts'

type Open = { readonly form: 'new' } | { readonly form: Product } | { readonly remove: Product }

const quantityRule = { min: 1, max: 50_000, decimals: 0 } as const
const positionRule = { min: 0, max: 1_000_000, decimals: 0 } as const

/** The packs on the landing page; where there are none, the six of the settings stand there. */
export function ProductsPanel() {
  const { data, error, mutate } = useProducts()
  const [open, setOpen] = useState<Open>()
  // What a buyer's page has read lacks the inactive ones.
  useEffect(() => void mutateKey(productsKey), [])
  const close = () => setOpen(undefined)
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-reading text-muted">
          Active products are the packs on the landing page. While there are none, the six packs of the settings stand
          there. Prices are the shop's own, by quantity.
        </p>
        <Button size="small" kind="ink" onClick={() => setOpen({ form: 'new' })}>
          Add product
        </Button>
      </div>
      {data === undefined ? (
        <Pending
          loading="Loading products..."
          failure="Products could not be loaded"
          error={error}
          onRetry={() => void mutate()}
        />
      ) : data.length === 0 ? (
        <p className="rounded-surface border border-line bg-surface px-4 py-14 text-center text-muted">
          No products yet: the landing page shows the six packs of the settings.
        </p>
      ) : (
        <ProductList products={data} onOpen={setOpen} />
      )}
      {open !== undefined &&
        ('form' in open ? (
          <ProductForm product={open.form === 'new' ? undefined : open.form} onClose={close} />
        ) : (
          <RemoveDialog product={open.remove} onClose={close} />
        ))}
    </>
  )
}

function ProductList({ products, onOpen }: { products: readonly Product[]; onOpen: (open: Open) => void }) {
  return (
    <ul className="divide-y divide-line rounded-surface border border-line bg-surface">
      {products.map((product) => (
        <li key={product.id} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2 sm:px-4">
          <div className="grid min-w-0 flex-1 basis-64">
            <strong className="wrap-anywhere">{product.name}</strong>
            {product.description !== '' && <span className="text-muted wrap-anywhere">{product.description}</span>}
          </div>
          <span className="tabular sm:w-20 sm:text-right">{millions(product.pokecoinAmount)}</span>
          <span className="tabular sm:w-24 sm:text-right">{usd(centsOf(product.price))}</span>
          <span className="sm:w-28">
            {product.active ? (
              <Badge tone="good" icon={CircleCheck}>
                Active
              </Badge>
            ) : (
              <Badge icon={CirclePause}>Inactive</Badge>
            )}
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

function ProductForm({ product, onClose }: { product: Product | undefined; onClose: () => void }) {
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [isPending, setPending] = useState(false)
  // One key per opened form: a repeated press adds one product.
  const [editKey] = useState(randomKey)

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const read = readProduct(new FormData(form))
    setProblems(read.problems)
    if (read.product === undefined) {
      form.querySelector<HTMLInputElement>(`[name=${Object.keys(read.problems)[0] ?? 'name'}]`)?.focus()
      return
    }
    setPending(true)
    try {
      if (product === undefined) await createProduct(read.product, editKey)
      else await changeProduct(product.id, read.product)
      await mutateKey(productsKey)
      toast('Success', product === undefined ? `${read.product.name} was added.` : `${read.product.name} was changed.`)
      onClose()
    } catch (error) {
      setPending(false)
      setProblems(problemsFrom(error))
      const failure = product === undefined ? 'Failed to create product' : 'Failed to update product'
      toast(failure, sayError(error), { destructive: true })
    }
  }

  const common = { inputClassName: 'min-h-9' } as const
  return (
    <Dialog title={product === undefined ? 'Add product' : `Edit ${product.name}`} onClose={onClose}>
      <form className="grid gap-3 text-sm" noValidate onSubmit={(event) => void submit(event)}>
        <Field
          {...common}
          id="product-name"
          name="name"
          label="Name"
          maxLength={80}
          defaultValue={product?.name}
          error={problems['name']}
        />
        <Field
          {...common}
          id="product-description"
          name="description"
          label="Description (optional)"
          maxLength={500}
          defaultValue={product?.description}
          error={problems['description']}
        />
        <Field
          {...common}
          id="product-quantity"
          name="pokecoinAmount"
          label="Quantity in millions"
          inputMode="numeric"
          unit="M"
          defaultValue={product?.pokecoinAmount}
          error={problems['pokecoinAmount']}
        />
        <Field
          {...common}
          id="product-image"
          name="imageUrl"
          label="Picture (optional)"
          hint="An address that begins with https://"
          type="url"
          defaultValue={product?.imageUrl ?? ''}
          error={problems['imageUrl']}
        />
        <Field
          {...common}
          id="product-position"
          name="position"
          label="Position"
          hint="Lower numbers stand first."
          inputMode="numeric"
          defaultValue={product?.position ?? 0}
          error={problems['position']}
        />
        <label className="flex min-h-9 items-center gap-2">
          <input type="checkbox" name="active" className="size-4.5" defaultChecked={product?.active ?? true} />
          Active: shown on the landing page
        </label>
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="small" kind="primary" pending={isPending && 'Saving...'}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function readProduct(data: FormData): { product: ProductCreate | undefined; problems: Record<string, string> } {
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const [name, imageUrl] = [read('name'), read('imageUrl')]
  const quantity = readNumber(read('pokecoinAmount'), quantityRule)
  const position = readNumber(read('position'), positionRule)
  const problems = {
    ...(name === '' && { name: 'Enter a name' }),
    ...('problem' in quantity && { pokecoinAmount: quantity.problem }),
    ...(imageUrl !== '' && !isHttps(imageUrl) && { imageUrl: 'Enter an address that begins with https://' }),
    ...('problem' in position && { position: position.problem }),
  }
  if ('problem' in quantity || 'problem' in position || Object.keys(problems).length > 0)
    return { product: undefined, problems }
  const product = {
    name,
    description: read('description'),
    pokecoinAmount: quantity.value,
    imageUrl: imageUrl === '' ? null : imageUrl,
    active: data.get('active') !== null,
    position: position.value,
  }
  return { product, problems }
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:'
}

function problemsFrom(error: unknown): Record<string, string> {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : []
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]))
}

function RemoveDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const [isPending, setPending] = useState(false)
  const removeIt = async () => {
    setPending(true)
    try {
      await deleteProduct(product.id)
      await mutateKey(productsKey)
      toast('Success', `${product.name} was deleted.`)
      onClose()
    } catch (error) {
      setPending(false)
      toast('Failed to delete product', sayError(error), { destructive: true })
    }
  }
  return (
    <Dialog title="Delete this product?" onClose={onClose}>
      <div className="grid gap-5 text-sm">
        <p>
          <strong className="wrap-anywhere">{product.name}</strong> leaves the landing page. Orders are not touched.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" onClick={onClose}>
            Cancel
          </Button>
          <Button size="small" kind="danger" pending={isPending && 'Deleting...'} onClick={() => void removeIt()}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
