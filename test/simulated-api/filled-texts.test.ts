import { expect, it } from 'vitest'
import { renderHandlebars } from '../../library/sendgrid/handlebars.ts'
import { renderTexts } from '../../library/shared/rendered.ts'

const long = 'x'.repeat(1_000_000)
const list = Array.from({ length: 9_000 }, (_, at) => at)

it('fills templates up to a length, whatever they repeat', () => {
  const filled = [
    renderHandlebars('{{a}}'.repeat(300), { a: long }),
    renderHandlebars(`{{#each l}}${'y'.repeat(20_000)}{{/each}}`, { l: list }),
    renderHandlebars('{{!--'.repeat(100_000), {}),
    String(renderTexts('{{a}} '.repeat(300), { a: long })),
    JSON.stringify(renderTexts(Array(300).fill('{{a}}'), { a: long })),
  ]

  for (const text of filled) expect(text.length).toBeLessThan(2_100_000)
})

it('leaves out blocks that nest more than fifty levels deep', () => {
  const nested = (count: number) => `${'{{#if a}}'.repeat(count)}in${'{{/if}}'.repeat(count)}`

  expect(renderHandlebars(nested(50), { a: true })).toBe('in')
  expect(renderHandlebars(nested(20_000), { a: true })).toBe('')
  expect(renderHandlebars(`{{#if b}}${'{{else if b}}'.repeat(20_000)}{{/if}}out`, {})).toBe('out')
})
