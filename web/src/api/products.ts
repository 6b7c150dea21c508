import type { Product } from '#contract/product.ts'
import useSWR from 'swr'

export const productsKey = '/api/products'

export const useProducts = () => useSWR<Product[]>(productsKey)
