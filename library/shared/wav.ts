/** Samples of a sound in one channel as a file in WAV. @param bytes of a sample */
export function toWav(samples: Buffer, rate: number, bytes: number): Buffer {
  const head = Buffer.from('RIFF....WAVEfmt \x10\0\0\0\x01\0\x01\0............data....', 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * bytes, 28)
  head.writeUInt16LE(bytes, 32)
  head.writeUInt16LE(bytes * 8, 34)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}
