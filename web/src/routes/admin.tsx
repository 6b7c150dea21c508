import { AdminOverlay } from '../features/admin/admin-overlay.tsx'

export function Admin() {
  return <AdminOverlay />
}
