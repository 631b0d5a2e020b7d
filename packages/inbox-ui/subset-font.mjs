import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { convert } from 'fontverter';

/** Constants of hb-subset.h. */
const SETS_LAYOUT_FEATURE_TAG = 6;
const FLAGS_NOTDEF_OUTLINE = 0x40;
const MEMORY_MODE_WRITABLE = 2;

const WASM = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');

/**
 * Reduces a variable font with HarfBuzz. It keeps the shape for characters without a glyph (`.notdef`): without it, such
 * characters would be invisible.
 *
 * @param {Uint8Array} font
 * @param {{ text: string, features: readonly string[], axes: Readonly<Record<string, { min: number, max: number, default: number }>> }} options
 *   the characters and OpenType features to keep, and the remaining ranges of the axes
 * @returns {Promise<Buffer>} the font in WOFF2
 */
export async function subsetFont(font, { text, features, axes }) {
  const {
    instance: { exports: hb },
  } = await WebAssembly.instantiate(readFileSync(WASM));
  hb._initialize();
  // The memory may grow, which detaches earlier views of it.
  const readMemory = () => new Uint8Array(hb.memory.buffer);
  const source = await convert(font, 'truetype');
  const address = hb.malloc(source.byteLength);
  readMemory().set(source, address);
  const face = hb.hb_face_create(hb.hb_blob_create(address, source.byteLength, MEMORY_MODE_WRITABLE, 0, 0), 0);
  const input = hb.hb_subset_input_create_or_fail();
  hb.hb_subset_input_set_flags(input, FLAGS_NOTDEF_OUTLINE);
  const characters = hb.hb_subset_input_unicode_set(input);
  for (const character of text) hb.hb_set_add(characters, character.codePointAt(0));
  const featureTags = hb.hb_subset_input_set(input, SETS_LAYOUT_FEATURE_TAG);
  hb.hb_set_clear(featureTags);
  for (const feature of features) hb.hb_set_add(featureTags, toTag(feature));
  for (const [axis, { min, max, default: initial }] of Object.entries(axes))
    if (!hb.hb_subset_input_set_axis_range(input, face, toTag(axis), min, max, initial))
      throw new Error(`The font has no axis ${axis}.`);
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error('HarfBuzz cannot reduce the font.');
  const result = hb.hb_face_reference_blob(subset);
  const start = hb.hb_blob_get_data(result, 0);
  return convert(Buffer.from(readMemory().slice(start, start + hb.hb_blob_get_length(result))), 'woff2', 'truetype');
}

/** Returns the number of an OpenType tag. */
function toTag(name) {
  return [...name].reduce((tag, character) => tag * 256 + character.charCodeAt(0), 0);
}
