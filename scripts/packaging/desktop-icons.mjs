// Draws the icons of the desktop client from its SVG, in what Linux, Windows and macOS take: PNGs, an ICO and an ICNS of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const LINUX = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const WINDOWS = [16, 24, 32, 48, 64, 128, 256];
/** Types of an ICNS whose content is a PNG, by their size in pixels. */
const MACOS = Object.freeze({
  icp4: 16,
  icp5: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
});

/** @param {string} directory is made where it is not there */
export async function drawIcons(directory) {
  const svg = readFileSync(fileURLToPath(new URL('../../packages/desktop/build/icon.svg', import.meta.url)));
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const drawn = new Map(
    [...new Set([...LINUX, ...WINDOWS, ...Object.values(MACOS)])].map((size) => [
      size,
      Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng()),
    ]),
  );
  mkdirSync(join(directory, 'png'), { recursive: true });
  for (const size of LINUX) writeFileSync(join(directory, 'png', `${size}x${size}.png`), drawn.get(size));
  writeFileSync(join(directory, 'icon.ico'), ico(WINDOWS.map((size) => ({ size, png: drawn.get(size) }))));
  writeFileSync(
    join(directory, 'icon.icns'),
    icns(Object.entries(MACOS).map(([type, size]) => ({ type, png: drawn.get(size) }))),
  );
}

/** A head, an entry of 16 bytes for each image (0 stands for 256), and the images. */
function ico(images) {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** Each part is its type, its length with these eight bytes, and its content; so is the whole. */
function icns(images) {
  const part = (type, content) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  return part('icns', Buffer.concat(images.map(({ type, png }) => part(type, png))));
}
