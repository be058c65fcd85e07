import { apportioned } from '../shared/apportioned.ts'
import { fulfilled } from './fulfillments.ts'
import { amountOf, type Fields, fieldsOf, type Json, listOf, only, percentOf, sumOf } from './square.ts'

/** What prices depend on besides the order. */
export interface Market {
  readonly time: string
  /** Of the location. */
  readonly currency: string
  readonly objectOf: (id: Json | undefined) => Fields | undefined
  readonly newUid: () => string
}

/** What a discount or a tax takes from each line, in the order of the lines. */
interface Share {
  readonly shown: Fields
  readonly shares: readonly number[]
}

/** A line with what discounts leave of it. */
interface Line {
  readonly item: Fields
  readonly gross: number
}

/** Whether a discount or a tax is of a line: of all lines, unless its scope is one line. */
const isOf = (item: Fields, { scope, uid }: Fields, list: string, name: string): boolean =>
  scope !== 'LINE_ITEM' || (uid != null && listOf(item[list]).some((one) => one[name] === uid))

/** The lines, discounts, taxes, charges and sums of an order. @param was the fulfillments that it had */
export function price(market: Market, order: Fields, was: Json = null): Fields {
  const money = (amount: number): Fields => ({ amount, currency: market.currency })
  const goodsOf = (id: Json | undefined, data: string): Fields => fieldsOf(market.objectOf(id)?.[data])
  const { newUid } = market

  const toModifier = (modifier: Fields, quantity: Json | undefined): Fields => {
    const known = goodsOf(modifier.catalog_object_id, 'modifier_data')
    const base = amountOf(modifier.base_price_money ?? known.price_money)
    const total = Math.round(base * Number(modifier.quantity ?? 1) * Number(quantity ?? 1))
    return {
      ...{ uid: newUid(), ...modifier, name: modifier.name ?? known.name ?? null },
      ...{ base_price_money: money(base), total_price_money: money(total) },
    }
  }

  const toLine = (line: Fields): Line => {
    const { catalog_object_id: id, quantity } = line
    const known = goodsOf(id, 'item_variation_data')
    const base = amountOf(line.base_price_money ?? known.price_money)
    const modifiers = listOf(line.modifiers).map((modifier) => toModifier(modifier, quantity))
    const flat = Math.round(base * (Number(quantity) || 0))
    const gross = flat + sumOf(modifiers.map((one) => amountOf(one.total_price_money)))
    const names = known.item_id != null && {
      name: line.name ?? goodsOf(known.item_id, 'item_data').name ?? null,
      variation_name: line.variation_name ?? known.name ?? null,
      catalog_version: line.catalog_version ?? market.objectOf(id)?.version ?? null,
    }
    const item = {
      ...{ uid: newUid(), ...line, ...names, ...(line.modifiers != null && { modifiers }) },
      ...{ item_type: line.item_type ?? 'ITEM', base_price_money: money(base) },
      ...{ variation_total_price_money: money(flat), gross_sales_money: money(gross) },
    }
    return { item, gross }
  }

  const lines = listOf(order.line_items).map(toLine)

  const discounts = listOf(order.discounts).map((discount): Share => {
    const known = goodsOf(discount.catalog_object_id, 'discount_data')
    const weights = lines.map(({ item, gross }) =>
      isOf(item, discount, 'applied_discounts', 'discount_uid') ? gross : 0,
    )
    const percentage = discount.percentage ?? known.percentage
    const flat = amountOf(discount.amount_money ?? known.amount_money)
    const whole = sumOf(weights)
    const amount = Math.min(whole, percentage == null ? flat : percentOf(whole, percentage))
    const type = percentage == null ? 'FIXED_AMOUNT' : 'FIXED_PERCENTAGE'
    const shown = { uid: newUid(), scope: 'ORDER', type, ...only(known, 'name percentage amount_money'), ...discount }
    return { shown: { ...shown, applied_money: money(amount) }, shares: apportioned({ of: amount, by: weights }) }
  })
  const offs = lines.map((_, at) => sumOf(discounts.map(({ shares }) => shares[at] ?? 0)))
  const nets = lines.map(({ gross }, at) => gross - (offs[at] ?? 0))

  const taxes = listOf(order.taxes).map((tax): Share => {
    const known = goodsOf(tax.catalog_object_id, 'tax_data')
    const weights = lines.map(({ item }, at) => (isOf(item, tax, 'applied_taxes', 'tax_uid') ? (nets[at] ?? 0) : 0))
    const percentage = tax.percentage ?? known.percentage ?? '0'
    const type = tax.type ?? known.inclusion_type ?? 'ADDITIVE'
    const rate = Number(percentage) || 0
    const whole = sumOf(weights)
    const amount = type === 'INCLUSIVE' ? Math.round((whole * rate) / (100 + rate)) : percentOf(whole, rate)
    const shown = { uid: newUid(), scope: 'ORDER', ...only(known, 'name'), ...tax, type, percentage }
    return { shown: { ...shown, applied_money: money(amount) }, shares: apportioned({ of: amount, by: weights }) }
  })

  /** What discounts or taxes take from one line. */
  const applied = (from: readonly Share[], at: number, name: string): Fields[] =>
    from.flatMap(({ shown, shares }) => {
      const amount = shares[at] ?? 0
      return amount > 0 ? [{ uid: newUid(), [name]: shown.uid ?? null, applied_money: money(amount) }] : []
    })

  const line_items = lines.map(({ item }, at): Fields => {
    const applied_taxes = applied(taxes, at, 'tax_uid')
    const applied_discounts = applied(discounts, at, 'discount_uid')
    const added = taxes.filter(({ shown }) => shown.type === 'ADDITIVE').map(({ shares }) => shares[at] ?? 0)
    return {
      ...{ ...item, ...(applied_taxes.length > 0 && { applied_taxes }) },
      ...(applied_discounts.length > 0 && { applied_discounts }),
      total_tax_money: money(sumOf(applied_taxes.map((one) => amountOf(one.applied_money)))),
      total_discount_money: money(offs[at] ?? 0),
      total_service_charge_money: money(0),
      total_money: money((nets[at] ?? 0) + sumOf(added)),
    }
  })
  const goods = totalOf(line_items, 'total_money')

  const service_charges = listOf(order.service_charges).map((charge): Fields => {
    const of = charge.calculation_phase === 'TOTAL_PHASE' ? goods : sumOf(nets)
    const known = fieldsOf(charge.amount_money).amount
    const amount = known == null ? percentOf(of, charge.percentage) : Number(known)
    const usual = { uid: newUid(), calculation_phase: 'SUBTOTAL_PHASE', taxable: false, scope: 'ORDER' }
    return { ...usual, ...charge, applied_money: money(amount), total_money: money(amount), total_tax_money: money(0) }
  })
  const charged = totalOf(service_charges, 'total_money')

  const stages = listOf(order.fulfillments).map((one) => ({ uid: newUid(), state: 'PROPOSED', ...one }))
  const { list, moves } = fulfilled({ of: stages, was, at: market.time })
  const tip = totalOf(listOf(order.tenders), 'tip_money')
  const total_money = money(goods + charged + tip)
  const sums = {
    tax_money: money(sumOf(taxes.map(({ shown }) => amountOf(shown.applied_money)))),
    discount_money: money(sumOf(discounts.map(({ shown }) => amountOf(shown.applied_money)))),
    service_charge_money: money(charged),
    tip_money: money(tip),
  }
  return {
    ...{ line_items, taxes: taxes.map(({ shown }) => shown), discounts: discounts.map(({ shown }) => shown) },
    ...{ service_charges, fulfillments: list ?? [], fulfillment_update: moves ?? [], total_money },
    total_tax_money: sums.tax_money,
    total_discount_money: sums.discount_money,
    total_service_charge_money: sums.service_charge_money,
    total_tip_money: sums.tip_money,
    net_amounts: { ...sums, total_money },
    net_amount_due_money: money(amountOf(total_money) - totalOf(listOf(order.tenders), 'amount_money')),
  }
}

const totalOf = (list: readonly Fields[], name: string): number => sumOf(list.map((one) => amountOf(one[name])))
