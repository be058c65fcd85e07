import { expect, it } from 'vitest'
import {
  isSameNoun,
  singularName,
  singularOf,
  toSnakeCase,
  wordsOf,
} from '../../src/service/openapi/inference/words.ts'

it.each([
  ['tasks', 'task'],
  ['companies', 'company'],
  ['movies', 'movie'],
  ['caches', 'cache'],
  ['branches', 'branch'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['aliases', 'alias'],
  ['people', 'person'],
  ['children', 'child'],
  ['indices', 'index'],
  ['criteria', 'criterion'],
  ['metadata', 'metadata'],
  ['sms', 'sms'],
  ['status', 'status'],
  ['analysis', 'analysis'],
  ['campus', 'campus'],
  ['purchases', 'purchase'],
  ['responses', 'response'],
  ['databases', 'database'],
])('makes %s singular: %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular)
})

it('takes names in any spelling apart', () => {
  expect(wordsOf('customFieldSettings')).toEqual(['custom', 'field', 'settings'])
  expect(wordsOf('pull-requests')).toEqual(['pull', 'requests'])
  expect(wordsOf('URLParser')).toEqual(['url', 'parser'])
  expect(toSnakeCase('AvailablePhoneNumbers')).toBe('available_phone_numbers')
  expect(singularName('pull_requests')).toBe('pull_request')
  expect(isSameNoun('PullRequests', 'pull_request')).toBe(true)
})

it.each([
  ['aufträge', 'aufträge'],
  ['catégorieProduit', 'catégorie_produit'],
  ['ЗадачиПроекта', 'задачи_проекта'],
  ['cafe\u0301', 'café'],
])('keeps the letters of any alphabet: %s', (name, snake) => {
  expect(toSnakeCase(name)).toBe(snake)
})

it('tells names in other alphabets apart', () => {
  expect(isSameNoun('имя', 'номер')).toBe(false)
  expect(isSameNoun('名前', '名前')).toBe(true)
  expect(isSameNoun('*', '#')).toBe(false)
})
