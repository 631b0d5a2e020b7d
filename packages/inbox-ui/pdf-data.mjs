import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const ID = 'virtual:pdf-data';
const library = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const fonts = listNames('standard_fonts', /\.(pfb|ttf)$/);
const cMaps = listNames('cmaps', /\.bcmap$/);

/**
 * Vite plugin that provides `virtual:pdf-data`: the standard fonts and character maps of PDF.js as modules, which are
 * loaded on demand. The pages may not request other files (`connect-src`).
 */
export const pdfData = {
  name: 'pdf-data',
  resolveId: (id) => (id === ID || id.startsWith(`${ID}/`) ? `\0${id}` : undefined),
  load(id) {
    if (id === `\0${ID}`)
      return [
        'export const loadFont = {',
        ...fonts.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${ID}/${name}`)}),`),
        '};',
        `export const loadCMaps = () => import('${ID}/character-maps');`,
      ].join('\n');
    if (id === `\0${ID}/character-maps`)
      return `export default ${JSON.stringify(Object.fromEntries(cMaps.map((name) => [name.replace(/\.bcmap$/, ''), read('cmaps', name)])))};`;
    const font = fonts.find((name) => id === `\0${ID}/${name}`);
    return font === undefined ? undefined : `export default ${JSON.stringify(read('standard_fonts', font))};`;
  },
};

const IMPORT_AT_RUN_TIME = /await import\((?:\s*\/\*[^*]*\*\/)*\s*path\)/;

/**
 * Vite plugin for workers that bundles the decoder of JPEG 2000 images into the worker of PDF.js. PDF.js would import it
 * at run time, from an address, or use WebAssembly, which the content security policy does not allow.
 */
export const bundledImageDecoder = {
  name: 'bundled-image-decoder',
  transform(code, id) {
    if (!/[/\\]pdf\.worker\.mjs(\?|$)/.test(id)) return undefined;
    if (!IMPORT_AT_RUN_TIME.test(code)) throw new Error('PDF.js imports its image decoder in another way than before.');
    return {
      code: `import createOpenJpeg from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js';\n${code.replace(IMPORT_AT_RUN_TIME, '{ default: createOpenJpeg }')}`,
      map: null,
    };
  },
};

function listNames(folder, pattern) {
  return readdirSync(join(library, folder)).filter((name) => pattern.test(name));
}

function read(folder, name) {
  return readFileSync(join(library, folder, name)).toString('base64');
}
