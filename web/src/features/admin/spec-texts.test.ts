import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** The owner's screens, as written, each run of white space as one space. */
const written = readdirSync(folder)
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll(/\s+/g, ' '))
  .join('\n')

it.for([
  'Checking authentication...',
  'Admin Login',
  'Cancel',
  'Logging in...',
  'Admin Dashboard',
  'Manage your pokecoin shop',
  'Analytics Dashboard',
  'Loading analytics...',
  'Total Revenue',
  'Total Orders',
  'Pokecoins Sold',
  'Total Customers',
  'Monthly Revenue Trend',
  'Recent Orders',
  'Order Management',
  '`All Orders (${',
  '`Filtered Orders (${',
  'Order ID',
  'Customer',
  'Discord',
  'Market ID',
  'Pokecoins',
  'Amount',
  'Payment',
  'Status',
  'Date',
  'Actions',
  ' more...',
  'No orders found',
  'No orders found matching your search',
  'Select All',
  'Deselect All',
  'Delete ({size})',
  'View',
  'Approve',
  'max-h-[60vh]',
  '`Order Details - ${order.orderNumber}`',
  'Complete information about this order',
  'Order Information',
  'Payment Method',
  'Subtotal',
  'Total Price',
  'Created At',
  'Completed At',
  'Customer Information',
  'Pokétwo Pokécoins',
  'Confirmed',
  'No transaction data available',
  "'Success', 'Successfully logged in as admin'",
  "'Login failed'",
  'Login failed. Please check your credentials.',
  "'Session Expired', 'Admin password was changed. Please login again.'",
  "'Logged Out', 'Successfully logged out'",
  "'Order Approved'",
  "'Approval Failed'",
  'Failed to approve order ${',
  "'Orders Deleted', `Successfully deleted ${",
  "'Delete Failed'",
  'Failed to delete selected orders',
  'Are you sure you want to delete {chosen.length} selected order(s)? This will also update revenue analytics.',
  "'Success', 'Settings updated successfully'",
  'Failed to fetch orders',
  'Failed to create product',
  'Failed to update product',
  'Failed to delete product',
])('says: %s', (text) => {
  expect(written.includes(text)).toBe(true)
})
