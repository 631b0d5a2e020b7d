// Draws the icons of the desktop client from its SVG: PNG files for Linux, an ICO file for Windows and an ICNS file for
// macOS.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256];
/** Size in pixels of each ICNS element type whose content is a PNG image. */
const MACOS_SIZES_BY_TYPE = Object.freeze({
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

/**
 * Draws all icons.
 *
 * @param {string} directory target directory, which is created if it is missing
 */
export async function drawIcons(directory) {
  const svg = readFileSync(fileURLToPath(new URL('../../packages/desktop/build/icon.svg', import.meta.url)));
  await initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const pngsBySize = new Map(
    [...new Set([...LINUX_SIZES, ...WINDOWS_SIZES, ...Object.values(MACOS_SIZES_BY_TYPE)])].map((size) => [
      size,
      Buffer.from(new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng()),
    ]),
  );
  mkdirSync(join(directory, 'png'), { recursive: true });
  for (const size of LINUX_SIZES) writeFileSync(join(directory, 'png', `${size}x${size}.png`), pngsBySize.get(size));
  writeFileSync(
    join(directory, 'icon.ico'),
    buildIco(WINDOWS_SIZES.map((size) => ({ size, png: pngsBySize.get(size) }))),
  );
  writeFileSync(
    join(directory, 'icon.icns'),
    buildIcns(Object.entries(MACOS_SIZES_BY_TYPE).map(([type, size]) => ({ type, png: pngsBySize.get(size) }))),
  );
}

/** Returns an ICO file: a header, an entry of 16 bytes for each image (a size of 0 means 256), and the images. */
function buildIco(images) {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach(({ size, png }, index) => {
    const entryOffset = 6 + 16 * index;
    head.writeUInt8(size % 256, entryOffset);
    head.writeUInt8(size % 256, entryOffset + 1);
    head.writeUInt16LE(1, entryOffset + 4);
    head.writeUInt16LE(32, entryOffset + 6);
    head.writeUInt32LE(png.length, entryOffset + 8);
    head.writeUInt32LE(offset, entryOffset + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/**
 * Returns an ICNS file. The file and each element in it consist of a type, the length including these eight bytes, and
 * the content.
 */
function buildIcns(images) {
  const buildElement = (type, content) => {
    const head = Buffer.alloc(8);
    head.write(type, 0, 'latin1');
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  return buildElement('icns', Buffer.concat(images.map(({ type, png }) => buildElement(type, png))));
}
