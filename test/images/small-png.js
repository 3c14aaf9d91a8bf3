import { deflateSync } from 'node:zlib';

/**
 * A PNG with a palette, from pixels (RGBA, row by row): a page has few colours, and a picture of it is a third as large so.
 * Colours are rounded until there are at most 256.
 */
export function smallPng(pixels, width, height) {
  for (let bits = 0; ; bits += 1) {
    const palette = new Map();
    const rows = Buffer.alloc((width + 1) * height);
    for (let at = 0; at < width * height && palette.size <= 256; at += 1) {
      const colour = [0, 1, 2].map((channel) => rounded(pixels[at * 4 + channel], bits));
      const key = colour.join();
      if (!palette.has(key)) palette.set(key, palette.size);
      // Each row begins with its filter, which is none.
      rows[at + Math.floor(at / width) + 1] = palette.get(key);
    }
    if (palette.size > 256) continue;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from([...palette.keys()].flatMap((key) => key.split(',').map(Number)))),
      chunk('IDAT', deflateSync(rows, { level: 9 })),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

/** White stays white. */
function rounded(value, bits) {
  const step = 2 ** bits;
  return Math.min(255, Math.round(value / step) * step);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
