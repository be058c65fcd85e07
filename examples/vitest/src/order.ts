/** An order as the CRM shows it; only what this program needs. */
export interface Order {
  id: number
  number: string
  status: 'pending' | 'confirmed' | 'shipped' | 'delivered' | 'cancelled'
  total: number
  updatedAt: string
}
