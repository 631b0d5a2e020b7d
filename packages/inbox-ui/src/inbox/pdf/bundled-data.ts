import { loadCMaps, loadFont } from 'virtual:pdf-data';

/** Provides PDF.js with its character maps, which fonts of Chinese, Japanese and Korean texts refer to. */
export class BundledCMaps {
  async fetch({ name }: { readonly name: string }): Promise<{ cMapData: Uint8Array; isCompressed: boolean }> {
    const { default: cMaps } = await loadCMaps();
    return { cMapData: decodeOwn(cMaps, name), isCompressed: true };
  }
}

/** Provides PDF.js with the 14 standard fonts, which a PDF need not contain (ISO 32000-1, section 9.6.2.2). */
export class BundledFonts {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const load = Object.hasOwn(loadFont, filename) ? loadFont[filename] : undefined;
    if (load === undefined) throw new Error(`There is no font ${filename}.`);
    return decodeBase64((await load()).default);
  }
}

function decodeOwn(all: Readonly<Record<string, string>>, name: string): Uint8Array {
  const data = Object.hasOwn(all, name) ? all[name] : undefined;
  if (data === undefined) throw new Error(`There is no character map ${name}.`);
  return decodeBase64(data);
}

function decodeBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
