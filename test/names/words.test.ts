import { expect, it } from 'vitest'
import { foldName, slugOf, snakeCase, wordsOf } from '../../src/names/words.ts'

it.each([
  ['customFieldSettings', 'custom field settings'],
  ['pull-requests', 'pull requests'],
  ['URLParser', 'url parser'],
  ['installedAPKs', 'installed apks'],
  ['URLsOfUser', 'urls of user'],
  ['userID', 'user id'],
  ['line1', 'line1'],
  ['B2BAccount', 'b2 b account'],
  ['oauth2Token', 'oauth2 token'],
  ['__v', 'v'],
  ['***', ''],
])('takes %s apart: %s', (name, words) => {
  expect(wordsOf(name).join(' ')).toBe(words)
})

it.each([
  ['AvailablePhoneNumbers', 'available_phone_numbers'],
  ['aufträge', 'aufträge'],
  ['catégorieProduit', 'catégorie_produit'],
  ['ЗадачиПроекта', 'задачи_проекта'],
  ['cafe\u0301', 'café'],
])('writes %s in snake case, in the letters of any alphabet: %s', (name, snake) => {
  expect(snakeCase(name)).toBe(snake)
})

it.each(['createdAt', 'created_at', 'Created-At', 'CREATED.AT', 'created at', '$created[at]'])(
  'folds %s to createdat',
  (name) => {
    expect(foldName(name)).toBe('createdat')
  },
)

it('keeps a name of signs alone, so that such names stay different', () => {
  expect(['$', '>=', '', '*'].map(foldName)).toEqual(['$', '>=', '', '*'])
})

it.each([
  ['Task tracker · 2', 'task-tracker-2'],
  ['Café', 'cafe'],
  ['--', ''],
])('makes a slug of %s: %s', (text, slug) => {
  expect(slugOf(text)).toBe(slug)
})

it('ends a cut slug in a letter or digit', () => {
  expect(slugOf('one two three', 8)).toBe('one-two')
})
