/**
 * What we write to a customer about an order: with the company's name, where the shop's API can be reached and gives it.
 *
 * @param {(path: string) => Promise<Response>} get asks the shop's API
 * @param {{ companyId: string, status: string }} order
 */
export async function orderNotice(get, { companyId, status }) {
  const response = await get(`/companies/${companyId}`).catch(() => undefined)
  const whose = response?.ok ? `of ${(await response.json()).name} ` : ''
  return `The order ${whose}is ${status}.`
}
