import { expect, it } from 'vitest'
import { foldNoun, isSameNoun, singularName, singularOf } from '../../src/names/nouns.ts'

/**
 * Nouns of APIs, each with its singular. Of these probes the package pluralize 8 misses 33, inflection 3 misses 53: they
 * take `data`, `https`, `dns`, `canvas` and `caches` for plurals of `datum`, `http`, `dn`, `canva` and `cach`.
 */
const PROBES = `
  tasks task, companies company, categories category, replies reply, keys key, surveys survey, events event, fees fee
  leaves leaf, shelves shelf, knives knife, halves half, lives life, archives archive, drives drive, objectives objective
  olives olive, sleeves sleeve, valves valve, curves curve, roofs roof, quizzes quiz, buzzes buzz, waltzes waltz
  ties tie, pies pie, movies movie, cookies cookie, calories calorie, selfies selfie, zombies zombie, policies policy
  status status, statuses status, address address, addresses address, process process, processes process
  business business, access access, progress progress, classes class, passes pass, expenses expense, licenses license
  news news, series series, subseries subseries, species species, data data, metadata metadata, media media
  equipment equipment, software software, feedback feedback, means means, headquarters headquarters, analytics analytics
  people person, children child, men man, women woman, feet foot, mice mouse, oxen ox
  indices index, indexes index, vertices vertex, matrices matrix, appendices appendix, criteria criterion
  phenomena phenomenon, alumni alumnus, radii radius, schemata schema, formulae formula, schemas schema, quotas quota
  boxes box, mailboxes mailbox, taxes tax, prefixes prefix, branches branch, batches batch, searches search, caches cache
  headaches headache, wishes wish, losses loss, analyses analysis, analysis analysis, diagnoses diagnosis, crises crisis
  theses thesis, hypotheses hypothesis, bases base, databases database, purchases purchase, releases release, leases lease
  responses response, courses course, houses house, warehouses warehouse, causes cause, uses use, abuses abuse, cases case
  axes axis, axis axis, iris iris, gas gas, gases gas, bus bus, buses bus, lens lens, lenses lens, canvas canvas
  canvases canvas, atlas atlas, bias bias, biases bias, alias alias, aliases alias, virus virus, viruses virus
  campus campus, campuses campus, bonus bonus, bonuses bonus, census census, focus focus, corpus corpus, plus plus
  menus menu, cpus cpu, gpus gpu, skus sku, apis api, urls url, ids id, pdfs pdf, vms vm
  https https, tls tls, dns dns, sms sms, aws aws, ios ios, gps gps, kubernetes kubernetes, redis redis, us us
  heroes hero, tomatoes tomato, zeroes zero, shoes shoe, photos photo, todos todo, logos logo, invoices invoice
  devices device, prices price, employees employee, issues issue, values value, queues queue, leagues league
  details detail, settings setting, metrics metric, topics topic, days day, gateways gateway, views view, sales sale`
  .trim()
  .split(/,?\s*\n\s*|, /)
  .map((pair) => pair.split(' ') as [string, string])

it.each(PROBES)('makes %s singular: %s', (noun, singular) => {
  expect(singularOf(noun)).toBe(singular)
})

it('leaves a singular as it is', () => {
  const changed = PROBES.map(([, singular]) => singular).filter((singular) => singularOf(singular) !== singular)

  expect(changed).toEqual([])
})

it('changes only the last word of a name', () => {
  expect(singularName('pull_requests')).toBe('pull_request')
  expect(singularName('news_categories')).toBe('news_category')
  expect(singularName('')).toBe('')
})

it('folds a name with its last word in the singular', () => {
  expect(foldNoun('PullRequests')).toBe('pullrequest')
  expect(foldNoun('*')).toBe('*')
  expect(isSameNoun('PullRequests', 'pull_request')).toBe(true)
})

it('distinguishes names in other alphabets', () => {
  expect(isSameNoun('имя', 'номер')).toBe(false)
  expect(isSameNoun('名前', '名前')).toBe(true)
  expect(isSameNoun('*', '#')).toBe(false)
})
