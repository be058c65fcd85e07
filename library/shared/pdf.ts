/** A PDF with lines of text on one page (ISO 32000-1, 7.5). */
export function toPdf(lines: readonly string[]): Buffer {
  const shown = lines.map((text) => `(${text.replaceAll(/[\\()]/g, '\\$&').replaceAll(/[^\x20-\xff]/g, '?')}) Tj T*`)
  const content = `BT /F1 12 Tf 20 TL 56 780 Td ${shown.join(' ')} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
  ]
  const parts = ['%PDF-1.4\n', ...objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`)]
  const starts = objects.map((_, at) => parts.slice(0, at + 1).join('').length)
  const places = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const end = `xref\n0 6\n0000000000 65535 f \n${places}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${parts.join('').length}\n%%EOF`
  return Buffer.from(parts.join('') + end, 'latin1')
}
